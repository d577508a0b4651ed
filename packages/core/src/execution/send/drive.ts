/**
 * Sends operations in the engine's scope: one attempt after the other, until the payment is decided or can only wait.
 */
import { Cause, Effect, Exit, Result, Schedule, Scope } from "effect"
import { ownIds } from "../../domain/Cell.ts"
import { failure } from "../../domain/Decline.ts"
import { Ids } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { changed, replace } from "../../domain/transition/change.ts"
import type { LateSuccess } from "../../domain/Step.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"
import { spanned } from "../../telemetry/spans.ts"
import { HostedPage } from "../../wire/HostedPage.ts"
import { liveId } from "../begin/LivePayments.ts"
import { sendingFrom } from "../begin/newRecords.ts"
import { applyEvidence, evidenceServices } from "../conclude/applyEvidence.ts"
import type { Applied } from "../conclude/applyEvidence.ts"
import { isCommitted } from "../conclude/PaymentWriter.ts"
import { replyOf } from "../conclude/Report.ts"
import type { Report } from "../conclude/Report.ts"
import { keepUnmatched } from "../recover/inbox/keepUnmatched.ts"
import { restoreLost } from "../restore/restoreLost.ts"
import { send, senderServices } from "./Sender.ts"
import type { Sending } from "./Sender.ts"

export const drivingServices = Effect.gen(function* () {
  const ids = yield* Ids
  return {
    ...(yield* senderServices),
    ...(yield* evidenceServices),
    hostedUrl: yield* HostedPage,
    scope: yield* Scope.Scope,
    ownIds: yield* ownIds,
    owner: ids.engine()
  }
})

export interface DrivingServices extends Effect.Success<typeof drivingServices> {
  readonly lateSuccess: LateSuccess
}

export const driving = (services: DrivingServices) => ({
  start: (sending: Sending) => start(services, sending),
  claimAndSend: (record: PaymentRecord, operation: Operation) => claimAndSend(services, record, operation),
  endUnsent: (record: PaymentRecord, operation: Operation) => endUnsent(services, record, operation)
})

/** Marks the operation `sending` by compare-and-set before it sends, so that only one engine sends it. */
const claimAndSend = Effect.fnUntraced(function* (
  services: DrivingServices,
  record: PaymentRecord,
  operation: Operation
) {
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

const endUnsent = (services: DrivingServices, record: PaymentRecord, operation: Operation) => {
  const isOurs = ({ owner, status }: Operation) => status === "sending" && owner === services.owner
  const report = replyOf(operation, { _tag: "NotSent", refusedBy: "deadline" })
  const end = applyEvidence(services, record, report, (_services, _record, { operation: standing }) =>
    // Ends the operation as failed only if this engine claimed it. Another engine that claimed it may have sent it.
    isOurs(standing) ? { _tag: "Fail", failure: failure("provider_unavailable", true) } : { _tag: "Inquire" }
  )
  return Effect.asVoid(Effect.retry(end, commitRetries))
}

/**
 * Starts the sends in the engine's scope. If the run fails or is interrupted, even before its first step, the
 * provider's concurrency slot is released and the caller is answered. The reconciler finds the operation in `sending`.
 */
const start = (services: DrivingServices, first: Sending): Effect.Effect<void> =>
  // The context of the caller's fiber: that of a fiber that has ended is empty.
  Effect.withFiber(({ context }) => {
    const { live, scope } = services
    const run: Run = { sending: first, isDone: false }
    return Effect.map(Effect.forkIn(drive(services, run), scope, { startImmediately: true }), (fiber) =>
      fiber.addObserver((exit) => {
        // A caller that is answered may stop the engine before this fiber has ended.
        if (Exit.isSuccess(exit) || run.isDone) return
        run.sending.admission.release()
        const { operation, record } = first
        live.finish(liveId(operation), { record, body: null })
        const { id } = record.payment
        const left = Cause.hasInterruptsOnly(exit.cause)
          ? Effect.logInfo(`Payment ${id} is still in flight at shutdown; it is settled after the next start`)
          : Effect.logError(`Payment ${id}: its send failed unexpectedly; the reconciler settles it`, exit.cause)
        Effect.runForkWith(context)(left)
      })
    )
  })

interface Run {
  /** The attempt that is being sent. */
  sending: Sending
  /** Whether the last attempt was sent and its reply applied. */
  isDone: boolean
}

/** Sends one attempt after another, until the payment is decided or can only wait. */
const drive = Effect.fnUntraced(function* (services: DrivingServices, run: Run) {
  const { live, registry } = services
  while (true) {
    const { operation } = run.sending
    const name = operation.kind === "create" ? "paymux.attempt" : `paymux.${operation.kind}`
    const { body, next, record } = yield* spanned(name, () => spanOf(operation))(sendAndApply(services, run.sending))
    registry.get(operation.provider)?.forget(operation.id)
    if (next === null) {
      run.isDone = true
      return live.finish(liveId(operation), { record, body })
    }
    run.sending = next
  }
})

const sendAndApply = (services: DrivingServices, sending: Sending): Effect.Effect<Applied> =>
  Effect.flatMap(send(services, sending), (report) => {
    sending.admission.release()
    return applyReply(services, sending.record, report)
  })

const spanOf = ({ attemptSeq, id, kind, paymentId, provider }: Operation) => ({
  "paymux.payment.id": paymentId,
  "paymux.operation.id": id,
  "paymux.operation": kind,
  "paymux.provider": provider,
  "paymux.attempt": attemptSeq
})

/**
 * Writes the second commit of an attempt, which applies the reply; retried while the database is unavailable. If all
 * retries fail, the operation stays in `sending`, as after a crash: the reconciler finds it, and the caller gets the
 * durable state of the payment.
 */
const applyReply = (services: DrivingServices, record: PaymentRecord, report: Report) => {
  const apply = Effect.flatMap(applyEvidence(services, record, report), (applied) =>
    applied._tag === "Gone" ? applyRestored(services, record, report, applied) : Effect.succeed(applied)
  )
  return Effect.catch(apply, () =>
    Effect.andThen(Effect.sleep(firstCommitRetry), Effect.retry(apply, commitRetries)).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logError("The outcome of a send could not be written", error), {
          _tag: "Unchanged",
          record,
          body: null,
          next: null
        } satisfies Applied)
      )
    )
  )
}

/**
 * Handles a reply for an operation that the database has lost: inserts the operation again, or stores the reply for
 * operators.
 */
const applyRestored = Effect.fnUntraced(function* (
  services: DrivingServices,
  record: PaymentRecord,
  report: Report,
  gone: Applied
): Effect.fn.Return<Applied, StoreUnavailable> {
  const { live, store } = services
  const { evidence, operation } = report
  const restored = yield* restoreLost(services, record, operation.id, live.get(liveId(operation))?.binding ?? null)
  if (restored === null) {
    yield* keepUnmatched(store, evidence, {
      provider: operation.provider,
      document: null,
      livemode: record.payment.livemode
    })
    return gone
  }
  yield* Effect.logError(
    `Payment ${record.payment.id}: the database had lost the ${operation.kind} ${operation.id}; it is written again`
  )
  return yield* applyEvidence(services, restored, report)
})

// The delay before the first retry is separate from the schedule of the further retries: the schedule is then built
// only after a failure, and not for every payment.
const firstCommitRetry = "50 millis"
const commitRetries = Schedule.exponential("100 millis").pipe(Schedule.upTo({ times: 5 }))
