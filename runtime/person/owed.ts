import type { Home } from "../home.ts";
import { changeSession, readSession, type SessionId } from "./sessions.ts";

export type Owed = Readonly<Record<string, string | null>>;

const MAX_OWED = 100;

/** Keeps what became of handlers that ran when nobody could be told any more, as far as it is news to this session. */
export async function owe(home: Home, id: SessionId, conditions: Owed): Promise<void> {
  const known = readSession(home, id.host, id.session);
  if (known === undefined) return;
  const isNews = (name: string) => (({ ...known.told, ...known.owed })[name] ?? null) !== conditions[name];
  const news = Object.entries(conditions).filter(([name]) => isNews(name));
  if (news.length === 0) return;
  await changeSession(home, id, (now) => {
    const session = now ?? known;
    const owed = Object.entries({ ...session.owed, ...Object.fromEntries(news) }).slice(-MAX_OWED);
    return { ...session, owed: Object.fromEntries(owed) };
  });
}

/** What the next event has to tell; from here on it counts as told. */
export async function takeOwed(home: Home, id: SessionId): Promise<Owed> {
  const known = readSession(home, id.host, id.session);
  if (known?.owed === undefined) return {};
  let taken: Owed = {};
  await changeSession(home, id, (session) => {
    const { owed = {}, ...rest } = session ?? known;
    taken = owed;
    return rest;
  });
  return taken;
}
