import { asRecord, type HostObject } from "../host-input.ts";

/**
 * A handler's result in the tool's own shape: Claude Code ignores one that has another, and shows the old result. A text in
 * place of an object is put where the tool keeps its text.
 */
export function claudeResult(before: unknown, wanted: unknown): unknown {
  const old = asRecord(before);
  const next = asRecord(wanted);
  if (old && next) return { ...old, ...next };
  if (typeof wanted === "string") return hiddenResult(before, wanted);
  return wanted;
}

/** The result with nothing of the old one in it but its shape, and `text` where the model will read it. */
export function hiddenResult(before: unknown, text: string): unknown {
  if (Array.isArray(before)) return [{ type: "text", text }];
  const old = asRecord(before);
  if (!old) return text;
  if (typeof old.stdout === "string")
    return { stdout: text, stderr: "", interrupted: old.interrupted === true, isImage: false };
  const file = asRecord(old.file);
  if (file) return { type: "text", file: readFile(file, text) };
  return blanked(old, text);
}

/** What the Read tool gives for a text file, whatever kind it read. */
function readFile(file: HostObject, text: string): HostObject {
  const lines = text.split("\n").length;
  return { filePath: file.filePath ?? "", content: text, numLines: lines, startLine: 1, totalLines: lines };
}

/** Keys that say what a result is, not what is in it. */
const KEPT = new Set(["type", "filePath", "mode", "status"]);
/** Where tools keep the text that the model reads. */
const TEXTS = ["content", "text", "result", "output"];

function blanked(old: HostObject, text: string): HostObject {
  const at = TEXTS.find((key) => typeof old[key] === "string");
  return Object.fromEntries(
    Object.entries(old).map(([key, value]) => [key, key === at ? text : KEPT.has(key) ? value : blank(value)]),
  );
}

function blank(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.every((part) => typeof part === "string") ? [] : value.map(blank);
  const object = asRecord(value);
  return object ? blanked(object, "") : value;
}
