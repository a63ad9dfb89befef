/**
 * Who may import whom, by folder. A new arrow is a change to this table, made on purpose, and to ARCHITECTURE.md.
 * `packages/guards/*` stands for every guard.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "packages/fault": [],
  "packages/spec": ["packages/fault"],
  "packages/identity": ["packages/fault", "packages/spec"],
  "packages/archive": ["packages/fault", "packages/spec"],
  "packages/signing": ["packages/fault", "packages/spec"],
  "packages/log": ["packages/fault"],
  "packages/protocol": ["packages/fault", "packages/spec", "packages/signing", "packages/log"],
  "packages/hosts": ["packages/fault", "packages/spec"],
  "packages/sdk": ["packages/spec"],
  // A private library that reads shell: the guards bundle it, and the runtime's own guard reads with it, too. It is no hook package.
  "packages/guards/shell": [],
  "packages/guards/*": ["packages/sdk", "packages/guards/shell"],
  registry: [
    "packages/fault",
    "packages/spec",
    "packages/identity",
    "packages/archive",
    "packages/signing",
    "packages/log",
    "packages/protocol",
  ],
  runtime: [
    "packages/fault",
    "packages/spec",
    "packages/identity",
    "packages/archive",
    "packages/signing",
    "packages/hosts",
    "packages/sdk",
    "packages/guards/shell",
  ],
  cli: [
    "packages/fault",
    "packages/spec",
    "packages/identity",
    "packages/archive",
    "packages/signing",
    "packages/log",
    "packages/protocol",
    "packages/hosts",
    "packages/sdk",
    "runtime",
    "registry",
  ],
  test: ["*"],
  bench: ["*"],
};

/** Second faces, beside the index: what is started on every event must load nothing else. */
export const faces = ["@hookpkg/runtime/client"] as const;

/** Arrows that hold for a part of a workspace only: what is imported → the folder that may. */
export const narrowed = [
  { workspace: "runtime", imports: "packages/sdk", onlyIn: "runtime/run/" },
  { workspace: "runtime", imports: "packages/guards/shell", onlyIn: "runtime/builtin/" },
] as const;

/** Arrows that must be an `import()`, so that the command does not pay for loading what it seldom needs. */
export const lazy = [{ workspace: "cli", imports: "registry" }] as const;

/** Where a specifier may be computed: these load handlers, whose paths only the approved set knows. */
export const computes: readonly string[] = ["runtime/run/**", "packages/sdk/**"];
