/** The statement of a vendor against the books of a server: only what was not reported to the server differs. */
import { assert, describe, it } from "@effect/vitest"
import type { Ledger } from "@paymux/testkit/fake"
import { Effect } from "effect"
import { adyen } from "../../packages/adapters/adyen/src/index.ts"
import { fake as adyenFake } from "../../packages/adapters/adyen/src/testing/fake.ts"
import { optionsOf as adyenOptions } from "../../packages/adapters/adyen/src/testing/options.ts"
import { encrypted } from "../../packages/adapters/adyen/src/testing/tokens.ts"
import { cashfree } from "../../packages/adapters/cashfree/src/index.ts"
import { booksOf as cashfreeBooks } from "../../packages/adapters/cashfree/src/testing/books.ts"
import { fake as cashfreeFake, s2sFake as cashfreeS2sFake } from "../../packages/adapters/cashfree/src/testing/fake.ts"
import { optionsOf as cashfreeOptions } from "../../packages/adapters/cashfree/src/testing/options.ts"
import { coinbase } from "../../packages/adapters/coinbase/src/index.ts"
import { fake as coinbaseFake } from "../../packages/adapters/coinbase/src/testing/fake.ts"
import { optionsOf as coinbaseOptions } from "../../packages/adapters/coinbase/src/testing/options.ts"
import { razorpay } from "../../packages/adapters/razorpay/src/index.ts"
import { fake as razorpayFake } from "../../packages/adapters/razorpay/src/testing/fake.ts"
import { optionsOf as razorpayOptions } from "../../packages/adapters/razorpay/src/testing/options.ts"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"
import { fake as stripeFake } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { optionsOf as stripeOptions } from "../../packages/adapters/stripe/src/testing/options.ts"
import { shop } from "./shop.ts"

