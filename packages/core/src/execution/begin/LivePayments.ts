/** The operations that this engine is sending now, and the callers that wait for them. A create is keyed by its payment id. */
import { Clock, Context, Deferred, Effect, Latch, Layer } from "effect"
import type { OperationId, PaymentId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { KeyBinding } from "../../store/PaymentStore.ts"
import type { PaymentResult } from "../PaymentResult.ts"
import { timings } from "../timings.ts"

/** For a create with all its attempts, the payment id; for a capture, cancel or refund, the operation id. */
export type LiveId = PaymentId | OperationId

export const liveId = ({ id, kind, paymentId }: Operation): LiveId => (kind === "create" ? paymentId : id)

export interface LivePayment {
  /** Completes when the operation ends, or with `null` when the caller's waiting time is over. */
  readonly answer: Deferred.Deferred<PaymentResult | null>
  /** The binding of the request's idempotency key, for which no answer is stored yet. */
  readonly binding: KeyBinding | null
}

export class LivePayments extends Context.Service<
  LivePayments,
  {
    /** Counts one more send. The first send sets the key binding, and the ms that its caller has waited already. */
    readonly start: (id: LiveId, binding: KeyBinding | null, waited?: number) => LivePayment
    readonly get: (id: LiveId) => LivePayment | null
    /** Counts one send less. The end of the last send completes the answer. */
    readonly finish: (id: LiveId, settled: PaymentResult) => void
    /** Waits until no operation is being sent. */
    readonly drained: Effect.Effect<void>
  }
>()("@paymux/core/execution/LivePayments") {
  static readonly layer = Layer.effect(
    LivePayments,
    Effect.gen(function* () {
      const live = new Map<LiveId, Entry>()
      const busy = Latch.makeUnsafe()
      const clock = yield* Clock.Clock
      yield* Effect.forkScoped(answerOverdue(live, busy, clock))
      return LivePayments.of({
        start: (id, binding, waited = 0) => {
          const entry = live.get(id) ?? {
            answer: Deferred.makeUnsafe(),
            binding,
            sending: 0,
            answerAt: milliseconds(clock) + timings.answerAfter - waited
          }
          entry.sending++
          if (live.size === 0) busy.openUnsafe()
          live.set(id, entry)
          return entry
        },
        get: (id) => live.get(id) ?? null,
        finish: (id, settled) => {
          const entry = live.get(id)
          if (entry === undefined || --entry.sending > 0) return
          live.delete(id)
          if (live.size === 0) busy.closeUnsafe()
          Deferred.doneUnsafe(entry.answer, Effect.succeed(settled))
        },
        drained: Effect.suspend(() =>
          live.size === 0 ? Effect.void : Effect.repeat(Effect.sleep(pace), { while: () => live.size > 0 })
        )
      })
    })
  )
}

interface Entry extends LivePayment {
  /** Number of sends in progress: evidence may start a failover while an earlier send is still running. */
  sending: number
  /** ms, by the monotonic clock */
  readonly answerAt: number
}

/**
 * One timer for all waiting callers: a timer per caller would cost more than all other steps of a payment in the engine.
 * The timer uses the monotonic clock, so that a wall clock that is set back delays no caller, and the delays of timers in a
 * busy process do not add up.
 */
const answerOverdue = (live: ReadonlyMap<LiveId, Entry>, busy: Latch.Latch, clock: Clock.Clock) =>
  Effect.forever(
    Effect.flatMap(Effect.andThen(busy.await, Effect.sleep(pace)), () =>
      Effect.sync(() => {
        const now = milliseconds(clock)
        for (const entry of live.values()) {
          if (entry.answerAt <= now) Deferred.doneUnsafe(entry.answer, Effect.succeed(null))
        }
      })
    )
  )

/** The interval of the timer in ms. An answer is delayed by at most one interval plus the delay of the timer. */
const pace = 100

const milliseconds = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
