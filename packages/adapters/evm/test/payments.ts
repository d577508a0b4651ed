/** What a merchant does with payments, and sees of them. */
import { assert } from "@effect/vitest"
import { decodeCreatePayment } from "@paymux/core"
import type { NextAction, PaymentRecord, Payments } from "@paymux/core"
import { refundsOf, refundStatus } from "@paymux/core/store"
import type { PaymentStore } from "@paymux/core/store"
import { plain } from "@paymux/test-suites"
import { Effect } from "effect"
import { getAddress } from "viem"
import { setTimeout as sleep } from "node:timers/promises"

export interface Asking {
  /** Minor units. Default: 50 dollars. */
  readonly amount?: number
  readonly currency?: string
  readonly asset?: string | null
  readonly network?: string | null
  readonly metadata?: { readonly [key: string]: string }
  /** The idempotency key of the request. Default: none. */
  readonly key?: string
}

type Transfer = Extract<NextAction, { readonly type: "stablecoin_transfer" }>

export const handleOf = (payments: Payments["Service"], store: PaymentStore["Service"]) => {
  const create = Effect.fnUntraced(function* (asking: Asking) {
    const idempotency = asking.key === undefined ? null : { endpoint: "payments", key: asking.key }
    const { record } = yield* payments.create(yield* asked(asking), { ...plain, idempotency })
    const { id } = record.payment
    if (!isProcessed(record))
      yield* until(Effect.map(Effect.orDie(store.get(id)), (found) => found === null || isProcessed(found)))
    return of((yield* Effect.orDie(store.get(id))) ?? record)
  })

  const of = (record: PaymentRecord) => {
    const { id } = record.payment
    const now = Effect.flatMap(Effect.orDie(store.get(id)), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )
    const seen = Effect.map(now, shown)
    return {
      record,
      now,
      seen,
      action: transferOf(record),
      address: getAddress(transferOf(record)?.address ?? "0x0000000000000000000000000000000000000000"),
      /** Waits until the payment shows all of this. */
      becomes: (expected: Partial<Shown>) =>
        Effect.gen(function* () {
          yield* until(Effect.map(seen, (found) => fits(found, expected)))
          const found = yield* seen
          assert.deepStrictEqual({ ...found, ...expected }, found, JSON.stringify(found))
        }),
      events: Effect.map(Effect.orDie(store.undispatchedEvents(10_000)), (events) =>
        events.filter(({ paymentId }) => paymentId === id).map(({ type }) => type)
      ),
      refund: (minorUnits: number | null = null) => payments.refund(id, { minorUnits, reason: null }, plain),
      cancel: payments.cancel(id, plain)
    }
  }
  return { create, of }
}

export type Handle = ReturnType<ReturnType<typeof handleOf>["of"]>

/** Asks again and again, until it holds or a minute is over; then the caller's own check says what is wrong. */
export const until = Effect.fnUntraced(function* <E>(condition: Effect.Effect<boolean, E>) {
  const end = performance.now() + patience
  while (performance.now() < end) {
    if (yield* condition) return
    yield* Effect.promise(() => sleep(4))
  }
})

/** ms, of the machine. */
const patience = 60_000

export type Shown = ReturnType<typeof shown>

/** A payment in a few words. */
const shown = (record: PaymentRecord) => {
  const { amountCaptured, amountReceived, amountRefunded, reviews, state } = record.payment
  return {
    status: state.status,
    reason: state.status === "pending" ? state.reason : null,
    code: state.status === "failed" ? state.failure.code : null,
    late: state.status === "succeeded" && state.late,
    reviews: reviews.map(({ reason }) => reason) as ReadonlyArray<(typeof reviews)[number]["reason"]>,
    captured: amountCaptured,
    received: amountReceived,
    refunded: amountRefunded,
    refunds: refundsOf(record).map(refundStatus)
  }
}

export const fits = (found: Shown, expected: Partial<Shown>): boolean =>
  JSON.stringify({ ...found, ...expected }) === JSON.stringify(found)

/** On a busy machine, a payment is answered before its address is issued. */
const isProcessed = ({ payment: { state } }: PaymentRecord): boolean =>
  state.status !== "pending" || state.reason !== "processing"

const transferOf = ({ payment: { state } }: PaymentRecord): Transfer | null =>
  state.status === "pending" && state.nextAction?.type === "stablecoin_transfer" ? state.nextAction : null

const asked = ({ amount = 5_000, asset, currency = "USD", metadata, network }: Asking) =>
  Effect.orDie(
    decodeCreatePayment({
      amount,
      currency,
      payment_method: "stablecoin",
      payment_method_details: {
        stablecoin: {
          ...(asset !== null && { asset: asset ?? "USDC" }),
          ...(network !== null && { network: network ?? "local" })
        }
      },
      customer: { email: "asha@example.com", phone: "+919812345678" },
      ...(metadata !== undefined && { metadata })
    })
  )
