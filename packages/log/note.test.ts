import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { publicBytes } from "./ed25519.ts";
import {
  formatNoteKey,
  grow,
  inclusionProof,
  leafHash,
  openCheckpoint,
  openNote,
  parseNoteKey,
  rootHash,
  signatureLines,
  signCheckpoint,
  signNote,
  verifyReceipt,
} from "./index.ts";

// From the documentation of Go's golang.org/x/mod/sumdb/note, where the format comes from.
const NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const SIGNATURE =
  "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";

const { privateKey } = generateKeyPairSync("ed25519");
const log = { name: "registry.example/log", publicKey: publicBytes(privateKey) ?? new Uint8Array() };
const root = leafHash(new Uint8Array());
const note = signCheckpoint({ origin: log.name, size: 12, root }, privateKey);

describe("signed notes", () => {
  test("the published example opens", () => {
    const key = parseNoteKey(NEUMANN);
    expect(openNote(`${TEXT}\n${SIGNATURE}\n`, [key])).toEqual({ text: TEXT, signedBy: [key] });
    expect(formatNoteKey(key)).toBe(NEUMANN);
    expect(signatureLines(`${TEXT}\n${SIGNATURE}\n`, "PeterNeumann")).toEqual([SIGNATURE]);
  });

  test("a known key with a bad signature refuses, an unknown one is ignored", () => {
    const key = parseNoteKey(NEUMANN);
    expect(codeOf(() => openNote(`${TEXT.replace("think", "thank")}\n${SIGNATURE}\n`, [key]))).toBe("E_LOG_SIGNATURE");
    expect(codeOf(() => openNote(`${TEXT}\n${SIGNATURE}\n`, [log]))).toBe("E_LOG_UNSIGNED");
    expect(openNote(`${note}${SIGNATURE}\n`, [log]).signedBy).toEqual([log]);
    expect(codeOf(() => openNote(`${note}${SIGNATURE}\n`, [log, key]))).toBe("E_LOG_SIGNATURE");
  });

  test("the same name with another key is unknown", () => {
    const impostor = generateKeyPairSync("ed25519").privateKey;
    expect(codeOf(() => openNote(signNote("a\n", log.name, impostor), [log]))).toBe("E_LOG_UNSIGNED");
  });

  test.each([
    ["control character", `a\u0000\n\n${SIGNATURE}\n`],
    ["carriage return", `a\r\n\n${SIGNATURE}\n`],
    ["no blank line", `a\n${SIGNATURE}\n`],
    ["no signature", "a\n\n"],
    ["no final newline", `a\n\n${SIGNATURE}`],
    ["not a signature line", `a\n\n${SIGNATURE}\nhello\n`],
    ["hyphen for a dash", `a\n\n${SIGNATURE.replace("—", "-")}\n`],
    ["plus in a name", "a\n\n— a+b x08go/ZJkuBS\n"],
    ["base64 with spare bits", "a\n\n— a AAAAAAB=\n"],
    ["a hash and no signature", "a\n\n— a AAAAAA==\n"],
    ["65 signatures", `a\n\n${`${SIGNATURE}\n`.repeat(65)}`],
    ["10,000 signatures", `a\n\n${`${SIGNATURE}\n`.repeat(10_000)}`],
    ["lone surrogate", `\ud800\n\n${SIGNATURE}\n`],
  ])("malformed: %s", (_, text) => {
    expect(codeOf(() => openNote(text, [parseNoteKey(NEUMANN)]))).toBe("E_LOG_NOTE");
  });

  test("bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.of(0xff), Buffer.from(note)]);
    expect(codeOf(() => openNote(bytes, [log]))).toBe("E_LOG_NOTE");
    expect(openNote(Buffer.from(note), [log]).signedBy).toEqual([log]);
  });

  test("keys of a wrong length or name", () => {
    expect(codeOf(() => openCheckpoint(note, { ...log, publicKey: log.publicKey.slice(1) }))).toBe("E_LOG_KEY");
    expect(codeOf(() => openCheckpoint(note, { ...log, publicKey: new Uint8Array(33) }))).toBe("E_LOG_KEY");
    expect(codeOf(() => openCheckpoint(note, { ...log, name: "two words" }))).toBe("E_LOG_KEY");
    for (const key of ["", "a", "a+b", "a+00000000+AAAA", NEUMANN.replace("c7", "c8"), `${NEUMANN} `]) {
      expect(codeOf(() => parseNoteKey(key))).toBe("E_LOG_KEY");
    }
    expect(codeOf(() => signNote("a\n", "x", generateKeyPairSync("x25519").privateKey))).toBe("E_LOG_KEY");
  });

  test("a changed byte anywhere, and any garbage, refuses", () => {
    fc.assert(
      fc.property(fc.nat(note.length - 1), fc.integer({ min: 1, max: 255 }), (at, delta) => {
        const bytes = Buffer.from(note);
        bytes[at] = ((bytes[at] ?? 0) + delta) % 256;
        expect(codeOf(() => openCheckpoint(bytes, log))).toStartWith("E_LOG_");
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(codeOf(() => openCheckpoint(bytes, log))).toBe("E_LOG_NOTE");
      }),
    );
  });
});

