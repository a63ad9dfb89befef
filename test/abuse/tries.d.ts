/** The text of the probe, imported with { type: "text" }. */
declare const text: string;

// biome-ignore lint/style/noDefaultExport: a text import has no other name
export { text as default };
