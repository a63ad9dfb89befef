import { linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Hookpkg, put } from "./house.ts";
import { inNamespace } from "./namespace.ts";
import type { Stage } from "./stage.ts";

/**
 * A machine that a stage's hosts see in place of this one: with a password database in which the stage's home is the person's, and
 * with hookpkg where a test installs it and nowhere else, but for a false one that is first on the PATH.
 */
export type Machine = {
  /** Runs the program as somebody who names no home. */
  hookpkg: Hookpkg;
  /** To drive a host with. */
  seen: { mounts: Readonly<Record<string, string>>; env: Record<string, string> };
  /** Puts the program into a folder and says where it is. */
  install: (whose: "the machine's" | "the person's") => string;
  /** What the false hookpkg writes when it is run. */
  ran: string;
};

/** `home`: where the stage's home stands there, a folder that every machine has. */
export function openMachine({ home: folder, project }: Stage, program: string, home = folder): Machine {
  const base = dirname(folder);
  const at = (name: string) => join(base, name);
  // Whoever starts these namespaces is root in them.
  put(at("passwd"), `user:x:0:0::${home}:/bin/sh\n`);
  put(at("evil/hookpkg"), `#!/bin/sh\n: >'${at("evil/ran")}'\nexit 93\n`, 0o755);
  const places = { "the machine's": at("programs"), "the person's": join(folder, ".local/bin") };
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true });
  const mounts = {
    "/etc/passwd": at("passwd"),
    "/usr/local/bin": places["the machine's"],
    "/usr/bin/hookpkg": "/dev/null",
    ...(home === folder ? {} : { [home]: folder }),
  };
  return {
    seen: { mounts, env: { HOME: home, PATH: `${at("evil")}:/usr/bin:/bin` } },
    ran: at("evil/ran"),
    hookpkg: async (...words) => {
      const child = Bun.spawn(inNamespace({ socket: at("nobody"), mounts }, [program, ...words]), {
        ...{ cwd: project, env: { PATH: "/usr/bin:/bin", HOME: home } },
        stdio: ["pipe", "pipe", "pipe"],
      });
      const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { exit, stdout, stderr };
    },
    install: (whose) => {
      const place = join(places[whose], "hookpkg");
      linkSync(program, place);
      return place;
    },
  };
}
