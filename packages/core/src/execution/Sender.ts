/**
 * Sends one operation to its provider, and again with the same key if the failover table decides so.
 *
 * The guard's slot is held for all sends of the attempt. The result is the reply as evidence, with the table's decision;
 * nothing is written here.
 */
import { Effect, Random } from "effect"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { fromAnswer } from "../domain/Evidence.ts"
import type { Evidence } from "../domain/Evidence.ts"
import { keptCode } from "../provider/keptCode.ts"
import { notExecuted, unknown } from "../domain/Outcome.ts"
import type { InquiryOutcome } from "../domain/Outcome.ts"
import type { AccountNotEnabled, ProviderError } from "../provider/ProviderError.ts"
import type { ProviderRegistry, RunningProvider } from "../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../provider/ReturnAddress.ts"
import type { AccountRestrictions } from "../resilience/AccountRestrictions.ts"
import type { Admission, CallResult } from "../resilience/ProviderGuard.ts"
import type { RetryBudget } from "../resilience/RetryBudget.ts"
import { paymentKind } from "../routing/paymentKind.ts"
import type { Router } from "../routing/Router.ts"
import { supports } from "../routing/servedFlow.ts"
import type { PaymentStore } from "../store/PaymentStore.ts"
import type { EngineMetrics } from "../telemetry/EngineMetrics.ts"
import { decide, decideLast, failoverFacts } from "./Failover.ts"
import type { LastDecision, Situation } from "./Failover.ts"
import { providerOperation } from "./providerOperation.ts"
import { sendTimeouts, timings } from "./timings.ts"

export interface SenderServices {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly router: Router["Service"]
  readonly budget: RetryBudget["Service"]
  readonly restrictions: AccountRestrictions["Service"]
  readonly metrics: EngineMetrics
  readonly returnAddress: ReturnAddressOf
}

/** An operation that is committed as `sending`, with its place at the provider. */
export interface Sending {
  readonly record: PaymentRecord
  readonly operation: Operation
  readonly admission: Admission
}

export interface Sent {
  readonly reply: Reply
  readonly decision: LastDecision
  /** A send before the last ended without a definite answer. */
  readonly unsettled: boolean
  /** The operation as the adapter left it: with its checkpoint. */
  readonly operation: Operation
}

/** The result of one send. */
interface Reply {
  /** What the failover table decides about: the outcome, or why the provider refused the request. */
  readonly situation: Situation
  /** Its outcome is what the attempt becomes if the decision closes it. */
  readonly evidence: Evidence
}

/** Delegate to it with `yield*`. */
export const send = function* (services: SenderServices, sending: Sending): Effect.fn.Return<Sent> {
  const { admission, operation: started, record } = sending
  const { budget, registry, router, store } = services
  const running = registry.serving(started.provider, record.payment.livemode)
  const declared = registry.declared(started.provider, started.kind)
  budget.earn(started.provider)
  let operation = started
  let unsettled = started.unsettled
  for (let sends = 1; ; sends++) {
    const result = yield* call(services, record, operation, running, admission, yield* store.now)
    if (running !== null && operation.kind === "create") yield* learnOfAccount(services, record, running, result)
    operation = withCheckpoint(operation, running)
    const reply = replyOf(operation, result)
    const now = yield* store.now
    const policy = router.policyOf(record.payment.routing)
    const mayResend = sends < timings.maxSends
    const facts = failoverFacts(record, operation, declared, policy, { answerTo: "send", now, unsettled, mayResend })
    const wanted = decide(reply.situation, facts)
    const delay = wanted._tag === "Resend" ? Math.max(wanted.afterMs, yield* jitter(sends)) : 0
    const again =
      wanted._tag === "Resend" &&
      now + delay + timings.leastForSend <= operation.deadlineAt &&
      budget.spend(operation.provider)
    if (again) yield* Effect.sleep(delay)
    // Evidence may have come meanwhile: what is decided is not sent again.
    if (!again || !(yield* isStillSending(store, record, operation))) {
      const decision = wanted._tag === "Resend" ? decideLast(reply.situation, facts) : wanted
      const sentence = trouble(operation.provider, result)
      if (sentence !== null) yield* logTrouble(operation, sentence)
      return { reply, unsettled, operation: { ...operation, unsettled }, decision }
    }
    unsettled ||= leavesUnsettled(reply.situation, declared.rateLimitIsNotExecuted)
  }
}

/** Nothing is sent if the instance is not configured or has the other mode, or if too little time is left. */
const call = function* (
  { returnAddress }: SenderServices,
  record: PaymentRecord,
  operation: Operation,
  running: RunningProvider | null,
  admission: Admission,
  now: number
): Effect.fn.Return<CallResult> {
  const left = operation.deadlineAt - now
  if (running === null || !supports(running.provider.capabilities, operation.kind, record.payment)) return refused
  const { operations, provider } = running
  const { [operation.kind]: perform } = operations
  if (perform === undefined || left < timings.leastForSend) return refused
  const sending = Effect.suspend(() => perform(providerOperation(record, operation, provider, returnAddress)))
  return yield* admission.call(sending, Math.min(sendTimeouts[record.payment.method.rail], left))
}

