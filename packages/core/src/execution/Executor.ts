/**
 * Carries a payment through its attempts, and is the one door through which evidence changes a payment.
 *
 * It belongs to the engine and not to the request: from commit 1 on it runs in the engine's scope, so that a client
 * that hangs up, or an answer given at ten seconds, never interrupts a send. Every decision is taken by pure functions
 * (`decide`, `transition`); this file does what they say, in two commits per attempt.
 */
import { Cause, Clock, Context, Effect, Exit, Layer, Schedule, Scope } from "effect"
import type { Attempt } from "../domain/Attempt.ts"
import type { Failure } from "../domain/Decline.ts"
import { Ids } from "../domain/Ids.ts"
import { nextInquiryDelay } from "../domain/InquirySchedule.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { transition } from "../domain/transition.ts"
import type { Evidence } from "../provider/Evidence.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { Admission } from "../resilience/ProviderGuard.ts"
import { Routing } from "../routing/Routing.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"
import { decide, situationOf } from "./Failover.ts"
import type { Decision } from "./Failover.ts"
import { failoverFacts } from "./failoverFacts.ts"
import { LivePayments } from "./LivePayments.ts"
import { newAttempt } from "./newAttempt.ts"
import { PaymentWriter } from "./PaymentWriter.ts"
import { unknownClaim } from "./Reply.ts"
import { Sender } from "./Sender.ts"
import type { Sent } from "./Sender.ts"
import { timings } from "./timings.ts"

/** What became of a piece of evidence. */
export type Advanced =
  | { readonly _tag: "Applied"; readonly record: PaymentRecord }
  | { readonly _tag: "Unchanged"; readonly record: PaymentRecord }
  /** It is about nothing we know (yet). */
  | { readonly _tag: "Unmatched" }

export class Executor extends Context.Service<
  Executor,
  {
    /** Names this engine as the owner of what it sends. */
    readonly owner: string
    /** Sends the first attempt of a payment that was just begun, in the engine's scope. */
    readonly start: (record: PaymentRecord, admission: Admission) => Effect.Effect<void>
    /** The one door. */
    readonly advance: (evidence: Evidence) => Effect.Effect<Advanced, StoreUnavailable>
  }
>()("@paymux/core/execution/Executor") {
  static readonly layer = Layer.effect(
    Executor,
    Effect.suspend(() => make)
  )
}

type Concluding = Exclude<Decision, { readonly _tag: "Resend" }>

interface Next {
  readonly attempt: Attempt
  readonly operation: Operation
  readonly admission: Admission
}

interface Concluded {
  readonly record: PaymentRecord
  readonly body: string | null
  readonly next: Next | null
  readonly applied: boolean
}

