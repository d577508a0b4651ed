/**
 * Caches the restore marker, which is stored in a restored database, in this process. The first commit of a payment
 * compares the cached marker with the stored one and writes nothing if they differ, so no payment has to read the
 * stored marker.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { isHolding } from "../../domain/restoredMark.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"
import type { Restoration } from "../../domain/restoredMark.ts"
import { restoredText } from "./restoredText.ts"

export class Restorations extends Context.Service<
  Restorations,
  {
    /** The cached restore marker, which may be outdated. */
    readonly known: Effect.Effect<Restoration, StoreUnavailable>
    readonly reread: Effect.Effect<Restoration, StoreUnavailable>
  }
>()("@paymux/core/execution/restoration/Restorations") {
  static readonly layer = Layer.effect(
    Restorations,
    Effect.map(PaymentStore, ({ restoration }) => {
      let latest: Restoration | null = null
      const reread = Effect.tap(restoration.read, (read) => {
        const isNews = latest !== null && latest.version !== read.version
        latest = read
        return isNews ? logHolding(read) : Effect.void
      })
      return Restorations.of({
        known: Effect.suspend(() => (latest === null ? reread : Effect.succeed(latest))),
        reread
      })
    })
  )
}

/** Logs a restore marker that another process or an operator has set while this process runs. */
const logHolding = ({ mark }: Restoration) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    isHolding(mark, now) ? Effect.logWarning(restoredText(mark)) : Effect.void
  )
