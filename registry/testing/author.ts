import { type Files, type Packed, pack } from "@hookpkg/archive";
import { identitiesOf } from "@hookpkg/identity";
import { openRegistry, type Registry } from "@hookpkg/protocol";
import {
  claimScope,
  type Envelope,
  generateKey,
  PAYLOAD_TYPES,
  type PrivateKey,
  type ReleaseStatement,
  releaseStatement,
  sign,
} from "@hookpkg/signing";
import { parsePackage, parsePackageName, parseScope, parseVersion, type Scope } from "@hookpkg/spec";

/** For tests: somebody with a scope, its root key, and one key that may publish everything in it. */
export type Author = {
  readonly scope: Scope;
  readonly rootKey: PrivateKey;
  readonly key: PrivateKey;
  readonly claim: Envelope;
};

/** A package ready for upload, and the statement its envelope is over. */
export type Ready = { readonly packed: Packed; readonly release: ReleaseStatement; readonly envelope: Envelope };

export async function newAuthor(
  scopeText: string,
  packages = [`${scopeText}/*`],
  expires = "2099-01-01T00:00:00Z",
): Promise<Author> {
  const scope = parseScope(scopeText);
  const [rootKey, key] = [await generateKey(), await generateKey()];
  const claim = await claimScope(scope, rootKey, [{ key: key.public, packages, roles: ["publish"], expires }]);
  return { scope, rootKey, key, claim };
}

/** Packs and signs a small guard. `note` makes its bytes differ; `change` alters the statement before it is signed. */
export async function release(
  author: Author,
  version: string,
  options: { name?: string; note?: string; change?: Partial<ReleaseStatement>; key?: PrivateKey } = {},
): Promise<Ready> {
  const { name = "no-rm", note = "", change = {}, key = author.key } = options;
  const packed = pack(packageFiles(`${author.scope}/${name}`, version, note));
  const pkg = parsePackage(new Map(packed.files.map(({ path, bytes }) => [path, bytes])));
  const statement: ReleaseStatement = {
    name: parsePackageName(`${author.scope}/${name}`),
    version: parseVersion(version),
    tarSha256: packed.sha256,
    tarSha512: packed.sha512,
    treeSha256: packed.tree,
    handlers: identitiesOf(pkg, packed.files).map(({ id, identity }) => ({ id, identity })),
    previous: null,
    requires: { programs: [], events: [] },
    scopeSeq: 0,
    ...change,
  };
  return {
    packed,
    release: statement,
    envelope: await sign(PAYLOAD_TYPES.release, releaseStatement(statement), [key]),
  };
}

export function packageFiles(name: string, version: string, note = ""): Files {
  const files = {
    "hookpkg.json": JSON.stringify({ name, version, description: "Says no to rm." }),
    "hooks/hooks.json": JSON.stringify({
      hooks: {
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "module", module: "guard.ts", id: "no-rm", may: ["cancel"] }] },
        ],
      },
    }),
    "guard.ts": `export default () => undefined; // ${note}\n`,
  };
  return Object.entries(files).map(([path, text]) => ({
    path,
    executable: false,
    bytes: new TextEncoder().encode(text),
  }));
}

/** Claims the author's scope and publishes; answers what publishing answered. */
export async function publishAll(url: string, author: Author, ready: readonly Ready[]): Promise<Registry> {
  const registry = openRegistry(url);
  await registry.putScope(author.scope, 0, author.claim);
  for (const {
    packed,
    release: { name, version },
    envelope,
  } of ready) {
    await registry.putBlob(packed.tar);
    await registry.publish(name, version, envelope);
  }
  return registry;
}
