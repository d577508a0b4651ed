/**
 * Sends one operation to its provider, and again under the same key where the failover table says so.
 *
 * The guard's place is held over all sends of the attempt. What comes out is a reply and the table's decision on it:
 * nothing is written here.
 */
import { Clock, Context, Effect, Layer, Random } from "effect"
import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import type { RunningProvider } from "../provider/ProviderRegistry.ts"
import type { Admission, CallResult } from "../resilience/ProviderGuard.ts"
import { RetryBudget } from "../resilience/RetryBudget.ts"
import { Routing } from "../routing/Routing.ts"
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

      const send = Effect.fnUntraced(function* (record: PaymentRecord, started: Operation, admission: Admission) {
        const running = registry.get(started.provider)
        yield* budget.earn(started.provider)
        let operation = started
        let unsettled = started.unsettled
        for (let sends = 1; ; sends++) {
          const result = yield* call(record, operation, running, admission)
          operation = withCheckpoint(operation, running)
          const reply = replyOf(operation.id, result)
          const now = yield* Clock.currentTimeMillis
          const delay = yield* backoff(sends, reply.situation)
          const declared = running === null ? null : running.declared(operation.kind)
          const facts =
            declared === null
              ? null
              : failoverFacts(record, operation, declared, routing.policy, {
                  answerTo: "send",
                  now,
                  unsettled,
                  mayResend: sends < timings.maxSends && now + delay + timings.leastForSend <= operation.deadlineAt
                })
          const decision: Decision = facts === null ? { _tag: "Hold" } : decide(reply.situation, facts)
          if (decision._tag !== "Resend") return { reply, decision, operation } satisfies Sent
          unsettled ||= leavesUnsettled(reply.situation, facts?.rateLimitIsNotExecuted ?? false)
          if (facts === null || !(yield* budget.spend(operation.provider))) {
            const without =
              facts === null ? { _tag: "Hold" as const } : decide(reply.situation, { ...facts, mayResend: false })
            return { reply, decision: without._tag === "Resend" ? { _tag: "Hold" } : without, operation } satisfies Sent
          }
          yield* Effect.sleep(delay)
        }
      })

      return Sender.of({ send })
    })
  )
}

/** Test payments reach test instances only, live ones live ones only: checked once more, right before the send. */
const call = (
  record: PaymentRecord,
  operation: Operation,
  running: RunningProvider | null,
  admission: Admission
): Effect.Effect<CallResult> =>
  Effect.gen(function* () {
    if (running === null || (running.provider.mode === "live") !== record.payment.livemode) {
      return { _tag: "Refused" } as const
    }
    const now = yield* Clock.currentTimeMillis
    const timeout = Math.min(sendTimeout(record.payment.method.rail), operation.deadlineAt - now)
    return yield* admission.call(running.operations.create(providerOperation(record.payment, operation)), timeout)
  })

const withCheckpoint = (operation: Operation, running: RunningProvider | null): Operation => {
  const reference = running?.checkpointed(operation.id) ?? operation.reference
  return reference === operation.reference ? operation : { ...operation, reference }
}

/** Full jitter, never less than what the provider asked for. */
const backoff = Effect.fnUntraced(function* (sends: number, situation: Situation) {
  const ceiling = Math.min(timings.retryCap, timings.retryBase * 2 ** sends)
  const jitter = yield* Random.nextBetween(0, ceiling)
  return Math.max(jitter, situation._tag === "RateLimited" ? (situation.retryAfterMs ?? 0) : 0)
})

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
