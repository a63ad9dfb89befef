import type { Fault } from "@hookpkg/fault";
import type { Decision, EventName, Payload } from "@hookpkg/spec";

export type HostName =
  | "native"
  | "claude-code"
  | "codex"
  | "gemini-cli"
  | "qwen-code"
  | "copilot-cli"
  | "cursor"
  | "peri"
  | "astracode"
  | "opencode"
  | "cline"
  | "eva";

/** One event as its host sent it (`raw`) and as handlers read it (`payload`: canonical names, hook shapes, absolute paths). */
export type HostEvent = { host: HostName; hostEventName: string; raw: Readonly<Record<string, unknown>> } & (
  | {
      event: EventName;
      payload: Payload;
      /** What matchers are tried against: canonical tool and aliases, or the event's reason. */
      subjects: readonly string[];
      /** The tool's input has not the shape of its tool; `changes` of a patch is then null. Guards still see all of it. */
      fault?: Fault;
    }
  /** A real event that hookpkg doesn't serve: it passes. */
  | { event: null; payload: null; subjects: readonly [] }
);

/** What `run` gives back to the host, byte for byte. */
export type HostReply = { exit: number; stdout: string; stderr: string };

/** Everything that differs between hosts at the moment of an event. */
export type HostAdapter = {
  name: HostName;
  /** Environment variable in which the host names the project. */
  projectVariable?: string;
  /** Milliseconds for a decision where our entries have less than ten minutes. */
  ceilingMs?: number;
  /** What it puts before its model of one text whole; somewhat less than it says, for what it writes around ours. */
  takes?: { max: number; unit: "characters" | "bytes" };
  /** Environment variables that show that we were started inside it. */
  markers: readonly string[];
  /** Which other host it is that started an entry of this one: some read their neighbours' settings. */
  caller?(input: unknown, env: Readonly<Record<string, string | undefined>>): HostName | undefined;
  /** What an event, or what the host sets beside it, says of the host's version, as it is spelt there; most hosts say nothing. */
  version?(event: HostEvent, env: Readonly<Record<string, string | undefined>>): unknown;
  /** Text, bytes or the parsed object of one event. E_HOST_… when it can't be read. */
  read(input: unknown): HostEvent;
  /** The decision in the words that this host was seen to obey. */
  write(event: HostEvent, decision: Decision): HostReply;
  /** The strongest refusal when no decision could be made, maybe not even an event read. */
  refuse(event: { name?: string }, reason: string): HostReply;
};
