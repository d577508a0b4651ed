/**
 * Sends one operation to its provider, and again under the same key where the failover table says so.
 *
 * The guard's place is held over all sends of the attempt. What comes out is a reply and the table's decision on it:
 * nothing is written here.
 */
import { Context, Effect, Layer, Random } from "effect"
import type { Operation } from "../domain/Operation.ts"
import type { Payment, PaymentRecord } from "../domain/Payment.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { DeclaredOperation, RunningProvider } from "../provider/ProviderRegistry.ts"
import type { Admission, CallResult } from "../resilience/ProviderGuard.ts"
import { ReturnAddress } from "../provider/ReturnAddress.ts"
import { RetryBudget } from "../resilience/RetryBudget.ts"
import { Routing } from "../routing/Routing.ts"
import { PaymentStore } from "../store/PaymentStore.ts"
import { decide } from "./Failover.ts"
import type { Decision, Situation } from "./Failover.ts"
import { failoverFacts } from "./failoverFacts.ts"
import { providerOperation } from "./providerOperation.ts"
import { replyOf } from "./Reply.ts"
import type { Reply } from "./Reply.ts"
import { sendTimeout, timings } from "./timings.ts"

export interface Sent {
  readonly reply: Reply
  readonly decision: Exclude<Decision, { readonly _tag: "Resend" }>
  /** A send before the last ended without a definite answer. */
  readonly unsettled: boolean
  /** The operation as the adapter left it: with its checkpoint. */
  readonly operation: Operation
}

export class Sender extends Context.Service<
  Sender,
  {
    readonly send: (record: PaymentRecord, operation: Operation, admission: Admission) => Effect.Effect<Sent>
  }
>()("@paymux/core/execution/Sender") {
  static readonly layer = Layer.effect(
    Sender,
    Effect.gen(function* () {
      const registry = yield* ProviderRegistry
      const budget = yield* RetryBudget
      const routing = yield* Routing
      const store = yield* PaymentStore
      const returnAddress = yield* ReturnAddress

      const send = Effect.fnUntraced(function* (record: PaymentRecord, started: Operation, admission: Admission) {
        const running = registry.serving(started.provider, record.payment.livemode)
        const declared = registry.declared(started.provider, started.kind)
        yield* budget.earn(started.provider)
        let operation = started
        let unsettled = started.unsettled
        for (let sends = 1; ; sends++) {
          const result = yield* call(record, operation, running, admission, { returnAddress, now: yield* store.now })
          operation = withCheckpoint(operation, running)
          yield* tellOwnFault(operation, result)
          const reply = replyOf(operation.id, result)
          const decideAt = decisionOn(record, operation, declared, reply, unsettled)
          const now = yield* store.now
          const wanted = decideAt(now, sends < timings.maxSends)
          const delay = wanted._tag === "Resend" ? Math.max(wanted.afterMs, yield* jitter(sends)) : 0
          const again =
            wanted._tag === "Resend" &&
            now + delay + timings.leastForSend <= operation.deadlineAt &&
            (yield* budget.spend(operation.provider))
          if (again) yield* Effect.sleep(delay)
          // Evidence may have come meanwhile: what is decided is not sent again.
          if (!again || !(yield* isStillSending(record, operation))) {
            const decision = concluding(wanted, decideAt(now, false))
            return { reply, unsettled, operation: { ...operation, unsettled }, decision } satisfies Sent
          }
          unsettled ||= leavesUnsettled(reply.situation, declared.rateLimitIsNotExecuted)
        }
      })

      const decisionOn =
        (record: PaymentRecord, operation: Operation, declared: DeclaredOperation, reply: Reply, unsettled: boolean) =>
        (now: number, mayResend: boolean): Decision =>
          decide(
            reply.situation,
            failoverFacts(record, operation, declared, routing.policyOf(record.payment.routing.ruleset), {
              answerTo: "send",
              now,
              unsettled,
              mayResend
            })
          )

      /** A database that is away says nothing; not sending again is the safe side. */
      const isStillSending = ({ payment }: PaymentRecord, operation: Operation) =>
        store.get(payment.id).pipe(
          Effect.map(
            (latest) =>
              latest !== null &&
              (operation.kind !== "create" || latest.payment.state.status === "pending") &&
              latest.operations.some(({ id, status }) => id === operation.id && status === "sending")
          ),
          Effect.catch(() => Effect.succeed(false))
        )

      return Sender.of({ send })
    })
  )
}

/** Nothing is sent to an instance that is not configured or of the other mode, or when nobody would wait for it. */
const call = Effect.fnUntraced(function* (
  record: PaymentRecord,
  operation: Operation,
  running: RunningProvider | null,
  admission: Admission,
  { now, returnAddress }: { readonly now: number; readonly returnAddress: (payment: Payment) => string | null }
): Effect.fn.Return<CallResult> {
  const left = operation.deadlineAt - now
  const perform = running?.supports(operation.kind) ? running.operations[operation.kind] : undefined
  if (perform === undefined || left < timings.leastForSend) return { _tag: "Refused" }
  const asked = Effect.suspend(() => perform(providerOperation(record, operation, returnAddress)))
  return yield* admission.call(asked, Math.min(sendTimeout(record.payment.method.rail), left))
})

/** What this side did wrong, which no provider mends: the payer is only told that nothing was charged. */
const tellOwnFault = ({ id, kind, paymentId, provider }: Operation, result: CallResult) => {
  const fault = ownFault(result)
  return fault === null
    ? Effect.void
    : Effect.annotateLogs(Effect.logWarning(fault.sentence), {
        payment_id: paymentId,
        provider,
        operation: id,
        kind,
        vendorCode: fault.code
      })
}

const ownFault = (result: CallResult) => {
  if (result._tag === "Answered") {
    const { answer } = result
    return answer._tag === "NotExecuted" && answer.reason === "adapter_fault"
      ? { sentence: "An adapter cannot say this to its provider: nothing was sent", code: answer.vendorCode ?? null }
      : null
  }
  return result._tag === "Failed" && result.error.reason._tag === "InvalidRequest"
    ? { sentence: "A provider found our request invalid: nothing was done", code: result.error.reason.detail }
    : null
}

const withCheckpoint = (operation: Operation, running: RunningProvider | null): Operation => {
  const reference = running?.checkpointed(operation.id) ?? operation.reference
  return reference === operation.reference ? operation : { ...operation, reference }
}

/** Full jitter, ms. */
const jitter = (sends: number) => Random.nextBetween(0, Math.min(timings.retryCap, timings.retryBase * 2 ** sends))

/** What stands when nothing is sent again. */
const concluding = (wanted: Decision, otherwise: Decision): Sent["decision"] => {
  if (wanted._tag !== "Resend") return wanted
  return otherwise._tag === "Resend" ? { _tag: "Hold" } : otherwise
}

/** Whether a send that is followed by another may have been executed. */
const leavesUnsettled = (situation: Situation, rateLimitIsNotExecuted: boolean): boolean => {
  switch (situation._tag) {
    case "ResetOnReusedSocket":
    case "NoUsableAnswer":
    case "ServerError":
    case "Interrupted":
      return true
    case "RateLimited":
      return !rateLimitIsNotExecuted
    default:
      return false
  }
}
