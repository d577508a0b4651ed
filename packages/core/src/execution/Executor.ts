/**
 * Carries a payment through its attempts, and applies all evidence about payments.
 *
 * It belongs to the engine and not to the request: from commit 1 on it runs in the engine's scope, so that a client
 * that hangs up, or an answer given at ten seconds, never interrupts a send. Every decision is taken by pure functions
 * (`decide`, `transition`); this file does what they say, in two commits per attempt.
 */
import { Cause, Context, Effect, Exit, Layer, Result, Schedule, Scope } from "effect"
import { isMadeElsewhere, ownIds } from "../domain/Cell.ts"
import type { OwnIds } from "../domain/Cell.ts"
import { changed, replace } from "../domain/transition/change.ts"
import { Ids } from "../domain/Ids.ts"
import { failure } from "../domain/Decline.ts"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { LateSuccess } from "../domain/transition/reportedMoney.ts"
import { fromAnswer } from "../domain/Evidence.ts"
import type { Evidence } from "../domain/Evidence.ts"
import { notExecuted } from "../domain/Outcome.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { ReturnAddress } from "../provider/ReturnAddress.ts"
import { AccountRestrictions } from "../resilience/AccountRestrictions.ts"
import { consequencesOf } from "../resilience/Ended.ts"
import type { OutcomeOrRefusal } from "../resilience/Ended.ts"
import { ProviderGuard } from "../resilience/ProviderGuard.ts"
import { RetryBudget } from "../resilience/RetryBudget.ts"
import { Router } from "../routing/Router.ts"
import { HostedPage } from "../wire/HostedPage.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import type { StoreUnavailable } from "../store/PaymentStore.ts"
import { engineMetrics } from "../telemetry/EngineMetrics.ts"
import { spannedSteps } from "../telemetry/spans.ts"
import { applyEvidence } from "./conclude/applyEvidence.ts"
import type { Applied, EvidenceServices } from "./conclude/applyEvidence.ts"
import { CardRetries } from "./begin/CardRetries.ts"
import { decideLast, failoverFacts } from "./conclude/Failover.ts"
import type { LastDecision, Sends } from "./conclude/Failover.ts"
import { keepUnmatched } from "./recover/inbox/keepUnmatched.ts"
import { liveId, LivePayments } from "./begin/LivePayments.ts"
import { sendingFrom } from "./begin/newRecords.ts"
import { operationAbout } from "./recover/inbox/operationAbout.ts"
import { isCommitted, PaymentWriter } from "./conclude/PaymentWriter.ts"
import type { EventServices } from "./conclude/PaymentWriter.ts"
import { Restorations } from "./restore/Restorations.ts"
import { restoreLost } from "./restore/restoreLost.ts"
import { replyEvidence, send } from "./send/Sender.ts"
import type { SenderServices, Sending, Sent } from "./send/Sender.ts"

/** The effect of a piece of evidence. */
export type Advanced =
  | { readonly _tag: "Applied"; readonly record: PaymentRecord }
  | { readonly _tag: "Unchanged"; readonly record: PaymentRecord }
  /**
   * It is about nothing we know: about an operation of ours whose row is gone, about one of another installation, or under a
   * reference not known yet.
   */
  | { readonly _tag: "Unmatched"; readonly owner: "here" | "elsewhere" | "unknown" }
  /** It is about an operation of another instance: nothing of it is applied. */
  | { readonly _tag: "OfAnotherInstance"; readonly instance: string }

/** The payment after the evidence; `null`: nothing was applied. */
export const recordOf = (advanced: Advanced): PaymentRecord | null => ("record" in advanced ? advanced.record : null)

/** Where evidence comes from, and what it rests on. */
export interface Origin {
  /** A provider's evidence counts for its own operations only. `null`: our own engine. */
  readonly provider: string | null
  /** See `EvidenceRow`. */
  readonly document: string | null
}

export class Executor extends Context.Service<
  Executor,
  {
    /** Names this engine as the owner of what it sends. */
    readonly owner: string
    /** Sends an operation that was just committed, in the engine's scope. */
    readonly start: (sending: Sending) => Effect.Effect<void>
    /** Claims a planned operation and sends it. `false`: the provider does not admit it, or another engine claimed it. */
    readonly claimAndSend: (record: PaymentRecord, operation: Operation) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends an operation that was committed and is not sent, because its request was refused: no other provider follows. */
    readonly endUnsent: (record: PaymentRecord, operation: Operation) => Effect.Effect<void, StoreUnavailable>
    /** Applies evidence: the only way in which it changes a payment. */
    readonly advance: (evidence: Evidence, origin?: Origin) => Effect.Effect<Advanced, StoreUnavailable>
  }
>()("@paymux/core/execution/Executor") {
  static readonly layer = (options: { readonly lateSuccess: LateSuccess }) =>
    Layer.effect(
      Executor,
      Effect.suspend(() => make(options.lateSuccess))
    )
}

interface Services extends EvidenceServices, SenderServices, EventServices {
  readonly scope: Scope.Scope
  readonly ownIds: OwnIds
}

