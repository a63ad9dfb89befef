import type { Call, Scene } from "@guards/shell";

/** Judges one call of a program: the reason to cancel in one line, or undefined. */
export type Rule = (call: Call, scene: Scene) => string | undefined;

export type Rules = Readonly<Record<string, Rule>>;

/** Only asking for help or the version does nothing. */
export function isOnlyAsking(args: readonly string[]): boolean {
  return args.length > 0 && args.every((arg) => /^(--help|--version|-V|-h)$/.test(arg));
}
