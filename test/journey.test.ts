import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Packed, pack, readFolder } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { hostNamed } from "@hookpkg/hosts";
import { identitiesOf } from "@hookpkg/identity";
import { verifyReceipt } from "@hookpkg/log";
import { openRegistry, type Registry } from "@hookpkg/protocol";
import { type Serving, serveRegistry } from "@hookpkg/registry";
import {
  addApprover,
  approve,
  approvedSet,
  dispatch,
  type Engine,
  gate,
  homeFolders,
  openEngine,
  orderHandlers,
  type Project,
  REAL_OUTSIDE,
  type Request,
  readJournal,
  registerProject,
  trustView,
} from "@hookpkg/runtime";
import {
  claimScope,
  type Envelope,
  generateKey,
  logLeaf,
  type PrivateKey,
  releaseSubject,
  signRelease,
} from "@hookpkg/signing";
import { type Decision, lockText, type Outcome, type Payload } from "@hookpkg/spec";
import {
  type BoundRegistry,
  type Fetched,
  fetchResolved,
  type Loaded,
  load,
  parseWish,
  place,
  proposedLock,
  resolve,
  type Verified,
  verify,
} from "hookpkg";

/**
 * One package, fifteen stations (ARCHITECTURE.md), each with what it gives and one thing it refuses. The parts are the real ones:
 * archive, keys, registry, log, store, approvals, sandbox. Tests run in order; each station takes what the one before gave.
 */
