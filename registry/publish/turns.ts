/** Lets at most `max` pieces of work run at once; the others wait in the order in which they came. */
export function turns(max: number): { inTurn<T>(work: () => Promise<T>): Promise<T> } {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    inTurn: async (work) => {
      if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        // The place passes to the next one directly, so that nobody who comes now can take it first.
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
