import type { Identity } from "./digest.ts";
import type { Problem } from "./problem.ts";

/** What `new --from` made of somebody's hooks. `carried`: as each stood there, and as it stands here. */
export type Imported = {
  host: string;
  from: string;
  carried: readonly { id: string; from: string; to: string; notes: readonly string[] }[];
  lost: readonly { from: string; why: string }[];
  /** A proposal: each with what in the scripts asks for it. */
  rights: readonly { right: string; why: string }[];
  notes: readonly string[];
  /** What `validate` says of the result. */
  warnings: readonly Problem[];
};

/**
 * What became of one case. `asked`: the handlers that it reached, `by`: those whose answer or failure it is; `code`: why one of them gave
 * none; `reason`: the guard's own words, or what was wrong about them; `stderr`: what its handlers wrote there.
 */
export type CaseVerdict = {
  name: string;
  passed: boolean;
  want: string;
  got: string;
  asked?: readonly string[];
  by?: readonly string[];
  code?: string;
  reason?: string;
  stderr?: string;
};

/** `data` of the commands of who writes, signs and serves packages. */
export type AuthorData = {
  new: { folder: string; files: readonly string[]; imported?: Imported };
  /** `tsconfig`: whether one was written, too; an author's own stays. */
  sdk: { file: string; tsconfig: boolean };
  validate: { name: string; version: string; problems: readonly Problem[] };
  test: {
    passed: number;
    failed: number;
    /** With --trace: what the sandbox kept from the handlers, and the right that would give it. */
    refused?: readonly { call: string; target: string; error: string; right: string | null }[];
    cases: readonly CaseVerdict[];
  };
  pack: {
    name: string;
    version: string;
    file: string | null;
    bytes: number;
    integrity: string;
    tree: string;
    files: readonly string[];
    handlers: readonly { id: string; identity: Identity }[];
  };
  publish: { name: string; version: string; registry: string; integrity: string; index: number; already: boolean };
  keygen: { file: string; id: string; public: string; encrypted: boolean };
  "scope claim": { scope: string; registry: string; seq: number; keys: readonly string[] };
  "registry serve": { url: string; root: string };
};