const NAME = "@acme/no-rm";
const GUARD = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) => (String(tool_input?.command).includes("rm -rf") ? cancel("no rm -rf") : next()));
`;

const changedCode = new TextEncoder().encode(`${GUARD} `);

let folder = "";
let serving: Serving;
let registry: Registry;
let bound: BoundRegistry;
let key: PrivateKey;
let project: Project;
let loaded: Loaded;
let packed: Packed;
let envelope: Envelope;
let fetched: Fetched;
let verified: Verified;

const home = () => homeFolders(join(folder, "home"));
const source = () => join(folder, "no-rm");
const root = () => join(folder, "project");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hookpkg-journey-"));
  for (const made of ["home", "project/.hookpkg", "no-rm/hooks"]) mkdirSync(join(folder, made), { recursive: true });
  const handler = { id: "no-rm", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
  writeFileSync(
    join(source(), "hookpkg.json"),
    JSON.stringify({ name: NAME, version: "1.0.0", description: "No rm -rf" }),
  );
  writeFileSync(
    join(source(), "hooks/hooks.json"),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [handler] }] } }),
  );
  writeFileSync(join(source(), "guard.ts"), GUARD);
  serving = await serveRegistry({ dataDir: join(folder, "registry") });
  registry = openRegistry(serving.url);
  const { digest, key: logKey } = await registry.root();
  bound = { client: registry, key: logKey, root: digest, checkpoint: null };
  const rootKey = await generateKey();
  key = await generateKey();
  const delegation = {
    key: key.public,
    packages: ["@acme/*"],
    roles: ["publish" as const],
    expires: "2090-01-01T00:00:00Z",
  };
  await registry.putScope("@acme", 0, await claimScope("@acme", rootKey, [delegation]));
});

afterAll(async () => {
  await serving.stop();
  await Bun.$`chmod -R u+w ${folder}`.quiet();
  rmSync(folder, { recursive: true, force: true });
});

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "accepted";
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
}

test("1 load: a folder becomes a manifest and ordered files; one with a link does not", async () => {
  loaded = await load(source());
  expect(loaded.files.map(({ path }) => path)).toEqual(["guard.ts", "hookpkg.json", "hooks/hooks.json"]);
  symlinkSync("/etc/passwd", join(source(), "link"));
  expect(await codeOf(() => load(source()))).toBe("E_FOLDER_LINK");
  rmSync(join(source(), "link"));
});

test("2 pack: the same bytes whatever the times and the order; two names that one disk holds as one are refused", async () => {
  packed = pack(loaded.files);
  chmodSync(join(source(), "guard.ts"), 0o600);
  expect(pack((await readFolder(source())).toReversed()).sha256).toBe(packed.sha256);
  const twin = { path: "Guard.ts", executable: false, bytes: new Uint8Array() };
  expect(await codeOf(() => pack([...loaded.files, twin]))).toBe("E_ARCHIVE_CASE_TWIN");
});

const release = (of: Packed, change: object = {}) => ({
  ...({ name: NAME, version: "1.0.0", tarSha256: of.sha256, tarSha512: of.sha512, treeSha256: of.tree } as const),
  ...{ handlers: loaded.identities.map(({ id, identity }) => ({ id, identity })), previous: null, scopeSeq: 0 },
  ...{ requires: { programs: [], events: [] }, ...change },
});

test("3 sign: a statement about these bytes; nothing is signed by nobody", async () => {
  envelope = await signRelease(release(packed), [key]);
  expect(envelope.signatures).toHaveLength(1);
  expect(await codeOf(() => signRelease(release(packed), []))).toBe("E_ENVELOPE_UNSIGNED");
});

test("4 upload: bytes, then papers; papers without bytes are refused", async () => {
  expect(await codeOf(() => registry.publish(NAME, "1.0.0", envelope))).toBe("E_REGISTRY_NO_BLOB");
  expect((await registry.putBlob(packed.tar)).sha256).toBe(packed.sha256);
});

test("5 check: the registry finds what the statement does not say truly", async () => {
  const lying = await signRelease(release(packed, { treeSha256: packed.sha256 }), [key]);
  expect(await codeOf(() => registry.publish(NAME, "1.0.0", lying))).toBe("E_REGISTRY_STATEMENT");
});

test("6 store: a version is what was published first, for ever", async () => {
  await registry.publish(NAME, "1.0.0", envelope);
  const files = loaded.files.map((file) => (file.path === "guard.ts" ? { ...file, bytes: changedCode } : file));
  const other = pack(files);
  await registry.putBlob(other.tar);
  const handlers = identitiesOf(loaded.spec, files).map(({ id, identity }) => ({ id, identity }));
  const statement = await signRelease(release(other, { handlers }), [key]);
  expect(await codeOf(() => registry.publish(NAME, "1.0.0", statement))).toBe("E_REGISTRY_CONFLICT");
  expect(await registry.blob(packed.sha256)).toEqual(new Uint8Array(packed.tar));
});

test("7 log: a receipt proves this statement, and no other", async () => {
  const { receipt } = await registry.version(NAME, "1.0.0");
  const statement = (await registry.metadata(NAME)).metadata?.versions[0]?.statement ?? "sha256:";
  const leaf = (version: string) => logLeaf("release", releaseSubject(NAME, version), statement as `sha256:${string}`);
  expect(verifyReceipt(receipt, leaf("1.0.0"), bound.key).size).toBe(2);
  expect(await codeOf(() => verifyReceipt(receipt, leaf("2.0.0"), bound.key))).toBe("E_LOG_INCLUSION");
});

test("8 resolve, fetch: one round trip and the bytes; what is not there is said", async () => {
  const wish = parseWish(`${NAME}@^1`, root(), root());
  const found = (await fetchResolved(bound, await resolve(bound, [wish]), [wish])).get(wish);
  if (!found) throw new Error("nothing was fetched");
  fetched = found;
  const missing = parseWish("@acme/missing", root(), root());
  expect(await codeOf(() => resolve(bound, [missing]))).toBe("E_REGISTRY_NOT_FOUND");
});

test("9 verify: signature, log, digests, tree and identities agree; one other byte does not", async () => {
  const known = { scopes: {}, locked: {} };
  verified = await verify(fetched, known);
  expect(verified.identities).toEqual(loaded.identities);
  if (fetched.from !== "registry") throw new Error("not from a registry");
  const tar = pack(loaded.files.map((file) => ({ ...file, executable: true }))).tar;
  expect(await codeOf(() => verify({ ...fetched, tar } as Fetched, known))).toBe("E_VERIFY_ARCHIVE"); // still a Fetched: only its bytes are others
});

test("10 place: in the store, and a proposal in the lock; never through a link, never unverified", async () => {
  // @ts-expect-error what was fetched is not verified, so it can't be placed: wrong order does not compile
  const unverified: Parameters<typeof place>[0] = fetched;
  expect(Object.is(unverified, verified)).toBe(false);
  const placed = await place(verified, home().store);
  writeFileSync(join(root(), ".hookpkg/lock.json"), lockText(proposedLock({ lock: 1, packages: {} }, [placed])));
  project = await registerProject(home(), root());
  expect((await trustView(home(), project, REAL_OUTSIDE)).handlers.map(({ state }) => state)).toEqual(["untrusted"]);
  symlinkSync(home().store, join(folder, "linked-store"));
  expect(await codeOf(() => place(verified, join(folder, "linked-store")))).toBe("E_STORE_LINK");
});

const gated = async () => gate(home(), (await approvedSet(home(), [project], REAL_OUTSIDE)).handlers);

test("11 gate: nothing before a person's consent; then exactly the approved bytes", async () => {
  expect(await gated()).toEqual([]);
  const approver = await generateKey();
  await addApprover(home(), { public: approver.public, kind: "person" });
  const [first] = loaded.identities;
  if (!first) throw new Error("no handler");
  const wanted = (identity: typeof first.identity) =>
    [{ handler: `${NAME}#no-rm`, identity, decided: "approved" as const }] as const;
  const how = {
    signer: approver,
    note: { how: "identity" as const, by: "tester", at: "2026-01-01T00:00:00Z" },
    outside: REAL_OUTSIDE,
  };
  expect(await codeOf(() => approve(home(), project, wanted(`hk1:${"A".repeat(43)}`), how))).toBe("E_APPROVE_UNKNOWN");
  await approve(home(), project, wanted(first.identity), how);
  expect((await gated()).map(({ kind, name }) => [kind, name])).toEqual([["runnable", `${NAME}#no-rm`]]);
});