const customer = { email: "asha@example.com", phone: "+4915112345678" }
const byToken = {
  amount: 12_500,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "pm_card_visa" } },
  customer
} as const
const byPage = {
  amount: 12_510,
  currency: "EUR",
  payment_method: "card",
  return_url: "https://shop.example/thanks",
  customer
} as const
const byUpi = {
  amount: 12_530,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  customer: { email: "asha@example.com", phone: "+919812345678" }
} as const
const byQr = { ...byUpi, payment_method_details: { upi: { flow: "qr" } } } as const
const client = { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/cart" }
const byCoin = { amount: 12_520, currency: "USD", payment_method: "stablecoin", customer } as const

describe("a vendor's statement beside the books of a server", () => {
  it.live("Stripe: by token, by page, captured in part, and refunded", () =>
    Effect.gen(function* () {
      const vendor = yield* stripeFake.start({ mode: "test" })
      const { paymux, payersPay, reconcile } = yield* shop(stripe(stripeOptions(vendor)), vendor)
      const paid = yield* Effect.promise(() => paymux.payments.create(byToken))
      yield* Effect.promise(() => paymux.payments.create(byPage))
      yield* payersPay
      const held = yield* Effect.promise(() => paymux.payments.create({ ...byToken, capture_method: "manual" }))
      yield* Effect.promise(() => paymux.payments.capture(held.id, { amount: 5_000 }))
      for (const amount of [300, 300]) yield* Effect.promise(() => paymux.refunds.create(paid.id, { amount }))
      vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "EUR" } })
      vendor.ledger.book({ type: "payout", amount: { minorUnits: 99, currency: "EUR" } })
      const first = yield* reconcile
      assert.deepStrictEqual(first.kinds, [])
      assert.deepInclude(first.counts, { matched: 5, foreign: 1, account: 1 })

      const [charged] = vendor.ledger.payments()
      const ours = { amount: { minorUnits: 700, currency: "EUR" }, ...(charged && { payment: charged.id }) }
      vendor.ledger.book({ ...ours, type: "refund" })
      vendor.ledger.book({ ...ours, type: "dispute" })
      assert.deepStrictEqual((yield* reconcile).kinds, ["other_status", "unknown_refund"])
    }).pipe(Effect.scoped)
  )

  it.live("Coinbase: captured by Coinbase and by us, and refunded", () =>
    Effect.gen(function* () {
      const vendor = yield* coinbaseFake.start({ mode: "test" })
      const { paymux, payersPay, reconcile } = yield* shop(coinbase(coinbaseOptions(vendor)), vendor)
      const paid = yield* Effect.promise(() => paymux.payments.create(byCoin))
      const held = yield* Effect.promise(() => paymux.payments.create({ ...byCoin, capture_method: "manual" }))
      yield* payersPay
      yield* Effect.promise(() => paymux.payments.capture(held.id, { amount: 5_000 }))
      yield* Effect.promise(() => paymux.refunds.create(paid.id, { amount: 300 }))
      yield* payersPay
      vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "USD" } })
      const first = yield* reconcile
      assert.deepStrictEqual(first.kinds, [])
      assert.deepInclude(first.counts, { matched: 3, foreign: 1 })

      const [charged] = vendor.ledger.payments()
      const amount = { minorUnits: 700, currency: "USD" }
      vendor.ledger.book({ type: "refund", amount, ...(charged && { payment: charged.id }) })
      assert.deepStrictEqual((yield* reconcile).kinds, ["unknown_refund"])
    }).pipe(Effect.scoped)
  )

  for (const qr of ["link", "qr_code"] as const) {
    it.live(`Razorpay: by Payment Link, intent and QR code (${qr}), and refunded`, () =>
      Effect.gen(function* () {
        const vendor = yield* razorpayFake.start({ mode: "test" })
        const provider = razorpay({ ...razorpayOptions(vendor), qr, settlements: true })
        const { paymux, payersPay, reconcile } = yield* shop(provider, vendor)
        const requests = [byUpi, { ...byUpi, client }, { ...byQr, client }]
        const paid = yield* Effect.forEach(requests, (each) => Effect.promise(() => paymux.payments.create(each)))
        yield* payersPay
        for (const { id } of paid) yield* Effect.promise(() => paymux.refunds.create(id, { amount: 300 }))
        vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "INR" } })
        const first = yield* reconcile
        assert.deepStrictEqual(first.kinds, [])
        assert.deepInclude(first.counts, { matched: 6, foreign: 1 })
        yield* bookOthers(vendor.ledger)
        assert.deepStrictEqual((yield* reconcile).kinds, ["other_status", "unknown_refund"])
      }).pipe(Effect.scoped)
    )
  }

  for (const linkTags of ["link_id and cf_link_id", "cf_link_id"] as const) {
    it.live(`Cashfree: on its page, with orders that are tagged by ${linkTags}, and refunded`, () =>
      Effect.gen(function* () {
        const vendor = yield* cashfreeFake.start({ mode: "test" })
        cashfreeBooks(vendor.ledger).ways.linkTags = linkTags
        const { paymux, payersPay, reconcile } = yield* shop(cashfree(cashfreeOptions(vendor)), vendor)
        const paid = yield* Effect.promise(() => paymux.payments.create(byUpi))
        yield* payersPay
        yield* Effect.promise(() => paymux.refunds.create(paid.id, { amount: 300 }))
        vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "INR" } })
        const first = yield* reconcile
        assert.deepStrictEqual(first.kinds, [])
        assert.deepInclude(first.counts, { matched: 2, foreign: 1 })
        yield* bookOthers(vendor.ledger)
        assert.deepStrictEqual((yield* reconcile).kinds, ["other_status", "unknown_refund"])
      }).pipe(Effect.scoped)
    )
  }

  it.live("Cashfree: by intent and QR code, captured, and refunded", () =>
    Effect.gen(function* () {
      const vendor = yield* cashfreeS2sFake.start({ mode: "test" })
      const provider = cashfree({ ...cashfreeOptions(vendor), s2s: true, preauthorization: true })
      const { paymux, payersPay, reconcile } = yield* shop(provider, vendor)
      const paid = yield* Effect.promise(() => paymux.payments.create(byUpi))
      const held = yield* Effect.promise(() => paymux.payments.create({ ...byQr, capture_method: "manual" }))
      yield* payersPay
      yield* Effect.promise(() => paymux.payments.capture(held.id))
      yield* Effect.promise(() => paymux.refunds.create(paid.id, { amount: 300 }))
      vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "INR" } })
      vendor.ledger.book({ type: "payout", amount: { minorUnits: 99, currency: "INR" } })
      const first = yield* reconcile
      assert.deepStrictEqual(first.kinds, [])
      assert.deepInclude(first.counts, { matched: 3, foreign: 1, account: 1 })
      yield* bookOthers(vendor.ledger)
      assert.deepStrictEqual((yield* reconcile).kinds, ["other_status", "unknown_refund"])
    }).pipe(Effect.scoped)
  )

  it.live("Adyen: by token, by payment link, captured in part, and refunded", () =>
    Effect.gen(function* () {
      const vendor = yield* adyenFake.start({ mode: "test" })
      const { paymux, payersPay, reconcile } = yield* shop(adyen(adyenOptions(vendor)), vendor)
      const encryptedCard = { ...byPage, payment_method_details: { card: { tokens: { adyen: encrypted } } } }
      const paid = yield* Effect.promise(() => paymux.payments.create(encryptedCard))
      const linked = yield* Effect.promise(() => paymux.payments.create(byPage))
      const held = yield* Effect.promise(() => paymux.payments.create({ ...encryptedCard, capture_method: "manual" }))
      yield* payersPay
      yield* Effect.promise(() => paymux.payments.capture(held.id, { amount: 5_000 }))
      for (const { id } of [paid, linked]) yield* Effect.promise(() => paymux.refunds.create(id, { amount: 300 }))
      yield* payersPay
      vendor.ledger.book({ type: "charge", amount: { minorUnits: 999, currency: "EUR" } })
      vendor.ledger.book({ type: "payout", amount: { minorUnits: 99, currency: "EUR" } })
      const first = yield* reconcile
      assert.deepStrictEqual(first.kinds, [])
      assert.deepInclude(first.counts, { matched: 5, foreign: 1, account: 1 })
      yield* bookOthers(vendor.ledger)
      assert.deepStrictEqual((yield* reconcile).kinds, ["other_status", "unknown_refund"])
    }).pipe(Effect.scoped)
  )
})

/** A refund from the dashboard and a dispute, both of the first payment. */
const bookOthers = (ledger: Ledger) =>
  Effect.sync(() => {
    const [charged] = ledger.payments()
    if (charged === undefined) return assert.fail("nothing was charged")
    const ours = { amount: { minorUnits: 700, currency: charged.amount.currency }, payment: charged.id }
    ledger.book({ ...ours, type: "refund" })
    ledger.book({ ...ours, type: "dispute" })
  })