describe("checkpoints", () => {
  test("reads back", () => {
    expect(openCheckpoint(note, log)).toEqual({ origin: log.name, size: 12, root });
  });

  test.each([
    ["leading zero", `${log.name}\n012\n${Buffer.from(root).toString("base64")}\n`],
    ["negative", `${log.name}\n-1\n${Buffer.from(root).toString("base64")}\n`],
    ["huge", `${log.name}\n9007199254740993\n${Buffer.from(root).toString("base64")}\n`],
    ["short root", `${log.name}\n12\nAAAA\n`],
    ["no root", `${log.name}\n12\n`],
    ["empty extension", `${log.name}\n12\n${Buffer.from(root).toString("base64")}\n\nx\n`],
    ["65 lines", `${log.name}\n12\n${Buffer.from(root).toString("base64")}\n${"x\n".repeat(62)}`],
  ])("properly signed, but no checkpoint: %s", (_, text) => {
    expect(codeOf(() => openCheckpoint(signNote(text, log.name, privateKey), log))).toBe("E_LOG_CHECKPOINT");
  });

  test("of another log by the same key", () => {
    const text = `elsewhere\n12\n${Buffer.from(root).toString("base64")}\n`;
    expect(codeOf(() => openCheckpoint(signNote(text, log.name, privateKey), log))).toBe("E_LOG_ORIGIN");
  });
});

test("a receipt proves its own entry only, under its own checkpoint", async () => {
  const entries = ["a", "b", "c"].map((text) => new TextEncoder().encode(text));
  const { nodes } = await grow({ read: () => [] }, 0, entries);
  const store = {
    read: (asked: readonly { level: number; index: number }[]) =>
      asked.map(({ level, index }) => {
        const found = nodes.find((node) => node.level === level && node.index === index);
        return found === undefined ? new Uint8Array() : found.hash;
      }),
  };
  const head = { origin: log.name, size: 3, root: await rootHash(store, 3) };
  const receipt = {
    index: 1,
    size: 3,
    root: Buffer.from(head.root).toString("base64"),
    proof: (await inclusionProof(store, 1, 3)).map((hash) => Buffer.from(hash).toString("base64")),
    checkpoint: signCheckpoint(head, privateKey),
  };
  const [first = root, second = root] = entries;
  expect(verifyReceipt(receipt, second, log)).toEqual(head);
  expect(codeOf(() => verifyReceipt(receipt, first, log))).toBe("E_LOG_INCLUSION");
  expect(codeOf(() => verifyReceipt({ ...receipt, size: 4 }, second, log))).toBe("E_LOG_RECEIPT");
  expect(codeOf(() => verifyReceipt({ ...receipt, proof: ["?", "?"] }, second, log))).toBe("E_LOG_PROOF");
  expect(codeOf(() => verifyReceipt({ ...receipt, checkpoint: note }, second, log))).toBe("E_LOG_RECEIPT");
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "nothing thrown";
}
