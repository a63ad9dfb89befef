import { expect, test } from "bun:test";
import { HOSTS } from "@hookpkg/hosts";
import { isSentAlways } from "./client.ts";

test.each(HOSTS.map((adapter) => [adapter.name, adapter] as const))(
  "what %s is told by its variables reaches the daemon with every event",
  (host, adapter) => {
    const asked = new Set(adapter.projectVariable === undefined ? [] : [adapter.projectVariable]);
    const raw = { hook_event_name: "PreToolUse" };
    const event = { host, hostEventName: "PreToolUse", raw, event: null, payload: null, subjects: [] } as const;
    for (const value of [undefined, "PreToolUse"]) {
      const noted = (_: object, name: string | symbol) => {
        asked.add(String(name));
        return value;
      };
      const env = new Proxy<Record<string, string | undefined>>({}, { get: noted });
      adapter.caller?.(raw, env);
      adapter.version?.(event, env);
    }
    expect([...asked].filter((name) => !isSentAlways(name))).toEqual([]);
  },
);
