import { shown } from "@guards/shell";
import type { Rule, Rules } from "../rule.ts";

/**
 * Calls that delete what is kept in clouds, clusters and volumes: `words` must match operands in this order, `flag` some option.
 * Whatever only shows what it would do is let pass.
 */
type Cloud = { words: readonly RegExp[]; flag?: RegExp };

const DELETE = [/^(delete|destroy|remove|rm|purge|terminate)$/];
const KINDS =
  /^(all|namespaces?|ns|persistentvolume(claim)?s?|pvc?s?|nodes?|no|crds?|customresourcedefinitions?|statefulsets?|sts|deployments?|deploy|secrets?|configmaps?|cm|services?|svc|daemonsets?|ds|storageclass(es)?)([./,].*)?$/i;

const CLOUDS: Readonly<Record<string, readonly Cloud[]>> = {
  kubectl: [
    { words: [/^delete$/, KINDS] },
    { words: [/^delete$/], flag: /^--all(=true)?$/ },
    { words: [/^drain$/], flag: /^--delete-/ },
  ],
  helm: [{ words: [/^(uninstall|un|delete|del)$/] }],
  terraform: [
    { words: [/^destroy$/] },
    { words: [/^apply$/], flag: /^--?destroy$/ },
    { words: [/^(state|workspace)$/, /^(rm|delete)$/] },
  ],
  pulumi: [{ words: [/^(destroy|down)$/] }, { words: [/^stack$/, /^rm$/] }],
  cdk: [{ words: [/^destroy$/] }],
  serverless: [{ words: [/^remove$/] }],
  sam: [{ words: [/^delete$/] }],
  eksctl: [{ words: [/^delete$/] }],
  kops: [{ words: [/^delete$/], flag: /^--yes$/ }],
  vagrant: [{ words: [/^destroy$/] }],
  aws: [
    { words: [/^[\w-]+$/, /^(delete|terminate|purge|destroy|deregister|remove)-(?!message)/] },
    { words: [/^s3$/, /^rb$/] },
    { words: [/^s3$/, /^rm$/], flag: /^--recursive$/ },
  ],
  gcloud: [{ words: [/^(delete|destroy)$/] }, { words: [/^storage$/, /^rm$/], flag: /^(-r|-R|--recursive)$/ }],
  gsutil: [{ words: [/^rb$/] }, { words: [/^rm$/], flag: /^-\w*[rRa]/ }],
  bq: [{ words: [/^rm$/], flag: /^-\w*[rf]/ }],
  az: [{ words: [/^(delete|purge|delete-batch)$/] }],
  doctl: [{ words: DELETE }],
  hcloud: [{ words: DELETE }],
  scw: [{ words: DELETE }],
  oci: [{ words: DELETE }],
  ibmcloud: [{ words: [/delete|destroy|^rm$|-rm$/] }],
  "linode-cli": [{ words: [/delete|^rm$/] }],
  heroku: [{ words: [/^(apps|addons|pipelines):destroy$|^pg:reset$|^apps:delete$/] }],
  fly: [{ words: [/^(destroy|delete)$/] }],
  vercel: [{ words: [/^(remove|rm)$/] }],
  netlify: [{ words: [/^sites:delete$/] }],
  wrangler: [{ words: [/^delete$/] }],
  railway: [{ words: [/^(down|delete)$/] }],
  firebase: [{ words: [/:delete$|^(projects|database):remove$|^(firestore|functions|hosting):(delete|disable)$/] }],
  supabase: [{ words: [/^projects$/, /^delete$/] }],
  gh: [
    { words: [/^(repo|release|codespace|gist)$/, /^delete$/] },
    { words: [/^api$/], flag: /^(-XDELETE|--method=DELETE|DELETE)$/ },
  ],
  glab: [{ words: [/^(repo|project|release)$/, /^delete$/] }],
  npm: [{ words: [/^(unpublish)$/] }],
  docker: [
    { words: [/^compose$/, /^down$/], flag: /^(-v|--volumes)$/ },
    { words: [/^compose$/, /^rm$/], flag: /^-\w*v/ },
    { words: [/^volume$/, /^(rm|remove|prune)$/] },
    { words: [/^system$/, /^prune$/], flag: /^--volumes$/ },
    { words: [/^(swarm)$/, /^leave$/], flag: /^(-f|--force)$/ },
  ],
  "docker-compose": [
    { words: [/^down$/], flag: /^(-v|--volumes)$/ },
    { words: [/^rm$/], flag: /^-\w*v/ },
  ],
  rclone: [{ words: [/^(purge|delete|deletefile|rmdirs)$/] }],
  mc: [{ words: [/^rb$/] }, { words: [/^rm$/], flag: /^(-r|--recursive)$/ }],
  s3cmd: [{ words: [/^rb$/] }, { words: [/^(del|rm)$/], flag: /^(-r|--recursive)$/ }],
  restic: [{ words: [/^forget$/], flag: /^--prune$/ }],
  borg: [{ words: [/^delete$/] }],
  virsh: [{ words: [/^(undefine|vol-delete|pool-delete)$/] }],
  lxc: [{ words: [/^delete$/] }],
  multipass: [{ words: [/^(delete|purge)$/] }],
  VBoxManage: [{ words: [/^unregistervm$/], flag: /^--delete/ }],
  rabbitmqctl: [{ words: [/^(reset|force_reset|delete_vhost|purge_queue)$/] }],
  "kafka-topics.sh": [{ words: [], flag: /^--delete$/ }],
  prisma: [{ words: [/^migrate$/, /^reset$/] }, { words: [/^db$/, /^push$/], flag: /^--force-reset$/ }],
  rails: [{ words: [/^db:(drop|reset|purge|truncate_all)\b/] }],
  artisan: [{ words: [/^(migrate:(fresh|reset|refresh)|db:wipe)$/] }],
  php: [{ words: [/artisan$/, /^(migrate:(fresh|reset|refresh)|db:wipe)$/] }],
  "manage.py": [{ words: [/^(flush|reset_db|sqlflush)$/] }],
  python: [{ words: [/manage\.py$/, /^(flush|reset_db)$/] }],
  sequelize: [{ words: [/^db:drop$|^db:migrate:undo:all$/] }],
  typeorm: [{ words: [/^schema:drop$/] }],
  alembic: [{ words: [/^downgrade$/, /^base$/] }],
  mix: [{ words: [/^ecto\.(drop|reset)$/] }],
};

