import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "@hookpkg/archive";
import { identitiesOf } from "@hookpkg/identity";
import { openRegistry, type ResolveAnswer } from "@hookpkg/protocol";
import { serveRegistry } from "@hookpkg/registry";
import { claimScope, generateKey, type PrivateKey, type ReleaseStatement, signRelease } from "@hookpkg/signing";
import { type PackageName, parsePackage, parseVersion, type Scope } from "@hookpkg/spec";
import type { BoundRegistry } from "hookpkg";

/** Tests of the client only: a real registry with real keys, and a client whose answers somebody on the way can change. */
export type HostileRegistry = {
  registry: BoundRegistry;
  key: PrivateKey;
  publish(options: Partial<Release> & { code?: string; version?: string }): Promise<ReleaseStatement>;
  /** Changes what the client sees of `resolve` and of blobs from now on; undefined: the truth. */
  lie(how?: { answer?: (truth: ResolveAnswer) => ResolveAnswer; blob?: (truth: Uint8Array) => Uint8Array }): void;
  close(): Promise<void>;
};

type Release = ReleaseStatement & { signer: PrivateKey };

const SCOPE: Scope = "@acme";
const NAME: PackageName = "@acme/guard";

export async function openHostileRegistry(): Promise<HostileRegistry> {
  const dataDir = mkdtempSync(join(tmpdir(), "hookpkg-hostile-"));
  const serving = await serveRegistry({ dataDir });
  const honest = openRegistry(serving.url);
  const [root, key] = [await generateKey(), await generateKey()];
  const delegation = {
    key: key.public,
    packages: [`${SCOPE}/*`],
    roles: ["publish" as const],
    expires: "2090-01-01T00:00:00Z",
  };
  await honest.putScope(SCOPE, 0, await claimScope(SCOPE, root, [delegation]));
  let lies: Parameters<HostileRegistry["lie"]>[0] = {};
  const client: BoundRegistry["client"] = {
    ...honest,
    resolve: async (request) => lies?.answer?.(await honest.resolve(request)) ?? honest.resolve(request),
    blob: async (digest) =>
      lies?.blob?.(await honest.blob(digest).catch(() => new Uint8Array())) ?? honest.blob(digest),
  };
  const { digest, key: logKey } = await honest.root();
  return {
    registry: { client, key: logKey, root: digest, checkpoint: null },
    key,
    publish: async ({ code = "export default () => undefined;", version = "1.0.0", signer = key, ...said }) => {
      const packed = pack(guardFiles(version, code));
      const spec = parsePackage(new Map(packed.files.map(({ path, bytes }) => [path, bytes])));
      const release: ReleaseStatement = {
        name: NAME,
        version: parseVersion(version),
        tarSha256: packed.sha256,
        tarSha512: packed.sha512,
        treeSha256: packed.tree,
        handlers: identitiesOf(spec, packed.files).map(({ id, identity }) => ({ id, identity })),
        previous: null,
        requires: { programs: [], events: [] },
        scopeSeq: 0,
        ...said,
      };
      await honest.putBlob(packed.tar);
      await honest.publish(NAME, version, await signRelease(release, [signer]));
      return release;
    },
    lie: (how) => {
      lies = how ?? {};
    },
    close: async () => {
      await serving.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function guardFiles(version: string, code: string) {
  const text = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  const handler = { id: "g", type: "module", module: "./guard.js", failMode: "closed", may: ["cancel"] };
  return [
    { path: "hookpkg.json", executable: false, bytes: text({ name: NAME, version, description: "a guard" }) },
    {
      path: "hooks/hooks.json",
      executable: false,
      bytes: text({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [handler] }] } }),
    },
    { path: "guard.js", executable: false, bytes: text(code) },
  ];
}
