/** What follows a change: the next candidate, money to be given back, and when somebody looks again. */
import { Effect } from "effect"
import type { Attempt } from "../domain/Attempt.ts"
import type { Ids } from "../domain/Ids.ts"
import type { CardRetrySettings } from "../domain/cardRetries.ts"
import { derived, replace } from "../domain/change.ts"
import type { Changed } from "../domain/change.ts"
import { isPlain } from "../domain/balance.ts"
import { createOf, openOperations } from "../domain/openOperations.ts"
import { nextInquiryDelay } from "../domain/InquirySchedule.ts"
import { lookedBack } from "../domain/lookedBack.ts"
import { isOpen } from "../domain/Operation.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { isMismatchUnconfirmed } from "../domain/reviews.ts"
import { dueReversals, isUnconfirmed } from "../domain/reversal.ts"
import type { Evidence } from "../provider/Evidence.ts"
import type { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { Admission, ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { Routing } from "../routing/Routing.ts"
import type { PaymentStore } from "../store/PaymentStore.ts"
import { refusalOfCard } from "./CardRetries.ts"
import { mayReplay } from "./idempotency.ts"
import { newAttempt, newOperation, planned } from "./newOperation.ts"
import { timings } from "./timings.ts"

export interface NextAttempt {
  readonly attempt: Attempt
  readonly operation: Operation
  readonly admission: Admission
}

interface Needs {
  readonly store: PaymentStore["Service"]
  readonly cardRetries: CardRetrySettings
  readonly registry: ProviderRegistry["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly routing: Routing["Service"]
  readonly ids: Ids["Service"]
  readonly owner: string
}

export const followUps = ({ cardRetries, guard, ids, owner, registry, routing, store }: Needs) => {
  /** Whether the card may be tried no more. Where nobody can say, it is not: a try too many has its price. */
  const isWornOut = (record: PaymentRecord, operation: Operation, { claim }: Evidence, now: number) => {
    const unwritten = claim.kind === "declined" ? [{ code: claim.code, isFinal: false, endedAt: now }] : []
    return refusalOfCard(store, cardRetries, record.payment, record.payment, unwritten).pipe(
      Effect.map((refusal) => refusal !== null),
      Effect.catch((away) =>
        Effect.as(
          Effect.logWarning(`Operation ${operation.id}: how often its card was declined could not be read`, away),
          true
        )
      )
    )
  }

  /** The next candidate that admits, while policy and deadline allow one. */
  const nextAttempt = Effect.fnUntraced(function* (
    record: PaymentRecord,
    operation: Operation,
    evidence: Evidence,
    now: number
  ) {
    const { attempts, payment } = record
    const trigger = evidence.claim.kind === "declined" ? "soft_decline" : "not_executed"
    const policy = routing.policyOf(payment.routing.ruleset)
    const allowed =
      policy.on.includes(trigger) &&
      attempts.length < policy.maxAttempts &&
      now <= payment.deadlineAt &&
      payment.state.status === "pending" &&
      // The merchant does not want it any more.
      openOperations(record, operation.attemptSeq, "cancel").length === 0
    if (!allowed) return null
    if (yield* isWornOut(record, operation, evidence, now)) return null
    const skipped: Array<string> = []
    for (const { provider } of payment.routing.candidates) {
      if (attempts.some((attempt) => attempt.provider === provider)) continue
      if (registry.serving(provider, payment.livemode) === null) continue
      const admission = yield* Effect.catch(guard.admit(provider, "create"), (refused) => {
        skipped.push(`${provider} ${refused.cause}`)
        return Effect.succeed(null)
      })
      if (admission === null) continue
      const started = yield* newAttempt(ids, {
        paymentId: payment.id,
        seq: attempts.length + 1,
        provider,
        reason: [`failover: ${trigger}`, ...skipped.map((each) => `skipped ${each}`)].join(", "),
        minorUnits: payment.amount.minorUnits,
        owner,
        now
      })
      return { ...started, admission } satisfies NextAttempt
    }
    return null
  })

  /**
   * The change with what follows from its books: money that nobody wants is given back once it is confirmed, and asked
   * about until then.
   */
  const followed = Effect.fnUntraced(function* (
    change: Changed,
    operation: Operation,
    { claim }: Evidence,
    now: number
  ) {
    // What was refused to a repeat may have been done by the first send.
    const isFinal = claim.kind !== "not_found" && !operation.unsettled
    const [first] = isFinal ? [] : registry.declared(operation.provider, operation.kind).lookBackMs
    let record = lookedBack(change.record, operation, now, first)
    if (isPlain(record)) return record === change.record ? change : { ...change, record }
    const { id, livemode } = record.payment
    for (const { attempt, kind, minorUnits } of dueReversals(record)) {
      const { provider, seq } = attempt
      if (registry.serving(provider, livemode)?.supports(kind) !== true) continue
      const asked = { paymentId: id, attemptSeq: seq, provider, kind, minorUnits, owner, now }
      const operation = planned(yield* newOperation(ids, { ...asked, purpose: "reversal" }))
      record = { ...record, operations: [...record.operations, operation] }
    }
    for (const attempt of record.attempts) {
      const create = createOf(record, attempt.seq)
      if (create === undefined || create.nextCheckAt !== null) continue
      if (!(isOpen(create) ? isMismatchUnconfirmed(record, attempt) : isUnconfirmed(record, attempt))) continue
      if (!registry.declared(attempt.provider, "create").canInquire) continue
      record = replace(record, { operations: [{ ...create, checks: 0, nextCheckAt: now }] })
    }
    return record === change.record ? change : { ...change, record: derived(record, now) }
  })

  /** When what stays open is looked at again, ms UTC; a payer may take longer than the schedule of inquiries. */
  const nextCheckAt = (
    record: PaymentRecord,
    operation: Operation,
    { claim }: Evidence,
    now: number
  ): number | null => {
    const { canInquire, costlyInquiry, idempotency } = registry.declared(operation.provider, operation.kind)
    // A hold lapses one day, and nobody may tell.
    if (claim.kind === "authorized") return canInquire ? now + timings.holdCheck : null
    // Under its key, the same request is an inquiry.
    const delay = nextInquiryDelay(record.payment.method.rail, costlyInquiry, operation.checks) ?? timings.longCheck
    const replays = claim.kind === "unknown" && mayReplay(idempotency, operation, record, now + delay)
    return now + (canInquire || replays ? delay : timings.holdBeforeReview)
  }

  /** What the engine wants done is sent again after 1, 2, 4 … minutes, for most of a day; then an operator is asked. */
  const retryAt = ({ checks }: Operation, now: number): number | null =>
    checks < 10 ? now + timings.retryPlanned * 2 ** checks : null

  return { nextAttempt, followed, nextCheckAt, retryAt }
}
