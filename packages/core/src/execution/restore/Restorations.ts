/**
 * This process's cached copy of the restore mark, which marks a restored database. The first commit of a payment compares
 * the cached mark with the stored mark and writes nothing if they differ, so a payment does not need to read the stored mark.
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
    /** The cached restore mark; may be outdated. */
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

/** Logs a restore mark that another process or an operator has set while this process runs. */
const logHolding = ({ mark }: Restoration) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    isHolding(mark, now) ? Effect.logWarning(restoredText(mark)) : Effect.void
  )
