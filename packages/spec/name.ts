import { z } from "zod";
import { refuse } from "./faults.ts";

declare const brand: unique symbol;
/** `@scope`, lower-case ASCII. */
export type Scope = `@${string}` & { readonly [brand]?: "Scope" };
/** `@scope/name`. */
export type PackageName = `@${string}/${string}` & { readonly [brand]?: "PackageName" };

/** A folder's name in the store and a segment of a URL: short, ASCII, no leading sign. */
const SEGMENT = "[a-z0-9][a-z0-9-]{0,63}";
const SCOPE = new RegExp(`^@${SEGMENT}$`);
const NAME = new RegExp(`^@${SEGMENT}/${SEGMENT}$`);
const HANDLER_ID = /^[a-z0-9-]{1,40}$/;

/** Scopes and names nobody may claim: ours, the vendors', and words that read like a promise. */
const RESERVED = new Set(
  `hookpkg official admin root registry system managed user project local layer builtin file anthropic claude openai codex
   google gemini alibaba qwen microsoft github copilot cursor constructor prototype`.split(/\s+/),
);

export function isScope(text: string): text is Scope {
  return SCOPE.test(text);
}

export function isPackageName(text: string): text is PackageName {
  return NAME.test(text);
}

export function isHandlerId(text: string): boolean {
  return HANDLER_ID.test(text);
}

/** Scope of a text, E_SCOPE otherwise. */
export function parseScope(text: string): Scope {
  if (!isScope(text))
    throw refuse("E_SCOPE", { found: text.slice(0, 200), expected: "@scope, lower-case letters, digits and -" });
  return text;
}

/** Package name of a text, E_NAME otherwise. */
export function parsePackageName(text: string): PackageName {
  if (!isPackageName(text)) throw refuse("E_NAME", { found: text.slice(0, 200), expected: "@scope/name" });
  return text;
}

/** Refuses a scope or name that stands for somebody else. Only claims and publishes ask. */
export function refuseReserved(name: Scope | PackageName): void {
  for (const word of name.slice(1).split("/")) if (RESERVED.has(word)) throw refuse("E_NAME_RESERVED", { name, word });
}

export function scopeOf(name: PackageName): Scope {
  return parseScope(name.slice(0, name.indexOf("/")));
}

/** `@s/n#id`, `file:./dir#id` or `layer:user#id`: how a handler is named to people and in files. */
export type HandlerName = `${string}#${string}`;

export function handlerName(source: string, id: string): HandlerName {
  return `${source}#${id}`;
}

export const scopeSchema = z.custom<Scope>((value) => typeof value === "string" && isScope(value), "not a scope");
export const packageNameSchema = z.custom<PackageName>(
  (value) => typeof value === "string" && isPackageName(value),
  "not a package name",
);
