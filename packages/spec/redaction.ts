/** Shorter values are words, not secrets: blotting them out would blot out the text. */
const MIN_SECRET_LENGTH = 8;

const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW|CREDENTIAL/i;

/**
 * Known formats, one row each, tried in this order. Every pattern is linear: it starts at a fixed text or at the border
 * of its own alphabet, so that no run of signs is read twice, and what repeats is one class.
 */
const FORMATS: readonly { kind: string; pattern: RegExp }[] = [
  // Also without its end and with \n written out: a key cut in half or inside JSON is still a key.
  {
    kind: "private-key",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\\\s:,.]|-(?!-))*(?:-----END[A-Z0-9 ]{0,60}-----)?/g,
  },
  { kind: "private-key", pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,60}/g },
  { kind: "url", pattern: /(?<=:\/\/)[^\s/?#@:"'<>\\]{0,256}:(?![$*{])[^\s/?#@"'<>\\]{1,512}(?=@)/g },
  { kind: "url", pattern: /(?<=:\/\/)[^\s/?#@:"'<>\\]{20,512}(?=@)/g },
  { kind: "jwt", pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g },
  { kind: "aws", pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { kind: "aws", pattern: /(?<=aws_secret_access_key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+]{40}/gi },
  { kind: "google", pattern: /AIza[A-Za-z0-9_-]{35}/g },
  { kind: "google", pattern: /ya29\.[A-Za-z0-9_-]{20,2048}/g },
  { kind: "google", pattern: /GOCSPX-[A-Za-z0-9_-]{28}/g },
  { kind: "azure", pattern: /(?<=AccountKey=)[A-Za-z0-9+/]{40,100}={0,2}/g },
  { kind: "azure", pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g },
  { kind: "databricks", pattern: /dapi[a-f0-9]{32}/g },
  { kind: "heroku", pattern: /HRKU-AA[A-Za-z0-9_-]{50,70}/g },
  { kind: "planetscale", pattern: /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}/g },
  { kind: "tailscale", pattern: /tskey-[a-z]{3,12}-[A-Za-z0-9-]{16,100}/g },
  { kind: "1password", pattern: /ops_eyJ[A-Za-z0-9_-]{100,2048}/g },
  { kind: "digitalocean", pattern: /do[oprt]_v1_[a-f0-9]{64}/g },
  { kind: "github", pattern: /gh[opusr]_[A-Za-z0-9]{36,255}/g },
  { kind: "github", pattern: /github_pat_[A-Za-z0-9_]{22,255}/g },
  { kind: "gitlab", pattern: /gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,255}/g },
  { kind: "bitbucket", pattern: /AT(?:BB|CTT3xFfGN0)[A-Za-z0-9_=-]{24,255}/g },
  { kind: "atlassian", pattern: /ATATT3xFfGF0[A-Za-z0-9_=-]{40,400}/g },
  { kind: "linear", pattern: /lin_api_[A-Za-z0-9]{32,64}/g },
  { kind: "postman", pattern: /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g },
  { kind: "npm", pattern: /npm_[A-Za-z0-9]{36}/g },
  { kind: "pypi", pattern: /pypi-AgE[A-Za-z0-9_-]{50,500}/g },
  { kind: "rubygems", pattern: /rubygems_[a-f0-9]{48}/g },
  { kind: "docker", pattern: /dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}/g },
  { kind: "slack", pattern: /xox[abdeoprs]-[A-Za-z0-9-]{10,255}/g },
  { kind: "slack", pattern: /xapp-\d-[A-Za-z0-9-]{10,255}/g },
  { kind: "slack", pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,120}/g },
  { kind: "discord", pattern: /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{15,21}\/[A-Za-z0-9_-]{40,100}/g },
  { kind: "telegram", pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}/g },
  { kind: "anthropic", pattern: /sk-ant-[A-Za-z0-9_-]{20,255}/g },
  { kind: "openai", pattern: /(?<![A-Za-z0-9_-])sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,255}/g },
  { kind: "stripe", pattern: /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}/g },
  { kind: "stripe", pattern: /whsec_[A-Za-z0-9+/=]{24,100}/g },
  { kind: "sendgrid", pattern: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g },
  { kind: "twilio", pattern: /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g },
  { kind: "huggingface", pattern: /hf_[A-Za-z0-9]{30,64}/g },
  { kind: "shopify", pattern: /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g },
  { kind: "vault", pattern: /hv[sbr]\.[A-Za-z0-9_-]{24,255}/g },
  { kind: "basic", pattern: /(?<=\bauthorization: basic )[A-Za-z0-9+/]{8,1024}={0,2}/gi },
  { kind: "bearer", pattern: /(?<=\bbearer )[A-Za-z0-9._~+/=-]{16,4096}/gi },
];

/** Text with secrets replaced by `«redacted:kind»`: known formats, and the given values wherever they stand. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const value of spelled(secrets)) clean = clean.replaceAll(value, "«redacted:secret»");
  for (const { kind, pattern } of FORMATS) clean = clean.replace(pattern, `«redacted:${kind}»`);
  return clean;
}

/** Values of an environment whose names say that they are secret. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAME.test(name) ? [value] : []));
}

/** The values as they stand in plain text, in JSON and line by line; the longest first, so that no rest is left. */
function spelled(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => [
    secret,
    secret.trim(),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
  ]);
  return [...new Set(all)].filter((value) => value.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length);
}