const make = Effect.fnUntraced(function* (lateSuccess: LateSuccess) {
  const ids = yield* Ids
  const services: Services = {
    store: yield* PaymentStore,
    writer: yield* PaymentWriter,
    registry: yield* ProviderRegistry,
    router: yield* Router,
    guard: yield* ProviderGuard,
    budget: yield* RetryBudget,
    restrictions: yield* AccountRestrictions,
    metrics: yield* engineMetrics,
    live: yield* LivePayments,
    cardRetries: yield* CardRetries,
    restorations: yield* Restorations,
    returnAddress: yield* ReturnAddress,
    hostedUrl: yield* HostedPage,
    ids,
    scope: yield* Scope.Scope,
    owner: ids.engine(),
    ownIds: yield* ownIds,
    lateSuccess
  }
  return Executor.of({
    owner: services.owner,
    start: (sending) => start(services, sending),
    claimAndSend: (record, operation) => claimAndSend(services, record, operation),
    endUnsent: (record, operation) => endUnsent(services, record, operation),
    advance: (evidence, origin = ourselves) => advance(services, evidence, origin)
  })
})

const ourselves: Origin = { provider: null, document: null }

/** Made `sending` by compare-and-set first: of many engines one sends it. */
const claimAndSend = Effect.fnUntraced(function* (services: Services, record: PaymentRecord, operation: Operation) {
  const { guard, live, owner, registry, store, writer } = services
  const admitted = yield* guard.admit(registry.currentId(operation.provider), operation.kind)
  if (Result.isFailure(admitted)) return false
  const admission = admitted.success
  const now = yield* store.now
  const sending: Operation = { ...operation, status: "sending", owner, ...sendingFrom(now) }
  const change = changed(replace(record, { operations: [sending] }), now, {}, null)
  const written = yield* writer
    .write(record, change, { cause: null, binding: null })
    .pipe(Effect.onError(() => Effect.sync(admission.release)))
  if (!isCommitted(written)) {
    admission.release()
    return false
  }
  live.start(liveId(sending), null)
  yield* start(services, { record: written.record, operation: sending, admission })
  return true
}, Effect.uninterruptible)

const endUnsent = (services: Services, record: PaymentRecord, operation: Operation) => {
  const evidence = fromAnswer("reply", operation.id, notExecuted({ reason: "not_sent" }))
  const isOurs = ({ owner, status }: Operation) => status === "sending" && owner === services.owner
  const end = Effect.gen(() =>
    applyEvidence(services, record, operation, { evidence, document: null }, (_, standing) =>
      // Another engine that took it over may have sent it.
      isOurs(standing) ? { _tag: "Fail", failure: failure("provider_unavailable", true) } : { _tag: "Inquire" }
    )
  )
  return Effect.asVoid(Effect.retry(end, commitRetries))
}

/**
 * Drives in the engine's scope. However that ends, also before its first step when the engine is closing, the place is
 * given back and the caller is answered: a row left in `sending` is found by the reconciler.
 */
const start = (services: Services, first: Sending): Effect.Effect<void> => {
  const { live, scope } = services
  const run: Run = { sending: first }
  return Effect.map(Effect.forkIn(drive(services, run), scope, { startImmediately: true }), (fiber) =>
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit)) return
      run.sending.admission.release()
      const { operation, record } = first
      live.finish(liveId(operation), { record, body: null })
      const { id } = record.payment
      const left = Cause.hasInterruptsOnly(exit.cause)
        ? Effect.logInfo(`Payment ${id} is left in flight: it is settled after the next start`)
        : Effect.logError(`Payment ${id} is left in flight`, exit.cause)
      Effect.runForkWith(fiber.context)(left)
    })
  )
}

interface Run {
  /** The attempt that is under way. */
  sending: Sending
}

/** One attempt after the other, until the payment is decided or held open. */
const drive = Effect.fnUntraced(function* (services: Services, run: Run) {
  const { live, registry } = services
  while (true) {
    const { operation } = run.sending
    const { body, next, record } = yield* spannedSteps(
      operation.kind === "create" ? "paymux.attempt" : `paymux.${operation.kind}`,
      () => spanOf(operation),
      () => sendAndApply(services, run.sending)
    )
    registry.get(operation.provider)?.forget(operation.id)
    if (next === null) return live.finish(liveId(operation), { record, body })
    run.sending = { record, operation: next.operation, admission: next.admission }
  }
})

const sendAndApply = function* (services: Services, sending: Sending): Effect.fn.Return<Applied> {
  const sent = yield* send(services, sending)
  sending.admission.release()
  return yield* applyReply(services, sending.record, sent)
}

const spanOf = ({ attemptSeq, id, kind, paymentId, provider }: Operation) => ({
  "paymux.payment.id": paymentId,
  "paymux.operation.id": id,
  "paymux.operation": kind,
  "paymux.provider": provider,
  "paymux.attempt": attemptSeq
})

/**
 * Commit 2, tried again while the database is unavailable. If it stays so, the row stays in `sending`, as after a crash:
 * the reconciler finds it (row 17), and the caller is answered what is durable.
 */