test("12 chain: in order; a reference to nothing switches the chain off, never on", async () => {
  const { handlers } = await approvedSet(home(), [project], REAL_OUTSIDE);
  expect(orderHandlers(handlers).order.map(({ name }) => name)).toEqual([`${NAME}#no-rm`]);
  const dead = handlers.map((handler) => ({
    ...handler,
    normalForm: { ...handler.normalForm, after: ["@acme/gone"] },
  }));
  expect(orderHandlers(dead).order).toEqual([]);
  expect(orderHandlers(dead).off).toHaveLength(1);
});

const bash = (command: string): Payload => ({
  ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd: root() },
  ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: crypto.randomUUID() },
});
const request = (command: string): Request => ({ payload: bash(command), host: "codex", canAsk: false });
const engine = (change: Partial<Engine> = {}): Engine => ({
  ...openEngine({ home: home(), env: { API_TOKEN: "hunter2-hunter2" }, worker: process.execPath }),
  ...change,
});
const outcomes = ({ handlers }: Decision) => handlers.map(({ outcome, answer, why }) => answer ?? why ?? outcome);

test("13 run: the guard in its sandbox, answered; without a sandbox it is no answer at all", async () => {
  expect(outcomes(await dispatch(request("ls"), engine()))).toEqual(["continue"]);
  const broken = openEngine({ home: home(), env: {}, worker: "/nowhere/hookpkg" });
  const decision = await dispatch(request("ls"), engine({ run: broken.run }));
  expect([decision.decision, decision.handlers[0]?.outcome]).toEqual(["cancel", "held"]);
});

test("14 decide: a cancel is what the host obeys; a guard that fails and is closed refuses, too", async () => {
  const decision = await dispatch(request("rm -rf ~"), engine());
  expect([decision.decision, decision.reason]).toEqual(["cancel", `${NAME}#no-rm: no rm -rf`]);
  const event = hostNamed("codex")?.read({ ...bash("rm -rf ~"), model: "m", turn_id: "t", permission_mode: "default" });
  const reply = event && hostNamed("codex")?.write(event, decision);
  expect(JSON.parse(reply?.stdout ?? "{}").hookSpecificOutput.permissionDecision).toBe("deny");
  const crash: Outcome = { outcome: "failed", why: "E_RUN_CRASHED", ms: 1 };
  expect((await dispatch(request("ls"), engine({ run: () => async () => crash }))).decision).toBe("cancel");
});

test("15 journal: one line a considered handler; a secret is in none of them", async () => {
  await dispatch(request("rm -rf hunter2-hunter2"), engine());
  const lines = readJournal(home(), project.id, { limit: 100 });
  expect(lines.at(-1)).toMatchObject({
    host: "codex",
    tool: "Bash",
    handler: `${NAME}#no-rm`,
    answer: "cancel",
    told: "cancel",
  });
  const journal = JSON.stringify(lines);
  expect([journal.includes("no rm -rf"), journal.includes("hunter2")]).toEqual([true, false]);
});

test("one byte changed in the store behind everybody's back: held, and the action is refused", async () => {
  const file = join(home().store, verified.archive.tree.slice("sha256:".length), "guard.ts");
  chmodSync(file, 0o644);
  writeFileSync(file, `${readFileSync(file, "utf8")} `);
  const decision = await dispatch(request("ls"), engine());
  expect([decision.decision, decision.handlers[0]?.why]).toEqual(["cancel", "E_STORE_DIFFERS"]);
});
