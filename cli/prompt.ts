import { refuse } from "./faults.ts";
import { stopEcho } from "./no-echo.ts";
import { oneLine, type Terminal } from "./terminal.ts";

/** What is asked, in one line or several, and the flag that answers it where nobody can be asked. */
export type Question = { text: string | readonly string[]; flag: string };

/** Something was written that stays when a later question is interrupted: the refusal must not say that nothing was changed. */
export function staysDone(what: string): void {
  done.push(what);
}

const done: string[] = [];

function interrupted() {
  return done.length === 0 ? refuse("E_INTERRUPTED") : refuse("E_INTERRUPTED_AFTER", { done: [...done] });
}

/** A passphrase, typed unseen; `twice` for a new one, which must not be empty. E_INTERRUPTED on Ctrl-C. */
export async function askSecret(terminal: Terminal, question: Question, twice = false): Promise<string> {
  const { password } = await prompts(terminal, question);
  stopEcho();
  for (;;) {
    const first = await answered(password({ ...asked(question.text), ...(twice ? { validate: notEmpty } : {}) }));
    if (!twice || first === (await answered(password(asked("the same again"))))) return first;
    terminal.note("these were two different ones");
  }
}

/** Yes or no; no is what Enter alone says. */
export async function askConfirm(terminal: Terminal, question: Question): Promise<boolean> {
  const { confirm } = await prompts(terminal, question);
  return answered(confirm({ ...asked(question.text), initialValue: false }));
}

/** One of several; the first is what Enter alone says. */
export async function askChoice<T extends string>(
  terminal: Terminal,
  question: Question,
  choices: readonly { value: T; label: string; hint?: string }[],
): Promise<T> {
  const { select } = await prompts(terminal, question);
  const options = choices.map(({ value, label, hint }) => ({
    value: value as string,
    label: oneLine(label),
    ...(hint === undefined ? {} : { hint: oneLine(hint) }),
  }));
  const chosen = await answered(select<string>({ ...asked(question.text), options }));
  const choice = choices.find(({ value }) => value === chosen);
  if (!choice) throw interrupted();
  return choice.value;
}

/** Without a terminal the library would wait for ever. `interactive` says that there is one; stdin must be it, too. */
async function prompts(terminal: Terminal, { flag }: Question) {
  if (!terminal.interactive || !process.stdin.isTTY) throw refuse("E_NO_TERMINAL", { flag });
  const library = await import("@clack/prompts");
  library.updateSettings({ aliases: { "\u0004": "cancel" } }); // Ctrl-D, the end of input, answers nothing
  return library;
}

/** Questions go to stderr: stdout holds results only. */
function asked(text: Question["text"]) {
  // A terminal that does not know its size says 0, and nothing would be shown of the choices.
  if (!(process.stderr.columns > 0)) process.stderr.columns = ASSUMED.columns;
  if (!(process.stderr.rows > 0)) process.stderr.rows = ASSUMED.rows;
  return { message: [text].flat().map(oneLine).join("\n"), input: process.stdin, output: process.stderr };
}

const ASSUMED = { columns: 80, rows: 24 };

async function answered<T>(answer: Promise<T | symbol>): Promise<Exclude<T, symbol>> {
  const given = await answer;
  process.stdin.unref(); // or it would keep the process alive
  if (typeof given === "symbol") throw interrupted();
  return given as Exclude<T, symbol>; // just checked
}

function notEmpty(value: string | undefined): string | undefined {
  return value ? undefined : "type at least one letter";
}
