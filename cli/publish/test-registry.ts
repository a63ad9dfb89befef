/** For tests: what stands between us and a registry, or pretends to be one. */
export function between(answer: (request: Request) => Promise<Response> | Response) {
  return Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
}

/** The real registry's answer; `told` may change its text. */
export async function forwarded(url: string, request: Request, told = (text: string) => text): Promise<Response> {
  const { pathname } = new URL(request.url);
  const body = request.method === "GET" ? null : await request.bytes();
  const answer = await fetch(`${url}${pathname}`, { method: request.method, headers: request.headers, body });
  const headers = { "content-type": answer.headers.get("content-type") ?? "" };
  return new Response(told(await answer.text()), { status: answer.status, headers });
}
