const MAX_END = 200;

/** A text's first line that says something and its last one, where Python and Rust say what went wrong. */
export function textEnds(text: string): string {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  const [first = "", last = first] = [lines[0], lines.at(-1)].map((line) => line?.slice(0, MAX_END));
  return lines.length < 2 ? first : `${first} … ${last}`;
}
