/**
 * Registers the operations that this engine is sending now, and the callers that wait for their results. A create is
 * registered under its payment id.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import type { OperationId, PaymentId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { KeyBinding } from "../../store/PaymentStore.ts"
import type { PaymentResult } from "../PaymentResult.ts"
import { timings } from "../timings.ts"
import { makeWaits } from "./Waits.ts"
import type { Wait } from "./Waits.ts"

/**
 * The key of a running request: the payment id for a create with all its attempts, the operation id for a capture,
 * cancel or refund.
 */
export type LiveId = PaymentId | OperationId

export const liveId = ({ id, kind, paymentId }: Operation): LiveId => (kind === "create" ? paymentId : id)

export interface LivePayment {
  /**
   * The pending response. It completes when the operation ends, or with `null` when the caller's waiting time is over.
   */
  readonly answer: Deferred.Deferred<PaymentResult | null>
  /**
   * The row that binds the request's idempotency key; `null` without a key, or if the key already has a stored
   * response.
   */
  readonly binding: KeyBinding | null
}

export class LivePayments extends Context.Service<
  LivePayments,
  {
    /**
     * Counts a send that starts. The first send of a request sets `binding`, the row of its idempotency key, and
     * `waited`, the time that its caller has waited already, ms.
     */
    readonly start: (id: LiveId, binding: KeyBinding | null, waited?: number) => LivePayment
    readonly get: (id: LiveId) => LivePayment | null
    /** Counts a send that ended. The end of the last send completes the response. */
    readonly finish: (id: LiveId, settled: PaymentResult) => void
    /** Waits until no operation is being sent, for a graceful shutdown. */
    readonly drained: Effect.Effect<void>
  }
>()("@paymux/core/execution/LivePayments") {
  static readonly layer = Layer.effect(
    LivePayments,
    Effect.gen(function* () {
      const live = new Map<LiveId, Entry>()
      const waits = yield* makeWaits
      return LivePayments.of({
        start: (id, binding, waited = 0) => {
          const entry = live.get(id) ?? newEntry(binding, waits.now() + timings.answerAfter - waited)
          if (entry.sending++ === 0) waits.start(entry)
          live.set(id, entry)
          return entry
        },
        get: (id) => live.get(id) ?? null,
        finish: (id, settled) => {
          const entry = live.get(id)
          if (entry === undefined || --entry.sending > 0) return
          live.delete(id)
          waits.stop(entry)
          Deferred.doneUnsafe(entry.answer, Effect.succeed(settled))
        },
        drained: Effect.suspend(() =>
          live.size === 0 ? Effect.void : Effect.repeat(Effect.sleep(pace), { while: () => live.size > 0 })
        )
      })
    })
  )
}

interface Entry extends LivePayment, Wait {
  /**
   * The number of sends in progress for the request. It is above 1 if evidence starts a failover while an earlier send
   * is still running.
   */
  sending: number
}

/** A caller that waits for its response until `dueAt`, ms by the monotonic clock. */
const newEntry = (binding: KeyBinding | null, dueAt: number): Entry => {
  const answer = Deferred.makeUnsafe<PaymentResult | null>()
  return { answer, binding, dueAt, end: () => Deferred.doneUnsafe(answer, Effect.succeed(null)), sending: 0 }
}

/** The interval in ms at which `drained` looks for sends. */
const pace = 100
