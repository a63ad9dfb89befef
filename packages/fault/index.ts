/** A fact of a fault: what was expected, found, where. JSON, so that `--json` and problem details can carry it. */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [key: string]: Fact };
export type Facts = { readonly [name: string]: Fact };

/**
 * The one error type. `code` comes from the closed table of the package that refused; `facts` say what was found;
 * `cause` keeps the error below it. Advice to people is not here: the terminal has it, keyed by code.
 */
export class Fault extends Error {
  readonly code: string;
  readonly facts: Facts;

  constructor(code: string, sentence: string, facts: Facts = {}, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = "Fault";
    this.code = code;
    this.facts = facts;
  }
}

/** Every code of every loaded table with its sentence: what the documentation and the advice table are held against. */
const known = new Map<string, string>();

/**
 * Declares a package's closed table of codes (`E_…` → one sentence without a full stop) and gives its maker.
 * Two packages can't declare the same code.
 */
export function faultTable<const T extends Record<`E_${string}`, string>>(table: T) {
  for (const [code, sentence] of Object.entries(table)) {
    if (known.has(code)) throw new Error(`fault code ${code} is declared twice`);
    known.set(code, sentence);
  }
  return (code: keyof T & string, facts?: Facts, cause?: unknown): Fault =>
    new Fault(code, table[code] as string, facts, cause);
}

/** All declared codes with their sentences, in order of declaration. */
export function declaredFaults(): ReadonlyMap<string, string> {
  return known;
}

export function isFault(error: unknown, code?: string): error is Fault {
  return error instanceof Fault && (code === undefined || error.code === code);
}

/** The code of an error: the operating system's, such as ENOENT, or a fault's; "" where there is none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function isSystem(error: unknown, code: string): boolean {
  return systemCode(error) === code;
}
