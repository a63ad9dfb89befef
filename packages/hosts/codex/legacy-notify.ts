/**
 * `notify` of config.toml in Codex and its forks: an argv that is started at a turn's end, with the JSON `agent-turn-complete` as its last
 * argument and nothing on stdin. Handlers have the event on stdin: the script stands between the two.
 */
export const LEGACY_NOTIFY = {
  key: "notify",
  event: "turn.completed",
  program: "python3",
  file: "hooks/legacy-notify.py",
  script: `"""Starts the program of the arguments with a turn's end as its last argument, as \`notify\` of config.toml did.

The event comes on stdin; the program has no stdin, and nobody reads what it prints.
"""
import json
import os
import sys

event = json.load(sys.stdin)


def text(*names):
    return next((event[name] for name in names if isinstance(event.get(name), str)), "")


told = {
    "type": "agent-turn-complete",
    "thread-id": text("session_id"),
    "turn-id": text("turn_id", "turn"),
    "cwd": text("cwd"),
    "input-messages": [text("prompt")] if text("prompt") else [],
    "last-assistant-message": text("last_assistant_message", "message") or None,
}
nothing = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2):
    os.dup2(nothing, stream)
os.execvp(sys.argv[1], [*sys.argv[1:], json.dumps(told)])
`,
} as const;
