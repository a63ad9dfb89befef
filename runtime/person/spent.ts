import type { Home } from "../home.ts";
import { changeSession, readSession, type SessionId } from "./sessions.ts";

const MAX_SPENT = 500;

/** What a session keeps of a handler that runs once: another identity is another handler. */
export function onceKey({ name, identity }: { name: string; identity: string }): string {
  return `${name} ${identity}`;
}

/** Handlers that have had their one run in this session. */
export function spentIn(home: Home, { host, session }: SessionId): ReadonlySet<string> {
  return new Set(readSession(home, host, session)?.spent);
}

/** Whether it was to run once and has. */
export function isSpent(
  { name, identity, normalForm }: { name: string; identity: string; normalForm: { once: boolean } },
  spent: ReadonlySet<string>,
): boolean {
  return normalForm.once && spent.has(onceKey({ name, identity }));
}

/** Records that these have answered. A session that was never seen keeps nothing. */
export async function spend(home: Home, id: SessionId, keys: readonly string[]): Promise<void> {
  const known = readSession(home, id.host, id.session);
  if (keys.length === 0 || known === undefined) return;
  await changeSession(home, id, (now) => {
    const session = now ?? known;
    return { ...session, spent: [...new Set([...(session.spent ?? []), ...keys])].slice(-MAX_SPENT) };
  });
}
