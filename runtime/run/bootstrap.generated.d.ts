/** The text of the worker's bootstrap, imported with { type: "text" }. */
declare const text: string;
export { text as default };
