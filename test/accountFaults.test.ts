/**
 * Published answers by which a vendor refuses a payment to the account, by the real engine: the next provider takes the payment; alone
 * it fails with a code of its own; and 20 payments of another kind reach the same instance. Stripe's and Adyen's are in their packages.
 */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import type { PaymentRecord, Provider } from "@paymux/core"
import { testEngine } from "@paymux/test-suites"
import type { Fake, Vendor } from "@paymux/testkit"
import { Effect, Logger, Schema } from "effect"
import { readFileSync } from "node:fs"
import { cashfree } from "../packages/adapters/cashfree/src/index.ts"
import { s2sFake } from "../packages/adapters/cashfree/src/testing/fake.ts"
import { optionsOf as cashfreeOptions } from "../packages/adapters/cashfree/src/testing/options.ts"
import { coinbase } from "../packages/adapters/coinbase/src/index.ts"
import { fake as coinbaseFake } from "../packages/adapters/coinbase/src/testing/fake.ts"
import { optionsOf as coinbaseOptions } from "../packages/adapters/coinbase/src/testing/options.ts"
import { razorpay } from "../packages/adapters/razorpay/src/index.ts"
import { fake as razorpayFake } from "../packages/adapters/razorpay/src/testing/fake.ts"
import { optionsOf as razorpayOptions } from "../packages/adapters/razorpay/src/testing/options.ts"

const Bodies = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    call: Schema.String,
    status: Schema.Int,
    body: Schema.Json,
    expected: Schema.Record(Schema.String, Schema.Json)
  })
)
type Body = (typeof Bodies.Type)[number]

const refusals = (file: string): ReadonlyArray<Body> =>
  Schema.decodeUnknownSync(Schema.fromJsonString(Bodies))(
    readFileSync(new URL(`../packages/adapters/${file}`, import.meta.url), "utf8")
  ).filter(
    ({ call, expected }) =>
      call !== "refund" && words.some((word) => word === expected["class"] || word === expected["_tag"])
  )

const words = ["account_not_enabled", "account_may_not", "AccountNotEnabled"]

const customer = {
  email: "asha@example.com",
  phone: "+919812345678",
  name: "Asha Rao",
  address: { line1: "12 MG Road", city: "Bengaluru", state: "KA", postal_code: "560001", country: "IN" }
}
const client = { ip: "203.0.113.7", user_agent: "Mozilla/5.0", referer: "https://shop.example/cart" }
const upi = { amount: 10_000, currency: "INR", payment_method: "upi", customer }
const usdc = { amount: 10_000, currency: "USD", payment_method: "stablecoin", customer }
const qr = { payment_method_details: { upi: { flow: "qr" } } }

interface Case<V extends Vendor> {
  readonly fake: Fake<V>
  readonly make: (vendor: V) => Provider
  readonly bodies: ReadonlyArray<Body>
  /** The request that the body is an answer to, and how many requests come before it. */
  readonly refused: (body: Body) => { readonly request: object; readonly after: number }
  /** A payment of another kind; `null`: the instance takes one kind only. */
  readonly other: ((body: Body) => object) | null
}

const taken = defineProvider({
  id: "next",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: {
      upi: { currencies: ["INR"], flows: { intent: {}, qr: {} } },
      stablecoin: { currencies: "any", flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
    },
    operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})({})

const tried = ({ attempts }: PaymentRecord) => attempts.map(({ provider, status }) => `${provider} ${status}`)

const describeFaults = <V extends Vendor>(name: string, { bodies, fake, make, other, refused }: Case<V>) => {
  const begin = Effect.fnUntraced(function* (body: Body, rest: ReadonlyArray<Provider>) {
    const vendor = yield* fake.start({ mode: "test" })
    const { network } = vendor
    if (network === null) return yield* Effect.die(new Error("The fake has a network"))
    const engine = testEngine([make(vendor), ...rest])
    const running = yield* engine.start
    const { after, request } = refused(body)
    yield* network.failNext({ executed: false, reply: { status: body.status, json: body.body } }, after)
    const record = yield* engine.create(running, request)
    return { record, create: (asked: object) => engine.create(running, asked) }
  })

  describe(`an account fault at ${name}`, () => {
    for (const body of bodies) {
      it.live(
        `${body.id}: the next provider takes it${other === null ? "" : ", and 20 payments of another kind reach the same instance"}`,
        () =>
          Effect.gen(function* () {
            const { create, record } = yield* begin(body, [taken])
            assert.deepStrictEqual(tried(record), [`${name} not_executed`, "next succeeded"])
            const payments = other === null ? [] : Array.from({ length: 20 }, () => other(body))
            for (const payment of payments) {
              const [first] = (yield* create(payment)).attempts
              assert.deepStrictEqual([first?.provider, first?.status], [name, "pending"])
            }
          }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
      )

      it.live(`${body.id}: alone it fails with a sentence about the account`, () =>
        Effect.gen(function* () {
          const { state } = (yield* begin(body, [])).record.payment
          if (state.status !== "failed") return assert.fail(`It is ${state.status}`)
          assert.include(["account_not_enabled", "details_required"], state.failure.code)
          assert.match(state.failure.message, /^The account at the provider/)
        }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
      )
    }
  })
}

/** By the page, which an intent without the facts of a device is served by. */
const byPage = upi
const byIntent = { ...upi, client }

describeFaults("razorpay", {
  fake: razorpayFake,
  make: (vendor) => razorpay(razorpayOptions(vendor)),
  bodies: refusals("razorpay/test/foreign/bodies.json").filter(({ call }) => call !== "create"),
  refused: ({ call }) => ({
    request: call === "link" ? byPage : byIntent,
    after: call === "create_intent" ? 1 : 0
  }),
  other: ({ call }) => (call === "link" ? byIntent : byPage)
})

describeFaults("cashfree", {
  fake: s2sFake,
  make: (vendor) => cashfree({ ...cashfreeOptions(vendor), s2s: true }),
  bodies: refusals("cashfree/test/foreign/bodies.json").filter(({ call }) => call !== "link"),
  refused: ({ call }) => ({ request: byIntent, after: call === "session" ? 1 : 0 }),
  other: () => ({ ...byIntent, ...qr })
})

describeFaults("coinbase", {
  fake: coinbaseFake,
  make: (vendor) => coinbase(coinbaseOptions(vendor)),
  bodies: refusals("coinbase/test/foreign/errors.json"),
  refused: () => ({ request: usdc, after: 0 }),
  other: null
})
