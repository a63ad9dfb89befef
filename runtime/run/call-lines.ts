import type { CallFrame, RpcResult } from "@hookpkg/spec";

/** Worker's side of the wire: frames of the host, which is trusted, one a line. Ends when the host closes it. */
export async function* callsFrom(fd: number): AsyncGenerator<CallFrame | RpcResult> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of Bun.file(fd).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as CallFrame | RpcResult; // our own host wrote it
  }
}
