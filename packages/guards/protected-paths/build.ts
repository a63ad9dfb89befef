import { bundleGuard } from "@guards/shell";

/** Writes `dist/guard.js` and the licences of what is in it. Same sources, same bytes. */
export async function build(): Promise<void> {
  await bundleGuard(import.meta.dir);
}

if (import.meta.main) await build();
