import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { redact, secretValues } from "./redaction.ts";

/** Made-up secrets, put together here so that no scanner takes this file for a leak. */
const made = (prefix: string, length: number, rest = "a1B2c3D4e5") =>
  prefix + rest.repeat(Math.ceil(length / rest.length)).slice(0, length);
const upper = "A1B2C3D4E5";
const hex = "a1b2c3d4e5";

const KINDS: [string, string][] = [
  ["aws", made("AKIA", 16, upper)],
  ["aws", made("ASIA", 16, upper)],
  ["google", made("AIza", 35)],
  ["google", made("ya29.", 60)],
  ["digitalocean", made("dop_v1_", 64, hex)],
  ["github", made("ghp_", 36)],
  ["github", made("github_pat_", 60)],
  ["gitlab", made("glpat-", 20)],
  ["npm", made("npm_", 36)],
  ["pypi", made("pypi-AgE", 90)],
  ["slack", made("xoxb-", 40)],
  ["slack", made("xapp-1-", 40)],
  ["telegram", made("1234567890:AA", 33)],
  ["anthropic", made("sk-ant-", 40)],
  ["openai", made("sk-proj-", 40)],
  ["openai", made("sk-", 40)],
  ["stripe", made("sk_live_", 24)],
  ["sendgrid", `${made("SG.", 22)}.${made("", 43)}`],
  ["huggingface", made("hf_", 34)],
  ["jwt", `${made("eyJ", 20)}.${made("eyJ", 30)}.${made("", 43)}`],
  ["vault", made("hvs.", 30)],
  ["azure", `${made("", 3)}8Q~${made("", 34)}`],
  ["databricks", made("dapi", 32, hex)],
  ["planetscale", made("pscale_tkn_", 43)],
  ["tailscale", made("tskey-auth-", 40)],
  ["atlassian", made("ATATT3xFfGF0", 100)],
  ["linear", made("lin_api_", 40)],
  ["heroku", made("HRKU-AA", 58)],
  ["1password", made("ops_eyJ", 200)],
];

describe("formats", () => {
  test.each(KINDS)("%s %#", (kind, secret) => {
    expect(redact(`x="${secret}" y`)).toBe(`x="«redacted:${kind}»" y`);
    expect(redact(secret)).toBe(`«redacted:${kind}»`);
  });

  test("what only looks alike stays", () => {
    const plain =
      "task-list sk-short AKIA npm_run ghp_ eyJ.eyJ. https://example.com/a@b git@github.com:a/b ssh://git@github.com/a p://u:$PW@h p://u:{P}@h";
    expect(redact(plain)).toBe(plain);
  });

  test("a user's part of a URL", () => {
    expect(redact("postgres://admin:hunter2@db.internal:5432/app")).toBe(
      "postgres://«redacted:url»@db.internal:5432/app",
    );
    expect(redact(`https://${made("", 30)}@github.com/a`)).toBe("https://«redacted:url»@github.com/a");
  });

  test("names stay, values go", () => {
    expect(redact(`aws_secret_access_key = "${made("", 40)}"`)).toBe('aws_secret_access_key = "«redacted:aws»"');
    expect(redact("Authorization: Basic dXNlcjpwYXNzd29yZA==")).toBe("Authorization: Basic «redacted:basic»");
    expect(redact(`https://api.telegram.org/bot${made("1234567890:AA", 33)}/x`)).toBe(
      "https://api.telegram.org/bot«redacted:telegram»/x",
    );
    expect(redact(`Authorization: Bearer ${made("", 30)}`)).toBe("Authorization: Bearer «redacted:bearer»");
  });

  const body = `${made("", 64)}\n${made("", 64)}`;
  test.each([
    ["whole", `-----BEGIN RSA PRIVATE KEY-----\n${body}==\n-----END RSA PRIVATE KEY-----`, ""],
    [
      "with headers",
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n${body}\n-----END RSA PRIVATE KEY-----`,
      "",
    ],
    ["in JSON", `-----BEGIN PRIVATE KEY-----\\n${body.replace("\n", "\\n")}\\n-----END PRIVATE KEY-----\\n`, "\\n"],
    ["cut in half", `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}`, ""],
  ])("a private key %s", (_, key, rest) => {
    expect(redact(`before "${key}" after`)).toBe(`before "«redacted:private-key»${rest}" after`);
  });
});

describe("given values", () => {
  test("are replaced as they stand, in JSON and in a URL; the longest first", () => {
    const secret = 'pa"ss word/1';
    const text = `${secret} ${JSON.stringify(secret)} ${encodeURIComponent(secret)} pa"ss word/12`;
    expect(redact(text, [secret, `${secret}2`])).toBe(
      '«redacted:secret» "«redacted:secret»" «redacted:secret» «redacted:secret»',
    );
  });

  test("short ones are words", () => expect(redact("true 1 yes", ["1", "true", ""])).toBe("true 1 yes"));

  test("come from names that say so", () => {
    const env = {
      GH_TOKEN: "a",
      ApiKey: "b",
      DB_PASSWORD: "c",
      AWS_CREDENTIALS: "d",
      PATH: "e",
      MY_SECRET: "",
      KEY: undefined,
    };
    expect(secretValues(env)).toEqual(["a", "b", "c", "d"]);
  });

  test("never survive, whatever stands around them", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 8 }), fc.string(), (before, secret, after) => {
        fc.pre(!"«redacted:secret»".includes(secret) && secret.trim().length >= 8);
        return !redact(`${before} ${secret} ${after}`, [secret]).includes(secret) || `${before}${after}`.includes("«");
      }),
    );
  });
});

test("a text made to be slow is read in one go", () => {
  const size = 400_000;
  for (const unit of [
    "eyJ",
    "sk-",
    "a",
    "-----BEGIN PRIVATE KEY-----",
    "://",
    "://a:",
    "A",
    "-",
    "ghp_",
    "xoxb-",
    "bearer ",
    "://a@",
    "eyJaaaaaaaaa.",
    "glpat-",
  ])
    expect(redact(unit.repeat(Math.ceil(size / unit.length))).length).toBeGreaterThan(0);
});
