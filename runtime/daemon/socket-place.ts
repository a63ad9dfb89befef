import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";

/** Where the daemon of one home listens, in a folder that only this user can enter; its lock and its starter's mark lie in the home. */
export type SocketPlace = { folder: string; socket: string; lock: string; mark: string };

/** Where the socket lies. E_DAEMON_FOLDER when somebody else made the folder, or could write in it. */
export function socketPlace(home: Home, uid: number): SocketPlace {
  const name = new Bun.CryptoHasher("sha256").update(home.state).digest("hex").slice(0, NAME_DIGITS);
  const run = `/run/user/${uid}`;
  if (isPrivate(run, uid)) return placeIn(home, run, `hookpkg-${name}`);
  const own = `/tmp/hookpkg-${uid}`;
  try {
    mkdirSync(own, { mode: 0o700 });
  } catch {
    // There already, or not to be made: the next look says.
  }
  if (!isPrivate(own, uid)) throw refuse("E_DAEMON_FOLDER", { folder: own });
  return placeIn(home, own, `d-${name}`);
}

const NAME_DIGITS = 12;

function placeIn({ state }: Home, folder: string, name: string): SocketPlace {
  const own = { lock: join(state, "daemon.lock"), mark: join(state, "daemon-start.lock") };
  return { folder, socket: join(folder, `${name}.sock`), ...own };
}

function isPrivate(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
}
