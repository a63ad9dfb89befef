/** The text of the probe, imported with { type: "text" }. */
declare const text: string;
export { text as default };
