/** The engine over two accounts at Stripe, of which the first may not take what it is asked for. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cards } from "../src/testing/fake.ts"
import { bodies } from "./foreign/bodies.ts"
import { environment, stateOf } from "./testEnvironment.ts"

const tokens = { stripe: "pm_card_visa", stripe_b: "pm_card_mastercard" }
const dollars = { currency: "USD" }
const address = {
  line1: "510 Townsend Street",
  city: "San Francisco",
  postal_code: "94103",
  state: "CA",
  country: "US"
}
const customer = { email: "asha@example.com", name: "Asha Rao" }

const faults = bodies.filter(({ expected }) => expected.class === "account_not_enabled")

const refused = (code: string, status = 400) =>
  ({ executed: false, reply: { status, json: { error: { type: "invalid_request_error", code } } } }) as const

const providersOf = ({ attempts }: { readonly attempts: ReadonlyArray<{ readonly provider: string }> }) =>
  attempts.map(({ provider }) => provider)

describe("an account that may not take a payment", () => {
  for (const { body, call, id, status } of faults) {
    it.effect(`${id}: the next provider takes it, and 20 payments of another kind reach Stripe`, () =>
      Effect.gen(function* () {
        const { create, network } = yield* environment
        yield* network.failNext({ executed: false, reply: { status, json: body } })
        const record = yield* create(call === "create_hosted" ? {} : { tokens }, 0, dollars)
        assert.deepStrictEqual(providersOf(record), ["stripe", "stripe_b"])
        for (let payment = 0; payment < 20; payment++) {
          assert.deepStrictEqual(stateOf(yield* create({ tokens })), { status: "succeeded", by: "stripe", reviews: [] })
        }
      }).pipe(Effect.scoped)
    )

    it.effect(`${id}: if every provider says so, the failure names the account or the missing detail`, () =>
      Effect.gen(function* () {
        const { create, first, network, second } = yield* environment
        for (const vendor of [network, second.network]) {
          yield* vendor.failNext({ executed: false, reply: { status, json: body } })
        }
        const state = stateOf(yield* create(call === "create_hosted" ? {} : { tokens }, 0, dollars))
        assert.include(["account_not_enabled", "details_required"], state.code)
        assert.isEmpty(yield* first.payments)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("is not recognized by the merchant's metadata, whose keys and values an error repeats", () =>
    Effect.gen(function* () {
      const { create, network } = yield* environment
      for (const param of ["metadata[currency]", "payment_intent_data[metadata][description]"]) {
        const message = "Metadata values can have up to 500 characters: 'your account cannot currently make charges'"
        const error = { type: "invalid_request_error", param, message }
        yield* network.failNext({ executed: false, reply: { status: 400, json: { error } } })
        const record = yield* create({ tokens })
        assert.deepInclude(stateOf(record), { code: "request_rejected" }, param)
        assert.deepStrictEqual(providersOf(record), ["stripe"])
      }
    }).pipe(Effect.scoped)
  )

  // The codes that were read as an invalid request, which ended the payment.
  for (const code of ["testmode_charges_only", "capability_not_active", "payment_intent_invalid_parameter"]) {
    it.effect(`${code} goes to the next provider`, () =>
      Effect.gen(function* () {
        const { create, network, sent } = yield* environment
        yield* network.failNext(refused(code))
        const record = yield* create({ tokens })
        assert.deepStrictEqual(stateOf(record), { status: "succeeded", by: "stripe_b", reviews: [] })
        assert.deepStrictEqual(yield* sent, [1, 1])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("payment_method_not_available is a decline that goes to the next provider, and is not remembered", () =>
    Effect.gen(function* () {
      const { create, network, sent } = yield* environment
      yield* network.failNext(refused("payment_method_not_available"))
      assert.strictEqual(stateOf(yield* create({ tokens })).by, "stripe_b")
      assert.strictEqual(stateOf(yield* create({ tokens })).by, "stripe")
      assert.deepStrictEqual(yield* sent, [2, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("a kind is remembered for its currency alone, and a fault of one payment is not remembered", () =>
    Effect.gen(function* () {
      const { create, network, sent } = yield* environment
      yield* network.failNext(refused("amount_too_small"))
      yield* create({ tokens }, 0, dollars)
      assert.strictEqual(stateOf(yield* create({ tokens }, 0, dollars)).by, "stripe")
      yield* network.failNext(refused("testmode_charges_only"))
      yield* create({ tokens }, 0, dollars)
      assert.deepStrictEqual(yield* sent, [3, 2])
      assert.strictEqual(stateOf(yield* create({ tokens }, 0, dollars)).by, "stripe_b")
      assert.deepStrictEqual(yield* sent, [3, 3])
      assert.strictEqual(stateOf(yield* create({ tokens })).by, "stripe")
    }).pipe(Effect.scoped)
  )

  it.effect("after a send without a reply, its refusal proves nothing: no other provider is tried", () =>
    Effect.gen(function* () {
      const { create, network, sent } = yield* environment
      yield* network.failNext({ executed: true, reply: "reset" })
      yield* network.failNext(refused("testmode_charges_only"), 1)
      const record = yield* create({ tokens }, 8_000)
      assert.strictEqual(stateOf(record).status, "pending")
      assert.strictEqual((yield* sent)[1], 0)
    }).pipe(Effect.scoped)
  )
})

describe("an account in India", () => {
  const foreign = { tokens: { stripe: cards.foreign, stripe_b: cards.foreign } }

  it.effect("takes a foreign card with the payer's name and address, and a description", () =>
    Effect.gen(function* () {
      const { create, sent } = yield* environment
      const complete = { ...dollars, customer: { ...customer, address }, description: "Two tickets" }
      assert.deepStrictEqual(stateOf(yield* create(foreign, 0, complete)), {
        status: "succeeded",
        by: "stripe",
        reviews: []
      })
      assert.deepStrictEqual(yield* sent, [1, 0])
    }).pipe(Effect.scoped)
  )

  for (const [code, request] of [
    ["customer_name_missing", { customer: { email: customer.email } }],
    ["customer_address_missing", { customer }],
    ["description_missing", { customer: { ...customer, address } }]
  ] as const) {
    it.effect(`${code}: without it, the payment fails as details_required, and the provider keeps its place`, () =>
      Effect.gen(function* () {
        const { create, sent } = yield* environment
        const record = yield* create(foreign, 0, { ...dollars, ...request })
        assert.deepStrictEqual(stateOf(record), { status: "failed", code: "details_required", reviews: [] })
        assert.deepStrictEqual(
          record.attempts.map(({ vendorCode }) => vendorCode),
          [code, code]
        )
        assert.deepStrictEqual(yield* sent, [1, 1])
        yield* create({ tokens }, 0, dollars)
        assert.deepStrictEqual(yield* sent, [2, 1])
      }).pipe(Effect.scoped)
    )
  }
})

describe("large amounts", () => {
  for (const [currency, amount] of [
    ["IDR", 150_000_000],
    ["INR", 150_000_000],
    ["COP", 400_000_000],
    ["LBP", 200_000_000],
    ["VND", 100_000_000],
    ["IDR", 999_999_999_999]
  ] as const) {
    it.effect(`${amount} minor units of ${currency} are sent to Stripe, whose own limit decides`, () =>
      Effect.gen(function* () {
        const { create, network } = yield* environment
        const record = yield* create({ tokens }, 0, { amount, currency })
        assert.deepStrictEqual(stateOf(record), { status: "succeeded", by: "stripe", reviews: [] })
        yield* network.failNext(refused("amount_too_large"))
        assert.strictEqual(stateOf(yield* create({ tokens }, 0, { amount, currency })).by, "stripe_b")
      }).pipe(Effect.scoped)
    )
  }
})
