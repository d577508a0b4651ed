/**
 * Carries a payment through its attempts, and is the one door through which evidence changes a payment.
 *
 * It belongs to the engine and not to the request: from commit 1 on it runs in the engine's scope, so that a client
 * that hangs up, or an answer given at ten seconds, never interrupts a send. Every decision is taken by pure functions
 * (`decide`, `transition`); this file does what they say, in two commits per attempt.
 */
import { Cause, Context, Effect, Exit, Layer, Option, Schedule, Scope } from "effect"
import type { Failure } from "../domain/Decline.ts"
import { Ids } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { changed, replace } from "../domain/change.ts"
import type { LateSuccess } from "../domain/surplus.ts"
import type { Step } from "../domain/Step.ts"
import { transition } from "../domain/transition.ts"
import type { Evidence } from "../provider/Evidence.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import type { Admission } from "../resilience/ProviderGuard.ts"
import { Routing } from "../routing/Routing.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import { spanned } from "../telemetry/spans.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"
import { CardRetries } from "./CardRetries.ts"
import { decide, situationOf } from "./Failover.ts"
import type { Decision, Situation } from "./Failover.ts"
import { failoverFacts } from "./failoverFacts.ts"
import type { Sends } from "./failoverFacts.ts"
import { followUps } from "./followUps.ts"
import type { NextAttempt } from "./followUps.ts"
import { keepUnmatched } from "./keepUnmatched.ts"
import { liveId, LivePayments } from "./LivePayments.ts"
import { sendingFrom } from "./newOperation.ts"
import { operationAbout } from "./operationAbout.ts"
import { PaymentWriter } from "./PaymentWriter.ts"
import { conflictOf, withoutClaim } from "./referenceConflict.ts"
import { unknownClaim } from "./Reply.ts"
import { Sender } from "./Sender.ts"
import type { Sent } from "./Sender.ts"

/** What became of a piece of evidence. */
export type Advanced =
  | { readonly _tag: "Applied"; readonly record: PaymentRecord }
  | { readonly _tag: "Unchanged"; readonly record: PaymentRecord }
  /** It is about nothing we know: about an operation of ours whose row is gone (`isOurs`), or under a reference not known yet. */
  | { readonly _tag: "Unmatched"; readonly isOurs: boolean }

/** Who told it, and what it rests on. */
export interface Origin {
  /** A provider speaks for its own operations only. `null`: our own engine. */
  readonly provider: string | null
  /** See `EvidenceRow`. */
  readonly document: string | null
}

export class Executor extends Context.Service<
  Executor,
  {
    /** Names this engine as the owner of what it sends. */
    readonly owner: string
    /** Sends an operation that was just committed as `sending`, in the engine's scope. */
    readonly start: (record: PaymentRecord, operation: Operation, admission: Admission) => Effect.Effect<void>
    /** Takes up a planned operation and sends it. `false`: nobody admits it, or somebody else took it. */
    readonly takeUp: (record: PaymentRecord, operation: Operation) => Effect.Effect<boolean, StoreUnavailable>
    /** The one door. */
    readonly advance: (evidence: Evidence, origin?: Origin) => Effect.Effect<Advanced, StoreUnavailable>
  }
>()("@paymux/core/execution/Executor") {
  static readonly layer = (options: { readonly lateSuccess: LateSuccess }) =>
    Layer.effect(
      Executor,
      Effect.suspend(() => make(options.lateSuccess))
    )
}

type Concluding = Exclude<Decision, { readonly _tag: "Resend" }>

interface Concluded {
  readonly record: PaymentRecord
  readonly body: string | null
  readonly next: NextAttempt | null
  readonly applied: boolean
  /** The payment's row is gone: nothing could be written. */
  readonly isGone?: true
}

