import { type AnswerRead, checkMay, type Handler, type Outcome } from "@hookpkg/spec";

/** What came with the run, whatever the answer is. */
export type Aside = { ms: number; stderr?: string; notes?: readonly string[]; denied?: readonly string[] };

/** An answer that was read, held against what the handler may say. */
export function answered(read: AnswerRead, { may, event }: Handler, aside: Aside): Outcome {
  const held = "failed" in read ? read : checkMay(read.answer, may, event);
  if ("failed" in held || "failed" in read) {
    const { failed: why, detail } = "failed" in held ? held : (read as Extract<AnswerRead, { failed: unknown }>); // one of them is
    return { outcome: "failed", why, detail, ...aside };
  }
  const notes = [...read.notes, ...held.notes, ...(aside.notes ?? [])];
  return { outcome: "answered", answer: held.answer, ...aside, ...(notes.length > 0 ? { notes } : {}) };
}
