/** The first reason to cancel among what was found, or undefined. */
export function firstOf<T>(list: readonly T[], judge: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const reason = judge(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
