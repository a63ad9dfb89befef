import { ANY, firstOf, given, optionsOf, type Scene, shown } from "@guards/shell";
import { lossOf } from "../ground.ts";
import type { Rule, Rules } from "../rule.ts";
import { sqlLoss } from "../sql.ts";

/** Clients of databases and stores. */
export const data: Rules = {
  psql: sql,
  mysql: sql,
  mariadb: sql,
  sqlcmd: sql,
  duckdb: sql,
  cqlsh: sql,
  "clickhouse-client": sql,
  clickhouse: sql,
  sqlplus: sql,
  snowsql: sql,
  pgcli: sql,
  mycli: sql,
  bq: sql,
  sqlite3: sqlite,
  sqlite: sqlite,
  dropdb: ({ args }) =>
    args.includes("--help") ? undefined : `dropdb would delete the database ${shown(args.at(-1) ?? "")}`,
  dropuser: ({ args }) =>
    args.includes("--help") ? undefined : `dropuser would delete the role ${shown(args.at(-1) ?? "")}`,
  mysqladmin: ({ args }) =>
    args.includes("drop") ? `mysqladmin would delete the database ${shown(args.at(-1) ?? "")}` : undefined,
  "redis-cli": redis,
  "valkey-cli": redis,
  mongosh: mongo,
  mongo: mongo,
  etcdctl: ({ args }) =>
    args.includes("del") && args.some((arg) => /^--(prefix|from-key)/.test(arg))
      ? "etcdctl would delete every key with a prefix"
      : undefined,
};

function sql({ name, args, stdin }: Parameters<Rule>[0]): string | undefined {
  return firstOf([...args, stdin ?? ""], (text) => {
    // `--command=…` carries its text behind the sign.
    const lost = sqlLoss(
      /^--?\w[\w-]*=/.test(text) ? text.slice(text.indexOf("=") + 1) : text.replace(/^-[ce](?=\S)/, ""),
    );
    return lost === undefined ? undefined : `${name} would ${lost}`;
  });
}

function sqlite(call: Parameters<Rule>[0], scene: Scene): string | undefined {
  const options = optionsOf(call.args, { names: [] });
  const file = options.operands.find((operand) => !/^(cmd|init|separator)$/.test(operand)) ?? ":memory:";
  const isScratch = file === ":memory:" || file === "" || isTemporary(call, scene, file);
  return isScratch ? undefined : sql(call);
}

function isTemporary({ at, state }: Parameters<Rule>[0], scene: Scene, file: string): boolean {
  const path = at(file);
  return !path.startsWith(ANY) && !path.startsWith(`${scene.project}/`) && lossOf(scene, state, path) === undefined;
}

function redis({ name, args, stdin }: Parameters<Rule>[0]): string | undefined {
  const word = [...args, ...(stdin ?? "").split(/\s+/)].find((arg) => /^(flushall|flushdb)\b/i.test(arg));
  return word === undefined ? undefined : `${name} would delete every key (${word})`;
}

const MONGO = /\b(dropDatabase|dropCollection|drop|dropAllUsers)\s*\(|\b(deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)/;

function mongo({ name, args, stdin }: Parameters<Rule>[0]): string | undefined {
  const options = optionsOf(args, { names: ["eval", "host", "port", "username", "password"], letters: "up" });
  const text = `${given(options, "--eval") ?? ""}\n${stdin ?? ""}`;
  const found = MONGO.exec(text)?.[0];
  return found === undefined ? undefined : `${name} would delete whole collections (${found.replace(/\s*\($/, "")})`;
}