const make = Effect.fnUntraced(function* (lateSuccess: LateSuccess) {
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
  const follow = followUps({
    store,
    cardRetries: yield* CardRetries,
    registry,
    guard,
    routing,
    ids,
    owner
  })

  /** Made `sending` by compare-and-set first: of many engines one sends it. */
  const takeUp = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation) {
    const admission = yield* Effect.option(guard.admit(operation.provider, operation.kind))
    if (Option.isNone(admission)) return false
    const now = yield* store.now
    const sending: Operation = { ...operation, status: "sending", owner, ...sendingFrom(now) }
    const change = changed(replace(record, { operations: [sending] }), now, {}, null)
    const written = yield* writer
      .write(record, change, { cause: null, binding: null })
      .pipe(Effect.onError(() => admission.value.release))
    if (written === null || written === "reference_taken") {
      yield* admission.value.release
      return false
    }
    live.start(liveId(sending), null)
    yield* start(written.record, sending, admission.value)
    return true
  }, Effect.uninterruptible)

  /**
   * Drives in the engine's scope. However that ends, also before its first step when the engine is closing, the place is
   * given back and nobody waits any more: a row left in `sending` is found by the reconciler.
   */
  const start = Effect.fnUntraced(function* (record: PaymentRecord, operation: Operation, admission: Admission) {
    const context = yield* Effect.context<never>()
    const fiber = yield* Effect.forkIn(drive(record, operation, admission), scope, { startImmediately: true })
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) return
      live.finish(liveId(operation), { record, body: null })
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
      const concluded = yield* sendAndConclude(record, operation, admission)
      registry.get(operation.provider)?.forget(operation.id)
      if (concluded.next === null) return live.finish(liveId(operation), concluded)
      ;({ admission, operation } = concluded.next)
      record = concluded.record
    }
  })

  const sendAndConclude = (record: PaymentRecord, operation: Operation, admission: Admission) =>
    sender.send(record, operation, admission).pipe(
      Effect.ensuring(admission.release),
      Effect.flatMap((sent) => concludeReply(record, sent, evidenceOf(operation, sent))),
      spanned(operation.kind === "create" ? "paymux.attempt" : `paymux.${operation.kind}`, () => spanOf(operation))
    )

  /**
   * Commit 2, tried again while the database is away. If it stays away, the row stays in `sending`, as after a crash:
   * the reconciler finds it (row 17), and the caller is answered what is durable.
   */
  const concludeReply = (record: PaymentRecord, sent: Sent, evidence: Evidence) =>
    concludeLatest(record, sent.operation, evidence, null, (latest, operation) =>
      latest === record
        ? Effect.succeed(sent.decision)
        : // Where others have told of it meanwhile, what this send came to says nothing about them.
          judge(latest, operation, sent.reply.situation, {
            answerTo: "send",
            unsettled: sent.unsettled || operation.status !== "sending"
          })
    ).pipe(
      Effect.tap(({ isGone }) =>
        isGone === true
          ? keepUnmatched(store, evidence, { provider: sent.operation.provider, document: null })
          : Effect.void
      ),
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
    document: string | null,
    decisionOn: (record: PaymentRecord, operation: Operation) => Effect.Effect<Concluding>
  ): Effect.fn.Return<Concluded, StoreUnavailable> {
    let record = known
    let operation = subject
    while (true) {
      const concluded = yield* conclude(record, operation, { evidence, document }, yield* decisionOn(record, operation))
      if (concluded !== null) return concluded
      const reread = yield* store.get(record.payment.id)
      const again = reread?.operations.find((candidate) => candidate.id === subject.id)
      if (reread === null || again === undefined) {
        return { record, body: null, next: null, applied: false, isGone: true }
      }
      record = reread
      operation = subject.unsettled && !again.unsettled ? { ...again, unsettled: true } : again
    }
  })

  const conclude = Effect.fnUntraced(function* (
    record: PaymentRecord,
    operation: Operation,
    { document, evidence }: { readonly evidence: Evidence; readonly document: string | null },
    decision: Concluding
  ) {
    const now = yield* store.now
    const next = decision._tag === "FailOver" ? yield* follow.nextAttempt(record, operation, evidence, now) : null
    const release = next === null ? Effect.void : next.admission.release
    const told = judged(evidence, decision)
    const { canInquire, reports } = registry.declared(operation.provider, operation.kind)
    const { cancelIsFinal } = registry.declared(operation.provider, "create")
    const step: Step = {
      now,
      next,
      failure: failureOf(decision),
      nextCheckAt: follow.nextCheckAt(record, operation, told, now),
      retryAt: follow.retryAt(operation, now),
      lateSuccess,
      reports,
      canInquire,
      cancelIsFinal
    }
    const change = transition(record, operation, told, step)
    // Nobody is sent what is not written down.
    const isWritten = change._tag === "Changed" && change.record.operations.some(({ id }) => id === next?.operation.id)
    if (next !== null && !isWritten) yield* release
    if (change._tag === "Unchanged") {
      return { record, body: null, next: null, applied: false } satisfies Concluded
    }
    const followed = yield* follow.followed(change, operation, told, now)
    // Only the reply is the answer that the caller gets; bytes that evidence made would not be the ones it was given.
    const answers = next === null && evidence.source === "reply"
    const binding = answers ? (live.get(liveId(operation))?.binding ?? null) : null
    const cause = { evidence, operation, document }
    const written = yield* Effect.onError(writer.write(record, followed, { cause, binding }), () => release)
    if (written === "reference_taken") {
      yield* release
      const nextCheckAt = follow.nextCheckAt(record, operation, withoutClaim(evidence), now)
      const conflict = conflictOf(record, operation, evidence, { ...step, nextCheckAt })
      if (conflict === null) return { record, body: null, next: null, applied: false } satisfies Concluded
      const kept = yield* writer.write(record, conflict, { cause, binding })
      if (kept === "reference_taken") return yield* Effect.die(new Error("A change without a reference conflicts"))
      return kept === null ? null : ({ ...kept, next: null, applied: true } satisfies Concluded)
    }
    if (written === null) {
      yield* release
      return null
    }
    yield* tellSurplus(record, written.record, operation)
    return { ...written, next: isWritten ? next : null, applied: true } satisfies Concluded
  })

  /** Once it has begun it is carried through, also when the caller goes away: a commit may start the next attempt. */
  const advance = Effect.fnUntraced(function* (evidence: Evidence, { document, provider }: Origin = ourselves) {
    const found = yield* "operation" in evidence.about
      ? store.findByOperation(evidence.about.operation)
      : store.findByReference(evidence.about.provider, evidence.about.providerReference)
    const operation =
      found === null || isOfOtherMode(found, provider) ? undefined : operationAbout(found, evidence, provider)
    if (found === null || operation === undefined) {
      return { _tag: "Unmatched", isOurs: found === null && "operation" in evidence.about } as const
    }
    const concluded = yield* concludeLatest(found, operation, evidence, document, (record, latest) =>
      judge(record, latest, situationOf(evidence.claim), { answerTo: "attempt", unsettled: latest.unsettled })
    )
    if (concluded.next !== null) {
      live.start(found.payment.id, null)
      yield* start(concluded.record, concluded.next.operation, concluded.next.admission)
    }
    if (concluded.isGone === true) return { _tag: "Unmatched", isOurs: true } as const
    return { _tag: concluded.applied ? "Applied" : "Unchanged", record: concluded.record } as const
  }, Effect.uninterruptible)

  /** An instance whose credentials are those of the other mode now knows nothing of this payment. */
  const isOfOtherMode = ({ payment }: PaymentRecord, provider: string | null): boolean =>
    provider !== null && registry.get(provider) !== null && registry.serving(provider, payment.livemode) === null

  /** The table's word, where nothing can be sent again. `null`: the evidence is about what has no failover. */
  const judge = (
    record: PaymentRecord,
    operation: Operation,
    situation: Situation | null,
    sends: Pick<Sends, "answerTo" | "unsettled">
  ): Effect.Effect<Concluding> =>
    Effect.map(store.now, (now) => {
      if (situation === null) return hold
      const declared = registry.declared(operation.provider, operation.kind)
      const policy = routing.policyOf(record.payment.routing.ruleset)
      const facts = failoverFacts(record, operation, declared, policy, { ...sends, now, mayResend: false })
      const decision = decide(situation, facts)
      return decision._tag === "Resend" ? hold : decision
    })

  return Executor.of({ owner, start, takeUp, advance })
})

const evidenceOf = ({ id }: Operation, { operation, reply }: Sent): Evidence => ({
  source: "reply",
  about: { operation: id },
  claim: reply.claim,
  reference: reply.reference ?? operation.reference,
  vendorCode: reply.vendorCode,
  eventId: null,
  occurredAt: null
})

const spanOf = ({ attemptSeq, id, kind, paymentId, provider }: Operation) => ({
  "paymux.payment.id": paymentId,
  "paymux.operation.id": id,
  "paymux.operation": kind,
  "paymux.provider": provider,
  "paymux.attempt": attemptSeq
})

const ourselves: Origin = { provider: null, document: null }

/** Loud: somebody's money is where it does not belong. A review that it needs tells of itself. */
const tellSurplus = (before: PaymentRecord, after: PaymentRecord, { attemptSeq, provider }: Operation) => {
  const isSurplus = ({ attempts }: PaymentRecord) => attempts[attemptSeq - 1]?.surplus === true
  return isSurplus(before) || !isSurplus(after) || after.payment.reviews.length > 0
    ? Effect.void
    : Effect.logError(
        `Payment ${after.payment.id}: ${provider} has money that is not the payment's: it is refunded once an inquiry confirms it`
      )
}

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
