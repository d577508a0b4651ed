/**
 * Finds orders that were paid twice, for merchants that do not send `order`. A background pass reads the payments in
 * small batches. Each payment is checked an hour, a day and eight days after its creation, because it may be paid late.
 * Nothing is refunded: an operator decides whether the customer intended both payments.
 */
import { Context, Effect, Layer } from "effect"
import { changed } from "../../domain/transition/change.ts"
import { acceptedAttempt } from "../../domain/books/balance.ts"
import { isKept, questioned } from "../../domain/books/reviews.ts"
import { firstPaymentId, Ids } from "../../domain/Ids.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import { createOf } from "../../domain/Payment.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { PaymentStore } from "../../store/PaymentStore.ts"
import type { RepeatedOrders } from "../../store/OrderStore.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"
import { inBackground } from "../recover/inBackground.ts"
import { isCommitted, PaymentWriter } from "../conclude/PaymentWriter.ts"

export class DoubleOrders extends Context.Service<
  DoubleOrders,
  {
    /** Runs one pass; of several servers only one runs it. Returns the number of payments that were put in review. */
    readonly pass: Effect.Effect<number, StoreUnavailable>
  }
>()("@paymux/core/execution/DoubleOrders") {
  /** Runs a pass every ten minutes while the layer lives; the first pass runs two minutes after the start. */
  static readonly layer = Layer.effect(
    DoubleOrders,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* PaymentStore
  const writer = yield* PaymentWriter
  const owner = (yield* Ids).engine()
  const looks: ReadonlyArray<{ readonly age: number; until: PaymentId | null }> = ages.map((age) => ({
    age,
    until: null
  }))

  const pass = Effect.gen(function* () {
    const now = yield* store.now
    if ((yield* store.leases.hold(lease, { owner, now, until: now + 2 * times.every })) === null) return 0
    let found = 0
    for (const look of looks) {
      const before = firstPaymentId(Math.max(0, now - look.age))
      let after: PaymentId | null = look.until ?? firstPaymentId(Math.max(0, now - look.age - day))
      while (after !== null) {
        const { next, payments }: RepeatedOrders = yield* store.orders.repeated({ after, before, limit })
        for (const id of payments) if (yield* review(id)) found++
        after = next
        if (next !== null) yield* Effect.sleep(times.pause)
      }
      look.until = before
    }
    return found
  })

  const review = Effect.fnUntraced(function* (id: PaymentId): Effect.fn.Return<boolean, StoreUnavailable> {
    while (true) {
      const record = yield* store.get(id)
      const now = yield* store.now
      const after = record === null ? null : inReview(record, now)
      if (record === null || after === null) return false
      const written = yield* writer.write(record, changed(after, now, {}, null), { cause: null, binding: null })
      if (isCommitted(written)) return true
    }
  })

  yield* inBackground(pass, times, "Double orders: this is tried again in ten minutes")
  return DoubleOrders.of({ pass })
})

/**
 * Adds the review to the payment; `null` if it is in review already, an operator resolved the review, or the money was
 * returned.
 */
const inReview = (record: PaymentRecord, now: number): PaymentRecord | null => {
  const paid = acceptedAttempt(record)
  const create = paid === undefined ? undefined : createOf(record, paid.seq)
  // Skips a payment whose money was returned: its review would end immediately, and only add a version of the payment.
  if (create === undefined || !isKept(record)) return null
  const asked = questioned(record, "possible_duplicate", create, now)
  return asked === record ? null : asked
}

const lease = "double orders"
const day = 86_400_000
/** The ages at which a payment is checked, ms. */
const ages = [3_600_000, day + 3_600_000, 8 * day]
/** The number of payments per batch. The database needs some milliseconds for one. */
const limit = 500
/** The delay before the first pass, the interval of passes, and the pause between batches, ms. */
const times = { first: 120_000, every: 600_000, pause: 50 } as const
