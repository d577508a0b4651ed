/**
 * Where an engine can die, by name. Each lies at a port of the engine (the store, a provider, the HTTP answer), so that
 * the engine itself knows nothing of them: `crashingStore`, `crashingProvider` and the process put them around it.
 *
 * `before`: nothing was asked of the port yet. `after`, `replied`: it was done, and the engine has not learned of it.
 * `received`, `executed`: the provider has the request; it has done it, and its answer cannot be delivered.
 */
export const crashPoints = [
  // commit 1
  "begin.before",
  "begin.after",
  // the later commits, by what they say
  "advance.first_outcome.before",
  "advance.first_outcome.after",
  "advance.failover.before",
  "advance.failover.after",
  "advance.requested.before",
  "advance.requested.after",
  "advance.later_outcome.before",
  "advance.later_outcome.after",
  "advance.announced.before",
  "advance.announced.after",
  "advance.evidence.before",
  "advance.evidence.after",
  "advance.resumed.before",
  "advance.resumed.after",
  "advance.planned.before",
  "advance.planned.after",
  // the rest of the store
  "keep_answer.before",
  "keep_answer.after",
  "checkpoint.before",
  "checkpoint.after",
  "claim_due.after",
  "reschedule.before",
  "reschedule.after",
  "inbox.keep.before",
  "inbox.keep.after",
  "inbox.claim.after",
  "inbox.settle.before",
  "inbox.settle.after",
  // the provider
  "order.received",
  "create.before",
  "create.received",
  "create.executed",
  "create.replied",
  "inquire.before",
  "inquire.replied",
  "capture.before",
  "capture.received",
  "capture.executed",
  "capture.replied",
  "cancel.before",
  "cancel.received",
  "cancel.executed",
  "cancel.replied",
  "refund.before",
  "refund.received",
  "refund.executed",
  "refund.replied",
  // HTTP
  "answer.before",
  "answer.after",
  "later_answer.before",
  "later_answer.after",
  "webhook_answer.before",
  "webhook_answer.after"
] as const
export type CrashPoint = (typeof crashPoints)[number]

export const isCrashPoint = (text: string): text is CrashPoint => crashPoints.some((point) => point === text)
