/** The payments that this engine is sending at this moment, and who waits for them. */
import { Context, Deferred, Effect, Layer } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { KeyBinding } from "../store/PaymentStore.ts"

/** What a create comes to: the payment decided, or held open. */
export interface Settled {
  readonly record: PaymentRecord
  /** The public JSON, where the commit has made it already. */
  readonly body: string | null
}

export interface LivePayment {
  readonly settled: Deferred.Deferred<Settled>
  /** The idempotency key that waits for its answer. */
  readonly binding: KeyBinding | null
}

export class LivePayments extends Context.Service<
  LivePayments,
  {
    readonly start: (id: PaymentId, binding: KeyBinding | null) => LivePayment
    readonly get: (id: PaymentId) => LivePayment | null
    readonly finish: (id: PaymentId, settled: Settled) => void
    /** Waits until nothing is being sent. */
    readonly drained: Effect.Effect<void>
  }
>()("@paymux/core/execution/LivePayments") {
  static readonly layer = Layer.sync(LivePayments, () => {
    const live = new Map<PaymentId, LivePayment>()
    return LivePayments.of({
      start: (id, binding) => {
        const payment: LivePayment = { settled: Deferred.makeUnsafe(), binding }
        live.set(id, payment)
        return payment
      },
      get: (id) => live.get(id) ?? null,
      finish: (id, settled) => {
        const payment = live.get(id)
        live.delete(id)
        if (payment !== undefined) Deferred.doneUnsafe(payment.settled, Effect.succeed(settled))
      },
      drained: Effect.suspend(() =>
        Effect.forEach([...live.values()], (payment) => Deferred.await(payment.settled), {
          concurrency: "unbounded",
          discard: true
        })
      )
    })
  })
}
