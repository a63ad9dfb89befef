/** How much a text is, in the unit that its reader counts: a host's limit may be one of bytes. */
export type Measure = (text: string) => number;

export const CHARACTERS: Measure = (text) => text.length;
export const BYTES: Measure = (text) => Buffer.byteLength(text);

/** The head's part of the room; the rest is the tail's. */
const HEAD_SHARE = 2 / 3;
/** A line that ends this near to the cut is not torn, in characters. */
const MAX_TO_LINE = 200;
/** As far as a sign is looked for that a cut would tear, in characters; longer ones are made to be long. */
const SIGN_WINDOW = 512;

/** Both ends of a text, together no more than `room`, cut between signs and, where a line ends nearby, between lines. */
export function endsOf(text: string, room: number, measure: Measure): { head: string; tail: string } {
  const headRoom = Math.max(0, Math.floor(room * HEAD_SHARE));
  const head = text.slice(
    0,
    headEnd(
      text,
      reach(text, headRoom, (at) => measure(text.slice(0, at))),
    ),
  );
  const tailRoom = Math.max(0, room - headRoom);
  const back = reach(text, tailRoom, (count) => measure(text.slice(text.length - count)));
  const from = tailStart(text, Math.max(head.length, text.length - back));
  return { head, tail: text.slice(from) };
}

/** The largest count of characters that is no more than the room. A character is never less than one unit. */
function reach(text: string, room: number, size: (count: number) => number): number {
  let [low, high] = [0, Math.min(text.length, room)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (size(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function headEnd(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at - 1);
  const isNear = line > 0 && at - line <= MAX_TO_LINE && at < text.length;
  return isNear ? line - (text[line - 1] === "\r" ? 1 : 0) : border(text, at).before;
}

function tailStart(text: string, at: number): number {
  const line = text.indexOf("\n", Math.max(0, at - 1));
  return line >= 0 && line - at < MAX_TO_LINE && line + 1 < text.length ? line + 1 : border(text, at).after;
}

const signs = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Where the sign begins and ends that a cut at this place would tear; the place itself when it tears none. */
function border(text: string, at: number): { before: number; after: number } {
  if (at <= 0 || at >= text.length) return { before: at, after: at };
  const from = plainBefore(text, at);
  const seen = text.slice(from, at + SIGN_WINDOW);
  const sign = signs.segment(seen).containing(at - from);
  if (sign === undefined || from + sign.index === at) return { before: at, after: at };
  const after = whole(text, from + sign.index + sign.segment.length);
  // What fills the window is no sign that anyone could read: only its pairs are kept.
  return sign.index === 0 && from > 0 && !PLAIN.test(seen)
    ? { before: whole(text, at), after: whole(text, at) }
    : { before: from + sign.index, after };
}

const PLAIN = /^[ -~]/;

/** A plain sign begins anew, whatever stands before it: from there on flags are counted right. */
function plainBefore(text: string, at: number): number {
  const first = Math.max(0, at - SIGN_WINDOW);
  for (let place = at - 1; place >= first; place--) if (PLAIN.test(text[place] ?? "")) return place;
  return whole(text, first);
}

/** Never between the two halves of a pair. */
function whole(text: string, at: number): number {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return at > 0 && isPair ? at - 1 : at;
}
