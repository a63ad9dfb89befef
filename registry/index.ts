export { type Outside, type Report, STEPS, type Step } from "./outside.ts";
export { type ServeOptions, type Serving, serveRegistry } from "./serve.ts";
