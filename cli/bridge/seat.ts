import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import {
  type Engine,
  emitted,
  type Gated,
  type Home,
  homeFolders,
  type ProcessMark,
  projectsAround,
  REAL_OUTSIDE,
  readConfig,
  standing,
  type TellingPlace,
  tellNotice,
  WarmParts,
  type Watch,
  watched,
} from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { judgeEvent } from "../host/judge.ts";
import { replyWithoutEngine } from "../host/without-engine.ts";
import type { CoreApi } from "./eva-api.ts";

/** Who asks: a core is a process with an API. */
type Asking = { watch?: Watch; hostProcess?: ProcessMark; core?: CoreApi };

/** Notices that are being told at once. */
const MAX_TELLING = 64;

/** What a bridge judges with, as long as it stays: one engine, warm workers, one project. */
export class Seat {
  readonly #home: Home;
  readonly #parts: WarmParts;
  readonly #call: Call;
  #telling = 0;

  constructor(call: Call) {
    this.#call = call;
    this.#home = homeFolders(call.home);
    this.#parts = new WarmParts(this.#home, process.execPath);
  }

  /** `--project`, else the folder where the bridge was started. */
  get folder(): string {
    return this.#call.project ?? this.#call.cwd;
  }

  /** The reply to one event in the adapter's words. What cannot be read is thrown. */
  judge(adapter: HostAdapter, event: object, asked: Asking): Promise<HostReply> {
    const { project } = this.#call;
    const from = { env: {}, pid: process.pid, spentMs: 0, ...(project === undefined ? {} : { project }) };
    const mark = asked.hostProcess === undefined ? {} : { hostProcess: asked.hostProcess };
    const plain = this.#engine(asked.core);
    const engine = asked.watch === undefined ? plain : watched(plain, asked.watch);
    const { afterwards } = this.#parts;
    return judgeEvent(adapter, bytesOf(event), { from: { ...from, ...mark }, afterwards }, engine);
  }

  /** Taken at once, told to the project's handlers afterwards. E_EMIT_NAME, E_EMIT_DATA, E_EMIT_SIZE, E_BRIDGE_BUSY. */
  emit(notice: { name: string; data: unknown }, place: TellingPlace, { hostProcess, core }: Asking): void {
    const checked = emitted(notice.name, notice.data);
    if (this.#telling >= MAX_TELLING) throw refuse("E_BRIDGE_BUSY", { telling: this.#telling });
    const { project } = this.#call;
    const at = {
      ...{ ...place, stays: true },
      ...(project === undefined ? {} : { flag: project }),
      ...(hostProcess === undefined ? {} : { hostProcess }),
    };
    this.#telling++;
    this.#parts.afterwards.after(async () => {
      await tellNotice(checked, at, this.#engine(core)).finally(() => this.#telling--);
    });
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

  /** A core's own API begins turns, and completes for handlers of a person who has configured no model. */
  #engine(core: CoreApi | undefined): Engine {
    const { env } = this.#call;
    if (core === undefined) return this.#parts.engine({ env });
    const { onTrigger, model } = core;
    return this.#parts.engine({ env, onTrigger, ...(this.#hasModel() ? {} : { model }) });
  }

  #hasModel(): boolean {
    try {
      return readConfig(this.#home).model !== undefined;
    } catch {
      return true; // nobody knows: then whoever asks one is told why not
    }
  }

  close(): Promise<void> {
    return this.#parts.close();
  }
}

function bytesOf(event: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}