/** Counts what the account is not enabled for, and logs each kind when it is first reported. */
const learnOfAccount = function* (
  { metrics, restrictions }: SenderServices,
  { payment }: PaymentRecord,
  { provider }: RunningProvider,
  result: CallResult
): Effect.fn.Return<void> {
  const kind = paymentKind(provider, payment)
  const isNew = restrictions.observe(kind, result)
  if (result._tag !== "Failed" || result.error.reason._tag !== "AccountNotEnabled") return
  const code = shownCode(result.error.reason.code)
  metrics.accountNotEnabled(kind, code)
  if (!isNew) return
  const { currency, flow, rail } = kind
  const help = provider.capabilities.accountHelp?.[code]
  const sentence = `The account at ${provider.id} is not enabled for ${rail} payments (${flow}) in ${currency}, which go to it last for 15 minutes`
  yield* Effect.annotateLogs(Effect.logError(help === undefined ? sentence : `${sentence}. ${help}`), {
    provider: provider.id,
    payment_method: rail,
    flow,
    currency,
    code
  })
}

const refused: CallResult = { _tag: "Refused" }

/** While the database is unavailable this is unknown; not sending again is the safe side. */
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

/** One line for an operation, however often it was sent. */
const logTrouble = ({ id, kind, paymentId, provider }: Operation, sentence: string) =>
  Effect.annotateLogs(Effect.logWarning(sentence), { payment_id: paymentId, provider, operation: id, kind })

/** Why an operation was not done, or may have been done. */
const trouble = (provider: string, result: CallResult): string | null => {
  switch (result._tag) {
    case "Answered":
      return answerTrouble(provider, result.answer)
    case "Failed": {
      const { reason } = result.error
      if (reason._tag === "InvalidRequest") {
        return `${provider} rejected our request as invalid, and did nothing: ${reason.detail}`
      }
      return reason._tag === "AccountNotEnabled" ? accountTrouble(provider, reason) : null
    }
    case "TimedOut":
      return `${provider} did not respond in time: the outcome is unknown`
    // The guard has logged what broke, and that a breaker or the configuration refused a call.
    case "Broke":
    case "Refused":
      return null
  }
}

const accountTrouble = (provider: string, { about, code }: AccountNotEnabled): string =>
  about === "kind" || about === "payment"
    ? `The account at ${provider} is not enabled for this payment, and nothing was done: ${shownCode(code)}`
    : `The account at ${provider} requires ${about}, which the payment does not have; nothing was done: ${shownCode(code)}`

/** For logs and metrics. */
const shownCode = (code: string): string => keptCode(code) ?? "withheld"

const answerTrouble = (provider: string, answer: InquiryOutcome): string | null => {
  if (answer._tag === "Unknown") {
    const { reason, vendorCode } = answer
    return `The response of ${provider} is inconclusive (${[reason, vendorCode].filter((word) => word !== undefined).join(", ")}): the outcome is unknown`
  }
  if (answer._tag !== "NotExecuted") return null
  const { reason, vendorCode = reason } = answer
  switch (reason) {
    case "not_sent":
      return `${provider} could not be reached, and nothing was sent: ${vendorCode}`
    case "adapter_fault":
      return `The adapter of ${provider} cannot send this, and nothing was sent: ${vendorCode}`
    case "proof_code":
      return `${provider} did not execute the request: ${vendorCode}`
  }
}

const withCheckpoint = (operation: Operation, running: RunningProvider | null): Operation => {
  const reference = running?.checkpointed(operation.id) ?? operation.reference
  return reference === operation.reference ? operation : { ...operation, reference }
}

/** Full jitter, ms. */
const jitter = (sends: number) => Random.nextBetween(0, Math.min(timings.retryCap, timings.retryBase * 2 ** sends))

const replyOf = (operation: Operation, result: CallResult): Reply => {
  switch (result._tag) {
    case "Answered":
      return replyWith(operation, result.answer)
    case "Failed":
      return { ...replyWith(operation, refusalEvidence(result.error)), situation: result.error.reason }
    case "TimedOut":
      return replyWith(operation, unknown({ reason: "timeout" }))
    case "Broke":
      return replyWith(operation, unknown({ reason: "unreadable" }))
    case "Refused":
      return replyWith(operation, notSent)
  }
}

/** Without a reference of its own, an answer is about the object that the operation refers to. */
const replyWith = ({ id, reference }: Operation, answer: InquiryOutcome): Reply => {
  const outcome = { ...(reference !== null && { reference }), ...answer }
  return { situation: outcome, evidence: fromAnswer("reply", id, outcome) }
}

const notSent = notExecuted({ reason: "proof_code" })

const refusalEvidence = ({ reason }: ProviderError) => {
  const vendorCode = reason._tag === "AccountNotEnabled" ? keptCode(reason.code) : null
  return vendorCode === null ? notSent : { ...notSent, vendorCode }
}

/** Whether a send that is followed by another may have been executed. */
const leavesUnsettled = (situation: Situation, rateLimitIsNotExecuted: boolean): boolean => {
  switch (situation._tag) {
    case "Unknown":
      return situation.reason !== "duplicate" && situation.reason !== "in_progress"
    case "RateLimited":
      return !rateLimitIsNotExecuted
    default:
      return false
  }
}