const SAME: Readonly<Record<string, string>> = {
  oc: "kubectl",
  tofu: "terraform",
  terragrunt: "terraform",
  sls: "serverless",
  flyctl: "fly",
  podman: "docker",
  nerdctl: "docker",
  "podman-compose": "docker-compose",
  rake: "rails",
  python3: "python",
  "sequelize-cli": "sequelize",
  "kafka-topics": "kafka-topics.sh",
};

/** Options that make a call show what it would do, or print its help. */
const HARMLESS = /^--?(dry-?run(=(client|server|true|all))?|dryrun|help|preview)$|^-h$/;

export const clouds: Rules = Object.fromEntries(
  [...Object.keys(CLOUDS), ...Object.keys(SAME)].map((name): [string, Rule] => [name, inCloud]),
);

function inCloud({ name, args }: Parameters<Rule>[0]): string | undefined {
  if (args.some((arg) => HARMLESS.test(arg))) return undefined;
  const rules = CLOUDS[SAME[name] ?? name] ?? [];
  const found = rules.find(
    (rule) => inOrder(rule.words, args) && (rule.flag === undefined || args.some((arg) => rule.flag?.test(arg))),
  );
  return found === undefined
    ? undefined
    : `${name} would delete what can't be made again: ${shown(args.filter((arg) => !arg.startsWith("-")).join(" ")).slice(0, 120)}`;
}

function inOrder(words: readonly RegExp[], args: readonly string[]): boolean {
  let at = 0;
  for (const arg of args) if (at < words.length && !arg.startsWith("-") && words[at]?.test(arg)) at++;
  return at === words.length;
}
