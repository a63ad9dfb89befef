export { type ChainEntry, type Chained, type RunCall, type RunHandler, runChain } from "./chain/chain.ts";
export { type Ordered, orderHandlers } from "./chain/order.ts";
export { selectFor, subjectsOf } from "./chain/select.ts";
export { type OwnProgram, ownProgram } from "./daemon/build.ts";
export {
  askDaemon,
  type DaemonEvent,
  type DaemonReply,
  startDaemon,
  tellDaemon,
  type Unreachable,
} from "./daemon/client.ts";
export { type Peer, peerOf } from "./daemon/peer.ts";
export { type Asked, type DaemonOptions, serveDaemon } from "./daemon/server.ts";
export { decide } from "./decision/decide.ts";
export { decideWithoutRuntime, type Plain } from "./decision/without-runtime.ts";
export { dispatch, dispatchTry } from "./dispatch.ts";
export { type HookChain, openChain } from "./embed/chain.ts";
export type { ChainEvent, ChainPayload } from "./embed/event.ts";
export type { ChainOptions } from "./embed/options.ts";
export type { Ask, Question } from "./embed/question.ts";
export { type EngineOptions, keepSandbox, openEngine, sandboxOf } from "./engine.ts";
export { approve, drop, startOver, type Wanted } from "./gate/approve.ts";
export { approveOrder } from "./gate/approve-order.ts";
export { type ApprovedSet, approvedSet, type SwitchedOff } from "./gate/approved-set.ts";
export { gate, keptFolders } from "./gate/gate.ts";
export { refuseInsideHost } from "./gate/inside-host.ts";
export { type Listed, listed } from "./gate/listing.ts";
export { type EffectiveOptions, effectiveOptions } from "./gate/options.ts";
export { refuseUnordered } from "./gate/order-of-lock.ts";
export { type OrderView, orderView, type Placed } from "./gate/order-view.ts";
export { type Place, type Proposal, type Proposals, readProposals } from "./gate/proposals.ts";
export { type OrderChange, orderChange } from "./gate/proposed-order.ts";
export type { Approved, Bypassed, Gated, GateProblem, Held, Runnable, Tier } from "./gate/runnable.ts";
export type { Note } from "./gate/signed-change.ts";
export { standing } from "./gate/standing.ts";
export { type ReadPackage, readLocalPackage, readStoredPackage } from "./gate/stored-package.ts";
export { type ChangeKind, type HandlerView, isWaiting, type TrustView, trustView } from "./gate/trust-view.ts";
export { disable, safeMode } from "./gate/way-out.ts";
export { type Found, type Whereabouts, whichProjects } from "./gate/which-project.ts";
export { type Home, homeFolders, makeFolder } from "./home.ts";
export { followJournal } from "./journal/follow.ts";
export { journal } from "./journal/journal.ts";
export { type JournalEntry, type JournalTail, journalEntries, journalTail, readJournal } from "./journal/reading.ts";
export { statistics } from "./journal/statistics.ts";
export { isLayer, type LayerSource } from "./layers/layer.ts";
export type { ModelClient, ModelReply, ModelRequest, ModelTool } from "./model/client.ts";
export { personModel } from "./model/person-model.ts";
export { modelSettings } from "./model/settings.ts";
export { emitted } from "./notice/emitted.ts";
export { type TellingPlace, tellNotice } from "./notice/tell-notice.ts";
export type { OnTrigger } from "./notice/trigger.ts";
export { ancestorsOf, hostProcess, type Outside, type ProcessMark, REAL_OUTSIDE } from "./outside.ts";
export { type Announced, decidedSince } from "./person/announce.ts";
export { type ApprovalsRead, readApprovals } from "./person/approvals.ts";
export { type ApproverKind, addApprover, readApprovers } from "./person/approvers.ts";
export { readClosed } from "./person/closed.ts";
export { readConfig, writeConfig } from "./person/config.ts";
export { withLock } from "./person/file-lock.ts";
export { readPolicy } from "./person/policy.ts";
export {
  type Project,
  projectAt,
  projectsAround,
  projectsOf,
  readProjects,
  registerProject,
  USER,
} from "./person/projects.ts";
export {
  lastEvents,
  liveSessions,
  newsOf,
  readSession,
  recordEvent,
  recordedHosts,
  sessionsAtWork,
} from "./person/sessions.ts";
export { readOwn, readState, removeState, writeState } from "./person/state-file.ts";
export { Prewarm } from "./prewarm.ts";
export { clearRecordings, isRecording, type Recording, readRecordings } from "./recording/recordings.ts";
export type { Engine, Request } from "./request.ts";
export { discardData } from "./run/discard-data.ts";
export { grantedPlace } from "./run/granted-place.ts";
export { rightFor, type Standing } from "./run/right-for.ts";
export { Workers } from "./run/workers.ts";
export { clearTexts } from "./spill/session-texts.ts";
export { worded } from "./spill/worded.ts";
export { WarmParts, within } from "./warm-parts.ts";
export { type HandlerRun, type RunEnd, type Watch, watched } from "./watch.ts";
