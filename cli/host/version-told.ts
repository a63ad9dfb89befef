import { HOST_SETTINGS, type HostAdapter, type HostEvent, hostVersion, versionNotes } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import type { Decision } from "@hookpkg/spec";
import { attachments } from "./attached-record.ts";

type Where = {
  adapter: HostAdapter;
  event: HostEvent;
  env: Readonly<Record<string, string | undefined>>;
  home: Home;
};

/** At a session's start the person hears what passes in the version of the host that is at work, where it is known. */
export function withVersion(decision: Decision, { adapter, event, env, home }: Where): Decision {
  const settings = HOST_SETTINGS.find(({ host }) => host === adapter.name);
  if (event.event !== "SessionStart" || settings === undefined) return decision;
  const { weak } = versionNotes(settings.host, versionAtWork({ adapter, event, env, home }));
  return weak.length === 0 ? decision : { ...decision, person: [...decision.person, ...weak] };
}

/** What the event says of it, else what was last looked at: no decision hangs on it, and a project may set variables. */
function versionAtWork({ adapter, event, env, home }: Where): string | undefined {
  const said = adapter.version?.(event, env);
  const seen = attachments(home).find(({ host, version }) => host === adapter.name && version !== undefined);
  return (typeof said === "string" ? hostVersion(said) : undefined) ?? seen?.version;
}