const make = Effect.gen(function* () {
  const store = yield* PaymentStore
  const writer = yield* PaymentWriter
  const registry = yield* ProviderRegistry
  const routing = yield* Routing
  const guard = yield* ProviderGuard
  const sender = yield* Sender
  const live = yield* LivePayments
  const ids = yield* Ids
  const scope = yield* Scope.Scope
  const owner = yield* ids.engine

  const start = (record: PaymentRecord, admission: Admission) => {
    const operation = record.operations[0]
    return operation === undefined
      ? Effect.die(new Error(`payment ${record.payment.id} was begun without an operation`))
      : launch(record, operation, admission)
  }

  /**
   * Drives in the engine's scope. However that ends, also before its first step when the engine is closing, the place is
   * given back and nobody waits any more: a row left in `sending` is found by the reconciler.
   */
  const launch = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation, admission: Admission) {
    const context = yield* Effect.context<never>()
    const fiber = yield* Effect.forkIn(drive(record, operation, admission), scope, { startImmediately: true })
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) return
      live.finish(record.payment.id, { record, body: null })
      const { id } = record.payment
      const left = Cause.hasInterruptsOnly(exit.cause)
        ? Effect.logInfo(`Payment ${id} is left in flight: it is settled after the next start`)
        : Effect.logError(`Payment ${id} is left in flight`, exit.cause)
      Effect.runForkWith(context)(Effect.andThen(admission.release, left))
    })
  })

  /** One attempt after the other, until the payment is decided or held open. */
  const drive = Effect.fnUntraced(function* (begun: PaymentRecord, first: Operation, place: Admission) {
    let record = begun
    let operation = first
    let admission = place
    while (true) {
      const sent = yield* Effect.ensuring(sender.send(record, operation, admission), admission.release)
      const { reply } = sent
      const evidence: Evidence = {
        source: "reply",
        about: { operation: operation.id },
        claim: reply.claim,
        reference: reply.reference ?? sent.operation.reference,
        vendorCode: reply.vendorCode,
        eventId: null,
        occurredAt: null
      }
      const concluded = yield* concludeReply(record, sent, evidence)
      registry.get(operation.provider)?.forget(operation.id)
      if (concluded.next === null) return live.finish(record.payment.id, concluded)
      ;({ admission, operation } = concluded.next)
      record = concluded.record
    }
  })

  /**
   * Commit 2, tried again while the database is away. If it stays away, the row stays in `sending`, as after a crash:
   * the reconciler finds it (row 17), and the caller is answered what is durable.
   */
  const concludeReply = (record: PaymentRecord, sent: Sent, evidence: Evidence) =>
    concludeLatest(record, sent.operation, evidence, (latest, operation) =>
      latest === record ? Effect.succeed(sent.decision) : decideOn(latest, operation, evidence, "send", sent.unsettled)
    ).pipe(
      Effect.retry(commitRetries),
      Effect.catch((error) =>
        Effect.as(Effect.logError("The outcome of a send could not be written", error), {
          record,
          body: null,
          next: null,
          applied: false
        } satisfies Concluded)
      )
    )

  /** Applies to the payment as it is now: a lost race is read again and judged again. */
  const concludeLatest = Effect.fnUntraced(function* (
    known: PaymentRecord,
    subject: Operation,
    evidence: Evidence,
    decisionOn: (record: PaymentRecord, operation: Operation) => Effect.Effect<Concluding>
  ) {
    let record = known
    let operation = subject
    while (true) {
      const concluded = yield* conclude(record, operation, evidence, yield* decisionOn(record, operation))
      if (concluded !== null) return concluded
      const reread = yield* store.get(record.payment.id)
      const again = reread?.operations.find((candidate) => candidate.id === subject.id)
      if (reread === null || again === undefined) return { record, body: null, next: null, applied: false }
      record = reread
      operation = again
    }
  })

  const conclude = Effect.fnUntraced(function* (
    record: PaymentRecord,
    operation: Operation,
    evidence: Evidence,
    decision: Concluding
  ) {
    const now = yield* Clock.currentTimeMillis
    const next = decision._tag === "FailOver" ? yield* admitNext(record, evidence, now) : null
    const release = next === null ? Effect.void : next.admission.release
    const change = transition(record, operation, judged(evidence, decision), {
      now,
      next,
      failure: failureOf(decision),
      nextCheckAt: nextCheckAt(record, operation, now)
    })
    if (change._tag === "Unchanged") {
      yield* release
      return { record, body: null, next: null, applied: false } satisfies Concluded
    }
    // Only the reply is the answer that the caller gets; bytes that evidence made would not be the ones it was given.
    const answers = next === null && evidence.source === "reply"
    const binding = answers ? (live.get(record.payment.id)?.binding ?? null) : null
    const written = yield* Effect.onError(
      writer.write(record, change, { cause: { evidence, operation }, binding }),
      () => release
    )
    if (written === null) {
      yield* release
      return null
    }
    return { ...written, next, applied: true } satisfies Concluded
  })

  /** The next candidate that admits, while policy and deadline allow one. */
  const admitNext = Effect.fnUntraced(function* (record: PaymentRecord, evidence: Evidence, now: number) {
    const { attempts, payment } = record
    const trigger = evidence.claim.kind === "declined" ? "soft_decline" : "not_executed"
    const allowed =
      routing.policy.on.includes(trigger) &&
      attempts.length < routing.policy.maxAttempts &&
      now <= payment.deadlineAt &&
      payment.state.status === "pending"
    if (!allowed) return null
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
      return { ...started, admission } satisfies Next
    }
    return null
  })

  const nextCheckAt = (record: PaymentRecord, operation: Operation, now: number): number | null => {
    const { canInquire, costlyInquiry } = registry.declared(operation.provider, operation.kind)
    if (!canInquire) return now + timings.holdBeforeReview
    const delay = nextInquiryDelay(record.payment.method.rail, costlyInquiry, operation.checks)
    return delay === null ? null : now + delay
  }

  /** Once it has begun it is carried through, also when the caller goes away: a commit may start the next attempt. */
  const advance = Effect.fnUntraced(function* (evidence: Evidence) {
    const found = yield* "operation" in evidence.about
      ? store.findByOperation(evidence.about.operation)
      : store.findByReference(evidence.about.provider, evidence.about.providerReference)
    const operation = found?.operations.find((candidate) => isAbout(candidate, evidence))
    if (found === null || operation === undefined) return { _tag: "Unmatched" } as const
    const concluded = yield* concludeLatest(found, operation, evidence, (record, latest) =>
      decideOn(record, latest, evidence, "attempt", latest.unsettled)
    )
    if (concluded.next !== null) {
      live.start(found.payment.id, null)
      yield* launch(concluded.record, concluded.next.operation, concluded.next.admission)
    }
    return { _tag: concluded.applied ? "Applied" : "Unchanged", record: concluded.record } as const
  }, Effect.uninterruptible)

  /** The table's word on evidence, where nothing can be sent again. */
  const decideOn = (
    record: PaymentRecord,
    operation: Operation,
    evidence: Evidence,
    answerTo: "send" | "attempt",
    unsettled: boolean
  ): Effect.Effect<Concluding> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const situation = situationOf(evidence.claim)
      if (situation === null) return hold
      const declared = registry.declared(operation.provider, operation.kind)
      const sends = { answerTo, now, unsettled, mayResend: false }
      const decision = decide(situation, failoverFacts(record, operation, declared, routing.policy, sends))
      return decision._tag === "Resend" ? hold : decision
    })

  return Executor.of({ owner, start, advance })
})

const hold: Concluding = { _tag: "Hold" }

const commitRetries = Schedule.exponential("50 millis").pipe(Schedule.upTo({ times: 6 }))

/** What does not close an attempt leaves it unknown, whatever was claimed. */
const judged = (evidence: Evidence, decision: Concluding): Evidence =>
  (decision._tag === "Inquire" || decision._tag === "Hold") && situationOf(evidence.claim) !== null
    ? { ...evidence, claim: unknownClaim(evidence.claim) }
    : evidence

const failureOf = (decision: Concluding): Failure | null => {
  switch (decision._tag) {
    case "Fail":
      return decision.failure
    case "FailOver":
      return decision.otherwise
    case "Accept":
    case "Await":
    case "Inquire":
    case "Hold":
      return null
  }
}

const isAbout = (operation: Operation, { about }: Evidence): boolean =>
  "operation" in about
    ? operation.id === about.operation
    : operation.provider === about.provider && operation.reference === about.providerReference
