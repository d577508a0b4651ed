/**
 * The creation order of payments. It ensures that a client that pages towards newer payments (`ending_before`) misses
 * no payment: none may appear before a position that such a page has passed. One instance per engine. Times are ms UTC.
 *
 * - The times in new payment ids never go back; ids of the same ms have no order. If the clock is set back, these times
 *   advance at half speed until the clock has caught up.
 * - If this engine is the only one, a page towards newer payments ends before the payments that are being created. No
 *   id that is generated after the read sorts before the end of the page.
 * - If other engines may create payments too, the page ends before the first payment whose age is less than the
 *   duration of the slowest commit.
 */
import { Context, Effect, Layer } from "effect"
import { clockTolerance } from "../../domain/clockTolerance.ts"
import { firstPaymentId, timeOfPaymentId } from "../../domain/Ids.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import type { Payment } from "../../domain/Payment.ts"
import type { Page } from "../../store/PaymentStore.ts"

export interface Creation {
  /** Generates the payment id, in the order of the list. Pages end before this id until the creation has ended. */
  readonly open: (now: number, makeId: (time: number) => PaymentId) => PaymentId
}

export class CreationOrder extends Context.Service<
  CreationOrder,
  {
    /** Ensures that ids generated later sort after `newest`. */
    readonly startAfter: (newest: PaymentId) => void
    /**
     * Runs the creation of a payment. When `create` has ended, the payment is either visible or was never committed.
     */
    readonly creating: <A, E, R>(create: (creation: Creation) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Returns the position at which a page that is read after this call must end: no later payment of this engine sorts
     * before it.
     */
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

/** The position of a payment in the list, as cursor for paging. */
type Place = Pick<Payment, "id" | "createdAt">

/**
 * Cuts a page towards newer payments (newest first) at the first position before which another payment may still
 * appear.
 */
export const settledPage = (page: Page, mayBePreceded: (place: Place) => boolean): Page => {
  const { records, stoppedAt } = page
  const end = records.findLastIndex(({ payment }) => mayBePreceded(payment))
  const isSettled =
    end === -1 && (stoppedAt === null || !mayBePreceded({ id: stoppedAt, createdAt: timeOfPaymentId(stoppedAt) }))
  return isSettled ? page : { records: records.slice(end + 1), hasMore: false, stoppedAt: null }
}

/**
 * Whether a payment is so new that another engine may still commit one that sorts before it. A creation time far in the
 * future comes from a wrong clock and does not count. `slowest` is the longest time, ms, between the generation of a
 * payment's id and the end of its commit.
 */
export const isFresh = ({ createdAt }: Pick<Payment, "createdAt">, now: number, slowest: number): boolean =>
  createdAt > now - slowest && createdAt <= now + clockTolerance
