const PROJECT = /\$(?:\{(?:CLAUDE_)?PROJECT_DIR\}|(?:CLAUDE_)?PROJECT_DIR(?![A-Za-z0-9_]))/y;
const NAME = `\${PROJECT_DIR}`;

/**
 * A shell text whose mentions of the project's folder are one word each, whatever its name holds: the shell expands the variable, between
 * double quotes that are added where the author set none. Between single quotes it stays a mention: what stands there may be a script for
 * another shell, which expands it itself and must not be handed the name as its text. So it does in a text with a document in it.
 */
export function asOneWord(script: string): string {
  if (script.includes("<<")) return script;
  const within: ("plain" | "tick" | "single" | "double")[] = ["plain"];
  let made = "";
  for (let at = 0; at < script.length; ) {
    const state = within.at(-1) ?? "plain";
    PROJECT.lastIndex = at;
    const mention = PROJECT.exec(script)?.[0];
    const sign = mention ?? (state !== "single" && script[at] === "\\" ? script.slice(at, at + 2) : (script[at] ?? ""));
    made += mention === undefined ? sign : state === "double" || state === "single" ? NAME : `"${NAME}"`;
    if (mention === undefined) step(within, sign, script[at - 1]);
    at += sign.length;
  }
  return made;
}

/** What the next sign stands in: quotes, and commands inside of double quotes, which have quotes of their own. */
function step(within: ("plain" | "tick" | "single" | "double")[], sign: string, before: string | undefined): void {
  const state = within.at(-1);
  const closes = { "'": "single", '"': "double", "`": "tick", ")": "plain" }[sign];
  if (closes === state && within.length > 1) within.pop();
  else if (state === "single") return;
  else if (sign === '"') within.push("double");
  else if (sign === "`") within.push("tick");
  else if (sign === "'" && state !== "double") within.push("single");
  else if (sign === "(" && (state !== "double" || before === "$")) within.push("plain");
}