const applyReply = (services: Services, record: PaymentRecord, sent: Sent) => {
  const apply = Effect.gen(function* () {
    const applied = yield* applySent(services, record, sent)
    return applied.outcome === "gone" ? yield* applyRestored(services, record, sent, applied) : applied
  })
  return Effect.catch(apply, () =>
    Effect.andThen(Effect.sleep(firstCommitRetry), Effect.retry(apply, commitRetries)).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logError("The outcome of a send could not be written", error), {
          outcome: "unchanged",
          record,
          body: null,
          next: null
        } satisfies Applied)
      )
    )
  )
}

const applySent = (services: Services, record: PaymentRecord, { decision, ended, operation, unsettled }: Sent) => {
  const evidence = replyEvidence(operation, ended)
  return applyEvidence(services, record, operation, { evidence, document: null }, (latest, standing, now) =>
    latest === record
      ? decision
      : // The payment changed since the send; judge this reply against the current state.
        judge(services, latest, standing, consequencesOf(ended).failover, {
          answerTo: "send",
          unsettled: unsettled || standing.status !== "sending",
          now
        })
  )
}

/** The database has lost the row since: it is written again, or the reply is kept for operators. */
const applyRestored = function* (
  services: Services,
  record: PaymentRecord,
  sent: Sent,
  gone: Applied
): Effect.fn.Return<Applied, StoreUnavailable> {
  const { live, store } = services
  const { operation } = sent
  const restored = yield* restoreLost(services, record, operation.id, live.get(liveId(operation))?.binding ?? null)
  if (restored === null) {
    yield* keepUnmatched(store, replyEvidence(operation, sent.ended), {
      provider: operation.provider,
      document: null,
      livemode: record.payment.livemode
    })
    return gone
  }
  yield* Effect.logError(
    `Payment ${record.payment.id}: the database had lost the ${operation.kind} ${operation.id}; it is written again`
  )
  return yield* applySent(services, restored, sent)
}

// The first delay is not part of the schedule, so that a schedule is built only after a failure, and not for every payment.
const firstCommitRetry = "50 millis"
const commitRetries = Schedule.exponential("100 millis").pipe(Schedule.upTo({ times: 5 }))

/** Once it has begun it is carried through, also when the caller goes away: a commit may start the next attempt. */
const advance = Effect.fnUntraced(function* (services: Services, evidence: Evidence, { document, provider }: Origin) {
  const { live, registry } = services
  const found = yield* findSubject(services, evidence.about)
  if (found === null) return { _tag: "Unmatched", owner: ownerOf(evidence, services.ownIds) } as const
  if (isOfOtherMode(registry, found, provider)) return { _tag: "Unmatched", owner: "unknown" } as const
  const operation = operationAbout(found, evidence, provider, registry.idsOf)
  if (operation === undefined) {
    return { _tag: "OfAnotherInstance", instance: instanceOf(found, evidence.about) } as const
  }
  const applied = yield* applyEvidence(services, found, operation, { evidence, document }, (latest, standing, now) =>
    judge(services, latest, standing, evidence.outcome, { answerTo: "attempt", unsettled: standing.unsettled, now })
  )
  const { next, outcome, record } = applied
  if (next !== null) {
    live.start(found.payment.id, null)
    yield* start(services, { record, operation: next.operation, admission: next.admission })
  }
  if (outcome === "gone") return { _tag: "Unmatched", owner: "here" } as const
  return { _tag: outcome === "applied" ? "Applied" : "Unchanged", record } as const
}, Effect.uninterruptible)

/** Operations keep the id that their instance had. */
const findSubject = Effect.fnUntraced(function* (
  { registry, store }: Pick<Services, "registry" | "store">,
  about: Evidence["about"]
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  if ("operation" in about) return yield* store.findByOperation(about.operation)
  for (const id of registry.idsOf(about.provider)) {
    const found = yield* store.findByReference(id, about.providerReference)
    if (found !== null) return found
  }
  return null
})

const instanceOf = ({ operations }: PaymentRecord, about: Evidence["about"]): string =>
  "operation" in about ? (operations.find(({ id }) => id === about.operation)?.provider ?? "unknown") : about.provider

const ownerOf = ({ about }: Evidence, own: OwnIds) => {
  if (!("operation" in about)) return "unknown"
  return isMadeElsewhere(about.operation, own) ? "elsewhere" : "here"
}

/** An instance that has the credentials of the other mode by now knows nothing of this payment. */
const isOfOtherMode = (
  registry: ProviderRegistry["Service"],
  { payment }: PaymentRecord,
  provider: string | null
): boolean =>
  provider !== null && registry.get(provider) !== null && registry.serving(provider, payment.livemode) === null

/** The table's decision if nothing can be sent again. */
const judge = (
  { registry, router }: Services,
  record: PaymentRecord,
  operation: Operation,
  ended: OutcomeOrRefusal,
  sends: Omit<Sends, "mayResend">
): LastDecision => {
  const declared = registry.declared(operation.provider, operation.kind)
  const policy = router.policyOf(record.payment.routing)
  return decideLast(ended, failoverFacts(record, operation, declared, policy, { ...sends, mayResend: false }))
}
