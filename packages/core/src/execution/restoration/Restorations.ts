/**
 * The mark of a restored database, as this process knows it. The first commit of a payment writes nothing unless it is the
 * stored one, so reading it costs a payment nothing.
 */
import { Context, Effect, Layer } from "effect"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"
import type { Restoration } from "../../store/RestorationStore.ts"

export class Restorations extends Context.Service<
  Restorations,
  {
    /** Read once; may be outdated. */
    readonly known: Effect.Effect<Restoration, StoreUnavailable>
    readonly reread: Effect.Effect<Restoration, StoreUnavailable>
  }
>()("@paymux/core/execution/restoration/Restorations") {
  static readonly layer = Layer.effect(
    Restorations,
    Effect.map(PaymentStore, ({ restoration }) => {
      let latest: Restoration | null = null
      const reread = Effect.map(restoration.read, (read) => (latest = read))
      return Restorations.of({
        known: Effect.suspend(() => (latest === null ? reread : Effect.succeed(latest))),
        reread
      })
    })
  )
}
