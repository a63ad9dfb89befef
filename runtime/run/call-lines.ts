import type { CallFrame, RpcResult } from "@hookpkg/spec";

/** Worker's side of the wire: frames of the host, which is trusted, one a line. Ends when the host closes it. */
export async function* callsFrom(fd: number): AsyncGenerator<CallFrame | RpcResult> {
  let parts: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of Bun.file(fd).stream()) {
    const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(first);
    for (const line of lines) {
      yield JSON.parse(parts.join("")) as CallFrame | RpcResult; // our own host wrote it
      parts = [line];
    }
  }
}
