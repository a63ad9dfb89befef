import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import {
  type Engine,
  type Gated,
  type Home,
  homeFolders,
  type ProcessMark,
  projectsAround,
  REAL_OUTSIDE,
  standing,
  WarmParts,
  type Watch,
  watched,
} from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { judgeEvent } from "../host/judge.ts";
import { replyWithoutEngine } from "../host/without-engine.ts";

/** What a bridge judges with, as long as it stays: one engine, warm workers, one project. */
export class Seat {
  readonly #home: Home;
  readonly #engine: Engine;
  readonly #parts: WarmParts;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    this.#home = homeFolders(call.home);
    this.#parts = new WarmParts(this.#home, process.execPath);
    this.#engine = this.#parts.engine({ env: call.env });
  }

  /** `--project`, else the folder where the bridge was started. */
  get folder(): string {
    return this.#call.project ?? this.#call.cwd;
  }

  /** The reply to one event in the adapter's words. What cannot be read is thrown. */
  judge(adapter: HostAdapter, event: object, asked: { watch?: Watch; hostProcess?: ProcessMark }): Promise<HostReply> {
    const { project } = this.#call;
    const from = { env: {}, pid: process.pid, spentMs: 0, ...(project === undefined ? {} : { project }) };
    const mark = asked.hostProcess === undefined ? {} : { hostProcess: asked.hostProcess };
    const engine = asked.watch === undefined ? this.#engine : watched(this.#engine, asked.watch);
    const { afterwards } = this.#parts;
    return judgeEvent(adapter, bytesOf(event), { from: { ...from, ...mark }, afterwards }, engine);
  }

  /** The reply where the event could not be judged: a refusal where a closed handler is on record for it. */
  without(adapter: HostAdapter, event: object, error: unknown): HostReply {
    const { home } = this.#call;
    const stuck = { adapter, input: bytesOf(event), folder: this.folder, ...(home === undefined ? {} : { home }) };
    return replyWithoutEngine(stuck, error);
  }

  /** Whoever would be asked in this project now. */
  handlers(): Promise<Gated[]> {
    return standing(this.#home, projectsAround(this.#home, this.folder), REAL_OUTSIDE);
  }

  close(): Promise<void> {
    return this.#parts.close();
  }
}

function bytesOf(event: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}
