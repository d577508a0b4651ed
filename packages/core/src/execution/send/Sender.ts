/**
 * Sends one operation to its provider, and resends it with the same idempotency key if the failover table decides so.
 *
 * The concurrency slot of the provider is held for all sends of the attempt. Nothing is written to the database here.
 */
import { Effect, Random } from "effect"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { RunningProvider } from "../../provider/ProviderRegistry.ts"
import { ReturnAddress } from "../../provider/ReturnAddress.ts"
import { AccountRestrictions } from "../../resilience/AccountRestrictions.ts"
import { consequencesOf, shownCode } from "../../resilience/Ended.ts"
import type { Ended, OutcomeOrRefusal } from "../../resilience/Ended.ts"
import type { Admission } from "../../resilience/ProviderGuard.ts"
import { RetryBudget } from "../../resilience/RetryBudget.ts"
import { paymentKind, supports } from "../../routing/servedFlow.ts"
import { Router } from "../../routing/Router.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import { engineMetrics } from "../../telemetry/EngineMetrics.ts"
import { decide, failoverFacts } from "../conclude/Failover.ts"
import { replyOf } from "../conclude/Report.ts"
import type { Report } from "../conclude/Report.ts"
import { providerOperation } from "./providerOperation.ts"
import { sendTimeouts, timings } from "../timings.ts"

export const senderServices = Effect.gen(function* () {
  return {
    store: yield* PaymentStore,
    registry: yield* ProviderRegistry,
    router: yield* Router,
    budget: yield* RetryBudget,
    restrictions: yield* AccountRestrictions,
    metrics: yield* engineMetrics,
    returnAddress: yield* ReturnAddress
  }
})

export interface SenderServices extends Effect.Success<typeof senderServices> {}

/** An operation that is committed as `sending`, with its concurrency slot of the provider. */
export interface Sending {
  readonly record: PaymentRecord
  readonly operation: Operation
  readonly admission: Admission
}

/** Sends the operation until a result is final or no further send is allowed, and reports the end of the last send. */
export const send = Effect.fnUntraced(function* (services: SenderServices, sending: Sending): Effect.fn.Return<Report> {
  const { admission, operation: started, record } = sending
  const { budget, registry, router, store } = services
  const running = registry.serving(started.provider, record.payment.livemode)
  const declared = registry.declared(started.provider, started.kind)
  budget.earn(started.provider)
  let operation = started
  let unsettled = started.unsettled
  for (let sends = 1; ; sends++) {
    const ended = yield* call(services, record, operation, running, admission, yield* store.now)
    if (running !== null && operation.kind === "create") yield* learnOfAccount(services, record, running, ended)
    operation = withCheckpoint(operation, running)
    const { failover, log } = consequencesOf(ended)
    const now = yield* store.now
    const policy = router.policyOf(record.payment.routing)
    const mayResend = sends < timings.maxSends
    const facts = failoverFacts(record, operation, declared, policy, { answerTo: "send", now, unsettled, mayResend })
    const wanted = decide(failover, facts)
    const delay = wanted._tag === "Resend" ? Math.max(wanted.afterMs, yield* jitter(sends)) : 0
    const again =
      wanted._tag === "Resend" &&
      now + delay + timings.leastForSend <= operation.deadlineAt &&
      budget.spend(operation.provider)
    if (again) yield* Effect.sleep(delay)
    // If other evidence has decided the operation since the last send, it is not sent again.
    if (!again || !(yield* isStillSending(store, record, operation))) {
      if (log !== null) yield* logTrouble(operation, log(operation.provider))
      return replyOf({ ...operation, unsettled }, ended)
    }
    unsettled ||= leavesUnsettled(failover, declared.rateLimitIsNotExecuted)
  }
})

/**
 * Makes one send. Nothing is sent if the provider instance is not configured or has the other mode, or if too little
 * time is left.
 */
const call = (
  { returnAddress }: SenderServices,
  record: PaymentRecord,
  operation: Operation,
  running: RunningProvider | null,
  admission: Admission,
  now: number
): Effect.Effect<Ended> => {
  const left = operation.deadlineAt - now
  if (running === null || !supports(running.provider.capabilities, operation.kind, record.payment)) return unsupported
  const { operations, provider } = running
  const { [operation.kind]: perform } = operations
  if (perform === undefined) return unsupported
  if (left < timings.leastForSend) return tooLate
  const sending = Effect.suspend(() => perform(providerOperation(record, operation, provider, returnAddress)))
  return admission.call(sending, Math.min(sendTimeouts[record.payment.method.rail], left))
}

/**
 * Counts the rejections that a provider gives because the merchant's account is not enabled, and logs each rejected
 * payment kind when it is first reported.
 */
const learnOfAccount = (
  { metrics, restrictions }: SenderServices,
  { payment }: PaymentRecord,
  { provider }: RunningProvider,
  ended: Ended
): Effect.Effect<void> => {
  const kind = paymentKind(provider, payment)
  const isNew = restrictions.observe(kind, ended)
  if (ended._tag !== "AccountNotEnabled") return Effect.void
  const code = shownCode(ended.code)
  metrics.accountNotEnabled(kind, code)
  if (!isNew) return Effect.void
  const { currency, flow, rail } = kind
  const help = provider.capabilities.accountHelp?.[code]
  const sentence = `The account at ${provider.id} is not enabled for ${rail} payments (${flow}) in ${currency}, which go to it last for 15 minutes`
  return Effect.annotateLogs(Effect.logError(help === undefined ? sentence : `${sentence}. ${help}`), {
    provider: provider.id,
    payment_method: rail,
    flow,
    currency,
    code
  })
}

const unsupported = Effect.succeed<Ended>({ _tag: "NotSent", refusedBy: "configuration" })
const tooLate = Effect.succeed<Ended>({ _tag: "NotSent", refusedBy: "deadline" })

/**
 * Whether the operation still has to be sent. `false` while the database is unavailable, because not sending is safe.
 */
const isStillSending = (store: PaymentStore["Service"], { payment }: PaymentRecord, operation: Operation) =>
  store.get(payment.id).pipe(
    Effect.map(
      (latest) =>
        latest !== null &&
        (operation.kind !== "create" || latest.payment.state.status === "pending") &&
        latest.operations.some(({ id, status }) => id === operation.id && status === "sending")
    ),
    Effect.catch(() => Effect.succeed(false))
  )

/** Logs one line per operation, regardless of the number of sends. */
const logTrouble = ({ id, kind, paymentId, provider }: Operation, sentence: string) =>
  Effect.annotateLogs(Effect.logWarning(sentence), { payment_id: paymentId, provider, operation: id, kind })

const withCheckpoint = (operation: Operation, running: RunningProvider | null): Operation => {
  const reference = running?.checkpointed(operation.id) ?? operation.reference
  return reference === operation.reference ? operation : { ...operation, reference }
}

/** The random delay before the next send, ms ("full jitter": between zero and an exponential limit). */
const jitter = (sends: number) => Random.nextBetween(0, Math.min(timings.retryCap, timings.retryBase * 2 ** sends))

/**
 * Whether the operation is unsettled if this send is repeated, because the provider may have executed this send, too.
 */
const leavesUnsettled = (ended: OutcomeOrRefusal, rateLimitIsNotExecuted: boolean): boolean => {
  switch (ended._tag) {
    case "Unknown":
      return ended.reason !== "duplicate" && ended.reason !== "in_progress"
    case "RateLimited":
      return !rateLimitIsNotExecuted
    default:
      return false
  }
}
