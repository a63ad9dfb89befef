/** Facts of a problem, as one line says them. */
export function factWords(facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
