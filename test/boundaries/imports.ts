import { type Expression, type Program, parseSync, Visitor } from "oxc-parser";

/** One mention of another module. `specifier` is undefined where the program computes it. */
export type Import = { specifier: string | undefined; line: number; loads: "at start" | "when reached" | "never" };

/**
 * Every import of a file: static, type-only, re-export, `import()`, `import("…")` types, `import x = require()`,
 * `require`, `require.resolve`, `import.meta.resolve`, and `new URL("…", import.meta.url)`, which workers are started by.
 * Throws when the file does not parse: an unread file has proved nothing.
 */
export function importsOf(path: string, source: string): Import[] {
  const parsed = parseSync(path, source, { sourceType: "module" });
  if (parsed.errors.length > 0) throw new Error(`${path} does not parse: ${parsed.errors[0]?.message}`);
  const found: Import[] = [];
  visit(parsed.program, (at, specifier, loads) => {
    found.push({ specifier, line: source.slice(0, at).split("\n").length, loads });
  });
  return found;
}

type Report = (at: number, specifier: string | undefined, loads: Import["loads"]) => void;

function visit(program: Program, report: Report): void {
  const whenLoaded = (isType: boolean) => (isType ? "never" : "at start");
  new Visitor({
    ImportDeclaration: (node) => report(node.start, node.source.value, whenLoaded(node.importKind === "type")),
    ExportAllDeclaration: (node) => report(node.start, node.source.value, whenLoaded(node.exportKind === "type")),
    ExportNamedDeclaration(node) {
      if (node.source !== null) report(node.start, node.source.value, whenLoaded(node.exportKind === "type"));
    },
    TSImportEqualsDeclaration(node) {
      const reference = node.moduleReference;
      if (reference.type !== "TSExternalModuleReference") return;
      report(node.start, reference.expression.value, whenLoaded(node.importKind === "type"));
    },
    TSImportType: (node) => report(node.start, node.source.value, "never"),
    ImportExpression: (node) => report(node.start, constant(node.source), "when reached"),
    CallExpression(node) {
      const [first] = node.arguments;
      const callee = nameOf(node.callee);
      if (first === undefined || first.type === "SpreadElement") return;
      if (callee === "require") report(node.start, constant(first), "at start");
      if (callee === "require.resolve" || callee === "import.meta.resolve") {
        report(node.start, constant(first), "when reached");
      }
    },
    NewExpression(node) {
      const [first, base] = node.arguments;
      if (nameOf(node.callee) !== "URL" || first === undefined || first.type === "SpreadElement") return;
      if (base === undefined || base.type === "SpreadElement" || nameOf(base) !== "import.meta.url") return;
      report(node.start, constant(first), "when reached");
    },
  }).visit(program);
}

/** The text of a literal; concatenation and placeholders are computed, hence undefined. */
function constant(node: Expression): string | undefined {
  if (node.type === "ParenthesizedExpression") return constant(node.expression);
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** `require.resolve` for the expression that reads so; undefined for what is not a chain of plain names. */
function nameOf(node: Expression): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MetaProperty") return `${node.meta.name}.${node.property.name}`;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
  const object = node.object.type === "Super" ? undefined : nameOf(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}
