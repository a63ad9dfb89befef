/** A refusal at both events before a tool, in both spellings: for whoever does not know which of them asks. */
export function denialOf(words: string, event = "PreToolUse"): object {
  const verdict = { permissionDecision: "deny", permissionDecisionReason: words };
  return {
    ...{ ...verdict, behavior: "deny", message: words, decision: "block", reason: words },
    hookSpecificOutput: { hookEventName: event, ...verdict, decision: denial(words) },
  };
}

export function denial(reason: string): { behavior: "deny"; message: string } {
  return { behavior: "deny", message: reason };
}
