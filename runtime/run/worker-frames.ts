import { MAX_FRAME_BYTES, parseJson } from "@hookpkg/spec";
import { z } from "zod";

const id = z.int().min(0);
const rpc = z.enum(["fetch", "storage", "log", "emit", "complete"]);

// The commonest first: those that do not fit are tried, too.
const frame = z.union([
  z.strictObject({ id, answer: z.unknown().refine((value) => value !== undefined) }),
  z.strictObject({ id, failed: z.enum(["E_RUN_MODULE", "E_RUN_THREW"]), detail: z.string().max(4000).optional() }),
  z.strictObject({ id, rpc, n: z.int().min(1), args: z.unknown() }),
  z.strictObject({ ready: z.literal(1) }),
]);

/** A frame that a worker really may say. Content of an answer is still untrusted. */
export type CheckedFrame = z.infer<typeof frame>;

/**
 * Cuts a worker's bytes into frames. Throws on what is not the wire: a line that is too long, not UTF-8, not JSON, or not a
 * frame. Bytes are kept as chunks until their line is whole, so that a long line is not copied again with every chunk.
 */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  read(chunk: Uint8Array): CheckedFrame[] {
    const frames: CheckedFrame[] = [];
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      frames.push(frameIn(Buffer.concat(this.#chunks)));
      this.#chunks = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
    return frames;
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    if (this.#length > MAX_FRAME_BYTES) throw new Error("the line is too long");
    if (bytes.byteLength > 0) this.#chunks.push(bytes.slice());
  }
}

function frameIn(line: Uint8Array): CheckedFrame {
  try {
    return frame.parse(parseJson(line, { maxBytes: MAX_FRAME_BYTES }));
  } catch (cause) {
    const said = new TextDecoder().decode(line.subarray(0, MAX_SHOWN_BYTES)).trimEnd();
    throw new Error(`no frame: ${said}`, { cause });
  }
}

const MAX_SHOWN_BYTES = 120;
const NEWLINE = 10;
