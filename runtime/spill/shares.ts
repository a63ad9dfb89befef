/** Of a handler's text not even both ends are shown when it would get less than this: those go together. */
const MIN_SHARE = 300;
/** Room for the line that says where the rest is: no text is cut to less. */
export const NOTICE_ROOM = 200;

/** One text: its size, what stands around it (a name, a fence), and what its handler may say. All in one unit. */
export type Piece = { lane: "reason" | "context"; size: number; beside: number; limit: number };

/** `lane`: what a host takes of each lane. `together`: what one event brings in all. */
export type Bounds = { lane: number; together: number };

/**
 * What each text may have: first within its own limit, then the largest are cut to one level, so that a small one beside a huge one stays
 * whole. Undefined: there are so many that this one has no place of its own. The last lose theirs first.
 */
export function shares(pieces: readonly Piece[], bounds: Bounds): (number | undefined)[] {
  const kept = pieces.map((piece, place) => ({ ...piece, place, size: Math.min(piece.size, ownRoom(piece)) }));
  for (;;) {
    const caps = capsOf(kept, bounds, pieces.length - kept.length);
    const cramped = kept.findLastIndex(({ size }, n) => (caps[n] ?? 0) < Math.min(size, MIN_SHARE));
    if (cramped < 0) {
      const places = new Map(kept.map(({ place }, n) => [place, caps[n]]));
      return pieces.map((_, place) => places.get(place));
    }
    kept.splice(cramped, 1);
  }
}

function ownRoom({ size, limit }: Piece): number {
  return size <= limit ? size : Math.max(limit, NOTICE_ROOM);
}

function capsOf(kept: readonly Piece[], { lane, together }: Bounds, dropped: number): number[] {
  const said = dropped > 0 ? NOTICE_ROOM : 0;
  const lanes = new Map(
    (["reason", "context"] as const).map((name) => [
      name,
      levelOf(
        kept.filter((each) => each.lane === name),
        lane - said,
      ),
    ]),
  );
  const inLane = kept.map((piece) => ({ ...piece, size: Math.min(piece.size, lanes.get(piece.lane) ?? 0) }));
  const level = levelOf(inLane, together - 2 * said);
  return inLane.map(({ size }) => Math.min(size, level));
}

/** The largest size at which all of them, each cut to it, still fit with what stands around them. */
function levelOf(pieces: readonly Piece[], room: number): number {
  let left = room - pieces.reduce((sum, { beside }) => sum + beside, 0);
  const sizes = pieces.map(({ size }) => size).sort((a, b) => a - b);
  for (const [n, size] of sizes.entries()) {
    const each = Math.floor(left / (sizes.length - n));
    if (size > each) return Math.max(0, each);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
