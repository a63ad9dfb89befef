import { eva } from "@hookpkg/hosts";
import type { ProcessMark } from "@hookpkg/runtime";
import { z } from "zod";
import { refuse } from "../faults.ts";
import manifest from "../package.json" with { type: "json" };
import type { Asking, Service } from "./conversation.ts";
import { type DeclaredStage, declaredStages } from "./declared.ts";
import { type CoreApi, coreApi } from "./eva-api.ts";
import { callTool, EVA_TOOLS } from "./eva-tools.ts";
import { parsed } from "./native-service.ts";
import type { Seat } from "./seat.ts";

const MIDDLEWARE = "dev.eva/middleware";
const API = "dev.eva/api";
const PROTOCOL = "2025-06-18";

const word = z.string().max(200);
const initialize = z.looseObject({
  protocolVersion: word.optional(),
  _meta: z.looseObject({ [API]: z.unknown().optional() }).optional(),
});
const handle = z.looseObject({ stage: word.min(1), payload: z.unknown().optional() });

const METHODS = ["tools/list", "tools/call", "middleware/handle"];

type Judging = Pick<Seat, "emit" | "folder" | "handlers" | "judge" | "without">;

/** A module of Eva's, as her core sees it: MCP with a handshake that declares stages, and one method. One for each connection. */
export class EvaService implements Service {
  readonly #seat: Judging;
  readonly #note: (line: string) => void;
  readonly #process: ProcessMark | undefined;
  readonly #session = `eva-${crypto.randomUUID()}`;
  /** The core's own API, for turns and completions. */
  #core: CoreApi | undefined;
  /** What this connection was told at its handshake; undefined before it. */
  declared: string | undefined;

  constructor(seat: Judging, { note, core }: { note: (line: string) => void; core: ProcessMark | undefined }) {
    this.#seat = seat;
    this.#note = note;
    this.#process = core;
  }

  async call(method: string, params: unknown, asking: Asking): Promise<object> {
    if (method === "initialize") return this.#initialize(parsed(initialize, params));
    if (method === "ping" || method === "logging/setLevel" || method.startsWith("notifications/")) return {};
    if (!METHODS.includes(method)) throw refuse("E_BRIDGE_METHOD", { found: method });
    if (this.declared === undefined) throw refuse("E_BRIDGE_INITIALIZE", { found: method });
    if (method === "tools/list") return { tools: EVA_TOOLS };
    if (method === "tools/call") return callTool(params, (notice) => this.#emit(notice));
    return this.#handle(parsed(handle, params), asking);
  }

  errorData(): object {
    return {}; // an error is a handler's fall to the core, which has been told what that means at each stage
  }

  async #initialize({ protocolVersion = PROTOCOL, _meta }: z.infer<typeof initialize>): Promise<object> {
    const api = coreApi(_meta?.[API]);
    this.#core = api !== undefined && "onTrigger" in api ? api : undefined;
    if (api !== undefined && "unusable" in api) this.#note(`the core's API is not used: only ${api.unusable}`);
    const stages = await stagesOf(this.#seat);
    this.declared = JSON.stringify(stages);
    return {
      protocolVersion,
      capabilities: { logging: {}, tools: {} },
      serverInfo: { name: manifest.name, version: manifest.version },
      _meta: { [MIDDLEWARE]: { stages } },
    };
  }

  #emit(notice: { name: string; data: unknown }): void {
    const place = { session: this.#session, cwd: this.#seat.folder, host: "eva", by: "eva event_emit" };
    this.#seat.emit(notice, place, this.#asking());
  }

  #asking(): { hostProcess?: ProcessMark; core?: CoreApi } {
    return {
      ...(this.#process === undefined ? {} : { hostProcess: this.#process }),
      ...(this.#core === undefined ? {} : { core: this.#core }),
    };
  }

  /** Never an error for what a payload holds: what cannot be judged is a cancel where a closed handler guards it, else continue. */
  async #handle({ stage, payload }: z.infer<typeof handle>, asking: Asking): Promise<object> {
    const { session_id, cwd } = placeIn(payload);
    const event = { hook_event_name: stage, session_id: session_id ?? this.#session, cwd: cwd ?? this.#seat.folder };
    const input = { ...event, payload };
    const { stdout, stderr } = await this.#seat
      .judge(eva, input, this.#asking())
      .catch((error: unknown) => this.#seat.without(eva, input, error));
    for (const line of stderr.split("\n").filter(Boolean)) {
      this.#note(line);
      asking.notify("notifications/message", { level: "warning", logger: manifest.name, data: line });
    }
    return stdout === "" ? { decision: "continue" } : JSON.parse(stdout);
  }
}

/** Where nothing can be read every call is asked about, and each gets the answer that the closed files give. */
export async function stagesOf(seat: Pick<Seat, "handlers">): Promise<DeclaredStage[]> {
  try {
    return declaredStages(await seat.handlers());
  } catch {
    return [{ stage: "tool.call", fail_closed: true }];
  }
}

/** The seed does not say how a payload names its session and folder: these fields are taken where they are there. */
const place = z.looseObject({
  session_id: z.string().min(1).max(200).optional().catch(undefined),
  cwd: z.string().max(4096).regex(/^\//).optional().catch(undefined),
});

function placeIn(payload: unknown): { session_id?: string | undefined; cwd?: string | undefined } {
  const read = place.safeParse(payload);
  return read.success ? { session_id: read.data.session_id, cwd: read.data.cwd } : {};
}
