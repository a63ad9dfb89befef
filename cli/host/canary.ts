import { type AttachableHost, hostNamed } from "@hookpkg/hosts";
import { dispatchTry, type Engine, type Home, type Request } from "@hookpkg/runtime";
import type { Decision, Payload } from "@hookpkg/spec";

/** The session of a call that nobody made: no host names one so. It is judged as any other, and leaves no session and no line in the journal. */
const SESSION = "hookpkg-canary";

export function isCanary({ session_id, hook_event_name }: Payload): boolean {
  return session_id === SESSION && hook_event_name === "PreToolUse";
}

/** Nobody is there to be asked, so that what would be asked about is refused. */
export function judgeCanary(request: Request, engine: Engine): Promise<Decision> {
  return dispatchTry({ ...request, canAsk: false }, engine);
}

/** What a host would tell of such a call; undefined where its entries ask before no tool, or in words that only it has. */
export function canaryText(host: AttachableHost, { event, home, cwd }: { event: string; home: Home; cwd: string }) {
  const call = { tool_name: "Bash", tool_input: { command: `rm -rf ~ '${home.state.replaceAll("'", "'\\''")}'` } };
  const told = {
    hook_event_name: event,
    session_id: SESSION,
    transcript_path: null,
    cwd,
    tool_use_id: SESSION,
    ...call,
  };
  try {
    const read = hostNamed(host)?.read(told);
    return read?.event && isCanary(read.payload) ? JSON.stringify(told) : undefined;
  } catch {
    return undefined;
  }
}
