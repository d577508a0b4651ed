/**
 * Bugs in the source of the engine and of the in-memory store that the simulation must notice, each as one replacement of text:
 * `from` must stand in the file exactly once, so that a bug that no longer fits is noticed, too.
 */
import type { FaultProfile } from "@paymux/test-suites/simulation"

export interface SourceBug {
  readonly name: string
  /** Below `packages`. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** In which the engine without the bug is clean. Default: `honest`. */
  readonly profile?: FaultProfile
  /** Noticed by this one when the bug was planted; where it no longer is, by another. */
  readonly firstSeed: number
}

export const sourceBugs: ReadonlyArray<SourceBug> = [
  {
    name: "sends the whole amount with each capture",
    firstSeed: 1,
    file: "core/src/execution/send/providerOperation.ts",
    from: "amount: { minorUnits: operation.minorUnits, currency },",
    to: 'amount: { minorUnits: operation.kind === "capture" ? payment.amount.minorUnits : operation.minorUnits, currency },'
  },
  {
    name: "ignores how long a key lives",
    firstSeed: 29,
    file: "core/src/execution/conclude/Failover.ts",
    from: '(by === "header" || by === "body") && now - createdAt < lifetimeMs - timings.keyMargin',
    to: '(by === "header" || by === "body")'
  },
  {
    name: "drops a webhook that comes before the commit it is about",
    firstSeed: 8,
    file: "core/src/execution/recover/inbox/Inbox.ts",
    from: "return unmatched(services, entry, advanced.owner)",
    to: "return Effect.succeed(applied(entry))"
  },
  {
    name: "never reviews a refund whose inquiries are exhausted",
    firstSeed: 1,
    file: "core/src/execution/recover/checks.ts",
    from: "if (nextCheckAt === null && needsOperator(record, operation, result))",
    to: 'if (nextCheckAt === null && operation.kind !== "refund" && needsOperator(record, operation, result))'
  },
  {
    name: "closes a pending attempt by any inquiry that finds nothing",
    firstSeed: 1,
    file: "core/src/execution/conclude/Failover.ts",
    from: "return facts.notFoundIsFinal ? unavailable : uncertain(facts)",
    to: "return unavailable"
  },
  {
    name: "accepts any amount",
    firstSeed: 10,
    file: "core/src/domain/transition/reportedMoney.ts",
    from: 'if (Money.equals(reported, amount)) return "agrees"',
    to: 'if (Money.equals(reported, amount) || reported.minorUnits > 0) return "agrees"',
    profile: "transfers"
  },
  {
    name: "takes a second success for the payment's own",
    firstSeed: 14,
    file: "core/src/domain/transition/reportedMoney.ts",
    from: 'case "succeeded":\n    case "canceled":\n      return true',
    to: 'case "succeeded":\n      return false\n    case "canceled":\n      return true'
  },
  {
    name: "forgets a late success",
    firstSeed: 1,
    file: "core/src/domain/transition/transition.ts",
    from: "const books = appendEntries({ record, attempt, operation, evidence, step })",
    to: "if (isClosedWithoutMoney(attempt.status)) return outOfOrder\n  const books = appendEntries({ record, attempt, operation, evidence, step })"
  },
  {
    name: "lets a late hold stand",
    firstSeed: 7,
    file: "core/src/domain/books/reversal.ts",
    from: '!isClosedWithoutMoney(status) && !(status === "authorized" && isOverpayment)',
    to: "!isClosedWithoutMoney(status) || isOverpayment"
  },
  {
    name: "opens no review where money cannot be refunded",
    firstSeed: 12,
    file: "core/src/domain/books/reviews.ts",
    from: "...(excess > 0 ? [item(excessReason(record, attempt, place), excess)] : []),",
    to: ""
  },
  {
    name: "fails over after the provider has accepted",
    firstSeed: 1,
    // A wrong decision alone starts no attempt: the evidence has to close the one before.
    file: "core/src/resilience/Ended.ts",
    from: "return answered(...definite[ended._tag], ended)",
    to: 'return answered(...definite[ended._tag], ended._tag === "Pending" ? notExecuted({ reason: "not_sent" }) : ended)'
  },
  {
    name: "fails over on a server error",
    firstSeed: 1,
    file: "core/src/resilience/Ended.ts",
    from: 'return answered("unknown", isKnownRequest ? "ignored" : "failure", ended, (provider) =>',
    to: 'const proven = ended.reason === "server_error" ? notExecuted({ reason: "not_sent" }) : ended\n      return answered("unknown", isKnownRequest ? "ignored" : "failure", proven, (provider) =>'
  },
  {
    name: "takes a decline for final that is not",
    firstSeed: 2,
    file: "core/src/execution/conclude/Failover.ts",
    from: "const allowed = facts.declineIsFinal && !facts.actionShown",
    to: "const allowed = !facts.actionShown"
  },
  {
    name: "lets one definite answer speak for the sends before it",
    firstSeed: 3,
    file: "core/src/execution/conclude/Failover.ts",
    from: "if (!closes || !facts.unsettled || settles(ended, facts))",
    to: "if (!closes || facts.kind !== undefined || settles(ended, facts))"
  },
  {
    name: "never finds a send whose process died",
    firstSeed: 1,
    file: "core/src/execution/recover/reconcileOperation.ts",
    from: "const lost = yield* executor.advance(",
    to: "if (operation.reason === null) return yield* store.reschedule(operation, operation.checks, null)\n  const lost = yield* executor.advance("
  },
  {
    name: "writes over a payment that has changed meanwhile",
    firstSeed: 2,
    file: "testkit/src/memoryStore/MemoryStore.ts",
    from: "if (stored === undefined || !isSameVersion(stored, before))",
    to: "if (stored === undefined)"
  },
  {
    name: "answers a key anew each time",
    firstSeed: 1,
    file: "testkit/src/memoryStore/MemoryStore.ts",
    from: "if (kept.answer !== null) return kept.answer",
    to: "if (kept.answer === answer.body) return kept.answer"
  },
  {
    name: "binds no key to the payment that it begins",
    firstSeed: 1,
    file: "testkit/src/memoryStore/MemoryStore.ts",
    from: "if (binding !== null) tables.keys.set(keyOf(binding), { ...binding, answer: null })\n  tables.records.set(record.payment.id, record)",
    to: "tables.records.set(record.payment.id, record)"
  },
  {
    name: "loses an adapter's checkpoint",
    firstSeed: 2,
    file: "core/src/execution/send/Sender.ts",
    from: "const reference = running?.checkpointed(operation.id) ?? operation.reference",
    to: "const reference = operation.reference ?? running?.checkpointed(operation.id) ?? null\n  if (reference !== null) return { ...operation, reference: null }"
  },
  {
    name: "writes the same event twice",
    firstSeed: 3,
    file: "core/src/domain/transition/change.ts",
    from: 'record.payment.state.status === "pending" && !record.payment.pendingAnnounced',
    to: 'record.payment.state.status === "pending"'
  },
  {
    name: "reports no review that has ended",
    firstSeed: 3,
    file: "core/src/domain/books/events.ts",
    from: ".filter(({ id }) => !after.some((each) => each.id === id))",
    to: ".filter(({ id }) => id === reviewEvents.name)"
  },
  {
    name: "subtracts no refund that was made",
    firstSeed: 1,
    file: "core/src/domain/books/balance.ts",
    from: "? Math.min(minorUnits, refundedBy(entries, operation))",
    to: "? Math.min(0, refundedBy(entries, operation))"
  },
  {
    name: "captures the whole amount in its books",
    firstSeed: 1,
    file: "core/src/domain/books/balance.ts",
    from: "Math.min(record.payment.amount.minorUnits, chargesOf(record, paid)[0]?.wanted ?? 0)",
    to: "record.payment.amount.minorUnits"
  },
  {
    name: "gives up a payer's page without asking",
    firstSeed: 12,
    file: "core/src/domain/abandonment.ts",
    from: "return isOver || now >= attempt.startedAt + abandonedAfterMs",
    to: "return isOver || now >= attempt.startedAt"
  },
  {
    name: "counts a reversal that was declined as done",
    firstSeed: 12,
    file: "core/src/domain/books/balance.ts",
    from: "returning: sum(reversals.filter(isOpen), ",
    to: "returning: sum(reversals, "
  },
  {
    name: "takes two charges of one attempt for one",
    firstSeed: 1,
    file: "core/src/domain/books/balance.ts",
    from: 'basis === "total" && reference !== null ? reference : own',
    to: 'basis === "total" ? own : own',
    profile: "everything"
  },
  {
    name: "names the charge of the first attempt in each capture, cancel and refund",
    firstSeed: 2,
    file: "core/src/execution/send/providerOperation.ts",
    from: 'each.kind === "create" && each.attemptSeq === operation.attemptSeq',
    to: 'each.kind === "create"'
  }
]
