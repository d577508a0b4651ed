/**
 * The order of payments in lists, for a reader that follows them towards newer ones (`ending_before`) and passes each place
 * once: no payment may appear before a place that such a page has passed. One per engine. Times are ms UTC.
 *
 * - Ids never go back. If the clock is set back, the times of ids run on at half speed until the clock has reached them.
 * - If this engine is the only one, a page towards newer payments ends before those that are being created, and no id that is
 *   made afterwards comes before its end.
 * - If others may create payments, too, it ends before the first one that is younger than the slowest commit.
 */
import { Context, Effect, Layer } from "effect"
import { clockTolerance } from "../../domain/clockTolerance.ts"
import { firstPaymentId, timeOfPaymentId } from "../../domain/Ids.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import type { Payment } from "../../domain/Payment.ts"
import type { Page } from "../../store/PaymentStore.ts"

export interface Creation {
  /** Makes the id, in the order of the list; a page ends before it until the creation has ended. */
  readonly open: (now: number, makeId: (time: number) => PaymentId) => PaymentId
}

export class CreationOrder extends Context.Service<
  CreationOrder,
  {
    /** Ids made from now on come after this one. */
    readonly startAfter: (newest: PaymentId) => void
    /** Creates a payment: at the end it is visible, or never will be. */
    readonly creating: <A, E, R>(create: (creation: Creation) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Where a page that is read after this call ends: no payment of this engine appears before it any more. */
    readonly settledUntil: (now: number) => PaymentId
  }
>()("@paymux/core/execution/CreationOrder") {
  static readonly layer: Layer.Layer<CreationOrder> = Layer.sync(CreationOrder, () => make())
}

const make = (): CreationOrder["Service"] => {
  const open = new Set<{ id: PaymentId | null }>()
  let last = { now: Number.NEGATIVE_INFINITY, time: Number.NEGATIVE_INFINITY }
  const timeAt = (now: number): number => {
    const elapsed = Number.isFinite(last.now) ? Math.max(0, now - last.now) : 0
    last = { now, time: Math.max(now, last.time + elapsed / 2) }
    return Math.floor(last.time)
  }
  return {
    startAfter: (newest) => {
      last = { ...last, time: Math.max(last.time, timeOfPaymentId(newest) + 1) }
    },
    creating: (create) =>
      Effect.suspend(() => {
        const entry: { id: PaymentId | null } = { id: null }
        const creation: Creation = {
          open: (now, makeId) => {
            const id = makeId(timeAt(now))
            entry.id = id
            open.add(entry)
            return id
          }
        }
        return Effect.ensuring(
          create(creation),
          Effect.sync(() => open.delete(entry))
        )
      }),
    settledUntil: (now) => {
      const time = timeAt(now) + 1
      last = { now, time: Math.max(last.time, time) }
      let first = firstPaymentId(time)
      for (const { id } of open) if (id !== null && id < first) first = id
      return first
    }
  }
}

/** A place in the list. */
type Place = Pick<Payment, "id" | "createdAt">

/** A page towards newer payments, which is newest first, up to the first one before which another may appear. */
export const settledPage = (page: Page, mayBePreceded: (place: Place) => boolean): Page => {
  const { records, stoppedAt } = page
  const end = records.findLastIndex(({ payment }) => mayBePreceded(payment))
  const isSettled =
    end === -1 && (stoppedAt === null || !mayBePreceded({ id: stoppedAt, createdAt: timeOfPaymentId(stoppedAt) }))
  return isSettled ? page : { records: records.slice(end + 1), hasMore: false, stoppedAt: null }
}

/**
 * Whether another engine may still commit a payment that comes before. A time far in the future is of a wrong clock. `slowest`:
 * ms between the id of a payment and the end of its commit, at most.
 */
export const isFresh = ({ createdAt }: Pick<Payment, "createdAt">, now: number, slowest: number): boolean =>
  createdAt > now - slowest && createdAt <= now + clockTolerance
