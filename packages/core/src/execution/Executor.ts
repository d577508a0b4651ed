/**
 * Carries a payment through its attempts, and is the one door through which evidence changes a payment.
 *
 * It belongs to the engine and not to the request: from commit 1 on it runs in the engine's scope, so that a client
 * that hangs up, or an answer given at ten seconds, never interrupts a send. Every decision is taken by pure functions
 * (`decide`, `transition`); this file does what they say, in two commits per attempt.
 */
import { Clock, Context, Effect, Exit, Layer, Schedule, Scope } from "effect"
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
      : Effect.asVoid(Effect.forkIn(supervised(record, operation, admission), scope, { startImmediately: true }))
  }

  /** Whatever ends a drive, nobody waits for it any more: the row in `sending` is found by the reconciler. */
  const supervised = (record: PaymentRecord, operation: Operation, admission: Admission) =>
    Effect.onExit(drive(record, operation, admission), (exit) =>
      Effect.andThen(
        Exit.isFailure(exit)
          ? Effect.logError(`Payment ${record.payment.id} was left in flight`, exit.cause)
          : Effect.void,
        Effect.sync(() => live.finish(record.payment.id, { record, body: null }))
      )
    )

  /** One attempt after the other, until the payment is decided or held open. */
  const drive = Effect.fnUntraced(function* (begun: PaymentRecord, first: Operation, place: Admission) {
    let record = begun
    let operation = first
    let admission = place
    while (true) {
      const sent = yield* Effect.ensuring(sender.send(record, operation, admission), admission.release)
      const { decision, reply } = sent
      const evidence: Evidence = {
        source: "reply",
        about: { operation: operation.id },
        claim: reply.claim,
        reference: reply.reference ?? sent.operation.reference,
        vendorCode: reply.vendorCode,
        eventId: null,
        occurredAt: null
      }
      const concluded = yield* concludeReply(record, sent.operation, evidence, decision)
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
  const concludeReply = (record: PaymentRecord, operation: Operation, evidence: Evidence, decision: Concluding) =>
    concludeLatest(record, operation, evidence, () => decision).pipe(
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
    decisionOn: (record: PaymentRecord, operation: Operation) => Concluding
  ) {
    let record = known
    let operation = subject
    while (true) {
      const concluded = yield* conclude(record, operation, evidence, decisionOn(record, operation))
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
    const binding = next === null ? (live.get(record.payment.id)?.binding ?? null) : null
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
    const declared = registry.get(operation.provider)?.declared(operation.kind)
    if (declared === undefined || !declared.canInquire) return now + timings.holdBeforeReview
    const delay = nextInquiryDelay(record.payment.method.rail, declared.costlyInquiry, operation.checks)
    return delay === null ? null : now + delay
  }

  const advance = Effect.fnUntraced(function* (evidence: Evidence) {
    const found = yield* "operation" in evidence.about
      ? store.findByOperation(evidence.about.operation)
      : store.findByReference(evidence.about.provider, evidence.about.providerReference)
    const operation = found?.operations.find((candidate) => isAbout(candidate, evidence))
    if (found === null || operation === undefined) return { _tag: "Unmatched" } as const
    const now = yield* Clock.currentTimeMillis
    const concluded = yield* concludeLatest(found, operation, evidence, (record, latest) =>
      decideOnEvidence(record, latest, evidence, now)
    )
    if (concluded.next !== null) {
      live.start(found.payment.id, null)
      const { admission, operation } = concluded.next
      yield* Effect.forkIn(supervised(concluded.record, operation, admission), scope)
    }
    return { _tag: concluded.applied ? "Applied" : "Unchanged", record: concluded.record } as const
  })

  const decideOnEvidence = (
    record: PaymentRecord,
    operation: Operation,
    evidence: Evidence,
    now: number
  ): Concluding => {
    const situation = situationOf(evidence.claim)
    const declared = registry.get(operation.provider)?.declared(operation.kind)
    if (situation === null || declared === undefined) return { _tag: "Hold" }
    const facts = failoverFacts(record, operation, declared, routing.policy, {
      answerTo: "attempt",
      now,
      unsettled: operation.unsettled,
      mayResend: false
    })
    const decision = decide(situation, facts)
    return decision._tag === "Resend" ? { _tag: "Hold" } : decision
  }

  return Executor.of({ owner, start, advance })
})

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
