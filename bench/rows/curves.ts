import { dispatch } from "../../runtime/index.ts";
import { curveRow, type Row, sideBySide } from "../measure.ts";
import { project, requestIn, type Stage } from "../stage.ts";

const HANDLERS = [1, 10, 100];
/** Together no more than workers are kept: the ways take turns, and one that lost its own would be measured starting them. */
const PACKAGES = [1, 10, 50];
const BYTES = [1000, 10_000, 100_000, 1_000_000];

/** Whole events of growing size: no cost may grow faster than what it is the cost of. */
export async function curveRows(stage: Stage): Promise<Row[]> {
  const handlers = await roots(HANDLERS, (n) => project(stage, `handlers-${n}`, { handlers: n }));
  const packages = await roots(PACKAGES, (n) => project(stage, `packages-${n}`, { packages: n }));
  const one = handlers[0]?.root ?? "";
  const event =
    (root: string, about: Parameters<typeof requestIn>[1] = {}) =>
    () =>
      dispatch(requestIn(root, about), stage.engine);
  const curve = async (what: string, sizes: readonly number[], ways: (readonly [string, () => Promise<unknown>])[]) =>
    curveRow(what, sizes, await sideBySide(Object.fromEntries(ways), { warmup: 1, rounds: 7 }));
  return [
    await curve(
      "handlers of one package",
      HANDLERS,
      handlers.map(({ size, root }) => [`${size} h`, event(root)]),
    ),
    await curve(
      "packages, one handler each",
      PACKAGES,
      packages.map(({ size, root }) => [`${size} p`, event(root)]),
    ),
    await curve(
      "payload",
      BYTES,
      BYTES.map((bytes) => [`${bytes / 1000} KB`, event(one, { bytes })]),
    ),
  ];
}

async function roots(sizes: readonly number[], make: (size: number) => Promise<string>) {
  const made: { size: number; root: string }[] = [];
  for (const size of sizes) made.push({ size, root: await make(size) });
  return made;
}
