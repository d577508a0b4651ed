/**
 * Selects the next provider after an attempt that took no money: the first one in the plan that admits the payment, if
 * policy and deadline allow another attempt.
 */
import { Effect, Result } from "effect"
import type { Attempt } from "../../domain/Attempt.ts"
import { Ids } from "../../domain/Ids.ts"
import { openOperations } from "../../domain/Payment.ts"
import type { Operation } from "../../domain/Operation.ts"
import { nextCreateOrigin } from "../../domain/origins.ts"
import type { Payment, PaymentRecord } from "../../domain/Payment.ts"
import { isHolding } from "../../domain/restoredMark.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { Admission } from "../../resilience/ProviderGuard.ts"
import type { FailoverPolicy } from "../../routing/FailoverPolicy.ts"
import { Router } from "../../routing/Router.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { RestoredMark } from "../../domain/restoredMark.ts"
import { CardRetries, refusalOfCard } from "../begin/CardRetries.ts"
import { newAttempt } from "../begin/newRecords.ts"
import { Restorations } from "../restore/Restorations.ts"
import { refusesSecond } from "../restore/sendSafety.ts"

export interface NextAttempt {
  readonly attempt: Attempt
  readonly operation: Operation
  readonly admission: Admission
}

export const nextAttemptServices = Effect.gen(function* () {
  return {
    store: yield* PaymentStore,
    cardRetries: yield* CardRetries,
    registry: yield* ProviderRegistry,
    guard: yield* ProviderGuard,
    router: yield* Router,
    ids: yield* Ids,
    restorations: yield* Restorations
  }
})

export interface NextAttemptServices extends Effect.Success<typeof nextAttemptServices> {
  /** The id of this engine process. */
  readonly owner: string
}

/** Creates the next attempt; `null` if no provider is left, or no further attempt is allowed. */
export const nextAttempt = Effect.fnUntraced(function* (
  services: NextAttemptServices,
  record: PaymentRecord,
  operation: Operation,
  evidence: Evidence,
  now: number
): Effect.fn.Return<NextAttempt | null> {
  const { guard, ids, owner, registry, router } = services
  const { attempts, payment } = record
  const trigger = evidence.outcome._tag === "Declined" ? "soft_decline" : "not_executed"
  if (!allows(router.policyOf(payment.routing), trigger, record, operation, now)) return null
  if (yield* isCardRefused(services, record, operation, evidence, now)) return null
  const mark = yield* markOf(services.restorations, payment, now)
  const skipped: Array<string> = []
  for (const { provider } of payment.routing.candidates) {
    const id = registry.currentId(provider)
    if (attempts.some((attempt) => registry.currentId(attempt.provider) === id)) continue
    const running = registry.serving(provider, payment.livemode)
    if (running === null || running.provider.retired === true) continue
    if (mark !== null && !isSafe(registry, provider, mark, now)) {
      skipped.push(`${provider} restoring`)
      continue
    }
    const admitted = yield* guard.admit(id, "create")
    if (Result.isFailure(admitted)) {
      skipped.push(`${provider} ${admitted.failure.cause}`)
      continue
    }
    const seq = attempts.length + 1
    const started = newAttempt(ids, {
      paymentId: payment.id,
      seq,
      provider,
      reason: [`failover: ${trigger}`, ...skipped.map((each) => `skipped ${each}`)].join(", "),
      minorUnits: payment.amount.minorUnits,
      owner,
      origin: nextCreateOrigin({ ids, firstId: registry.firstId }, record, operation.id, { provider, seq }),
      now
    })
    return { ...started, admission: admitted.success }
  }
  return null
})

/**
 * The restore marker, if the payment's next attempt may have been sent before a database restore; `null` if it was
 * certainly not sent.
 */
const markOf = ({ known, reread }: Restorations["Service"], { createdAt }: Payment, now: number) =>
  reread.pipe(
    Effect.catch(() => known),
    Effect.map(({ mark }) => (isHolding(mark, now) && createdAt < mark.markedAt ? mark : null)),
    // Ignores an unavailable store here, since the commit of the attempt will fail as well.
    Effect.orElseSucceed(() => null)
  )

const isSafe = (registry: ProviderRegistry["Service"], provider: string, mark: RestoredMark, now: number): boolean =>
  mark.acceptedDoubles.includes(provider) || refusesSecond(registry.declared(provider, "create"), mark, now)

const allows = (
  policy: FailoverPolicy,
  trigger: FailoverPolicy["on"][number],
  record: PaymentRecord,
  { attemptSeq }: Operation,
  now: number
): boolean =>
  policy.on.includes(trigger) &&
  record.attempts.length < policy.maxAttempts &&
  now <= record.payment.deadlineAt &&
  record.payment.state.status === "pending" &&
  // No next attempt follows if the merchant has requested a cancel.
  openOperations(record, attemptSeq, "cancel").length === 0

/** Whether the card has reached its retry limit. If its declines cannot be read, the limit is treated as reached. */
const isCardRefused = (
  { cardRetries, store }: NextAttemptServices,
  { payment }: PaymentRecord,
  operation: Operation,
  { outcome }: Evidence,
  now: number
) => {
  const unwritten = outcome._tag === "Declined" ? [{ code: outcome.code, isFinal: false, endedAt: now }] : []
  return refusalOfCard(store, cardRetries, payment, payment, unwritten).pipe(
    Effect.map((refusal) => refusal !== null),
    Effect.catch((unavailable) =>
      Effect.as(
        Effect.logWarning(
          `Operation ${operation.id}: the declines of its card could not be read; no other provider is tried`,
          unavailable
        ),
        true
      )
    )
  )
}
