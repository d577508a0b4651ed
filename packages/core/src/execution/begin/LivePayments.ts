/** What this engine is sending at this moment, and who waits for it. A create is known by its payment. */
import { Clock, Context, Deferred, Effect, Latch, Layer } from "effect"
import type { OperationId, PaymentId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { KeyBinding } from "../../store/PaymentStore.ts"
import { timings } from "../timings.ts"

/** The create of a payment with all its attempts, or one later operation. */
export type LiveId = PaymentId | OperationId

export const liveId = ({ id, kind, paymentId }: Operation): LiveId => (kind === "create" ? paymentId : id)

/** The result of a request: decided, or still open. */
export interface Settled {
  readonly record: PaymentRecord
  /** The public JSON, where the commit has made it already. */
  readonly body: string | null
}

export interface LivePayment {
  /** Done when it has come to its end, or with `null` when its caller has waited long enough. */
  readonly answer: Deferred.Deferred<Settled | null>
  /** The idempotency key that waits for its answer. */
  readonly binding: KeyBinding | null
}

export class LivePayments extends Context.Service<
  LivePayments,
  {
    /** One more is sending for it; who is first brings the binding, and the ms that its caller has waited before. */
    readonly start: (id: LiveId, binding: KeyBinding | null, waited?: number) => LivePayment
    readonly get: (id: LiveId) => LivePayment | null
    /** One less. The last one answers for all. */
    readonly finish: (id: LiveId, settled: Settled) => void
    /** Waits until nothing is being sent. */
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
  /** How many drives are under way: evidence may fail over while a send still runs. */
  sending: number
  /** ms, by the monotonic clock */
  readonly answerAt: number
}

/**
 * One timer for all callers: a timer for each would cost more than the rest of a payment's way through the engine. The
 * monotonic clock counts: a wall clock that is set back delays no caller, nor do the late timers of a busy process add up.
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

/** ms: by how much an answer may be late. */
const pace = 100

const milliseconds = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
