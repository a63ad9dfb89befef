/** Events of the design that the engine does not serve yet, so that the door can tell them from a spelling mistake. */
export const LATER_EVENTS: readonly string[] =
  `SessionStart UserPromptSubmit PermissionRequest PostToolUseFailure PostToolBatch PreCompact PostCompact Stop SubagentStart
   SubagentStop Notification StopFailure PermissionDenied InstructionsLoaded Interrupt Setup UserPromptExpansion PreModelSwitch
   PostModelSwitch TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange CwdChanged FileChanged
   DirectoryAdded WorktreeCreate WorktreeRemove MessageDisplay PreSkillShellCommand BeforeAgent AfterAgent BeforeModel AfterModel
   BeforeToolSelection PreCompress SessionDelete TodoCreated TodoCompleted PreModelRequest PostModelRequest memory.save
   turn.completed turn.failed cron.fired cron.failed message.silent chat.created chat.compacted chat.reaped memory.saved
   memory.forgotten module.attached module.detached mcp.server_down mcp.server_up broken.set broken.cleared spend.day
   person.created`.split(/\s+/);
