import { type Step, serveRegistry } from "../index.ts";

// For tests: a server as its own process, which ends itself without warning at the n-th passing of a step.
const [dataDir = "", step = "", times = "1"] = Bun.argv.slice(2);
let left = Number(times);
const reached = (passed: Step) => {
  if (passed === step && --left === 0) process.kill(process.pid, "SIGKILL");
};
const { url } = await serveRegistry({ dataDir, outside: { reached } });
console.log(url);
