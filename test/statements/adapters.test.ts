/** The statement of a vendor against the books of a server: only what was not reported to the server differs. */
import { assert, describe, it } from "@effect/vitest"
import type { Provider } from "@paymux/core"
import { Statements } from "@paymux/sql"
import { memoryContext } from "@paymux/test-suites"
import { type HttpVendor, postWebhook } from "@paymux/testkit"
import { Effect, Layer, Logger } from "effect"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createPaymux, type Paymux } from "paymux"
import { coinbase } from "../../packages/adapters/coinbase/src/index.ts"
import { fake as coinbaseFake } from "../../packages/adapters/coinbase/src/testing/fake.ts"
import { optionsOf as coinbaseOptions } from "../../packages/adapters/coinbase/src/testing/options.ts"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"
import { fake as stripeFake } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { optionsOf as stripeOptions } from "../../packages/adapters/stripe/src/testing/options.ts"
import { databaseLayer } from "../../packages/paymux/src/Database.ts"
import { parseDatabaseUrl } from "../../packages/paymux/src/options/DatabaseUrl.ts"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"

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
const byCoin = { amount: 12_520, currency: "USD", payment_method: "stablecoin", customer } as const

type AnyVendor = HttpVendor<{ readonly [option: string]: string }>

const shop = Effect.fnUntraced(function* (provider: Provider, vendor: Pick<AnyVendor, "payersAct" | "webhooks">) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-statements-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true }))
  )
  const url = `sqlite:${folder}/paymux.db`
  const paymux = yield* Effect.acquireRelease(
    Effect.promise(() => createPaymux({ database: url, providers: [provider], logs: false })),
    (made) => Effect.promise(() => made.close())
  )
  const address = yield* webhookAddress(paymux, provider.id)
  let reported = 0
  return {
    paymux,
    /** Every payer pays, and the vendor reports what it has not reported yet. */
    payersPay: Effect.gen(function* () {
      yield* vendor.payersAct
      const { webhooks } = vendor
      if (webhooks === null) return assert.fail("the vendor sends webhooks")
      const events = (yield* webhooks.events).slice(reported)
      reported += events.length
      for (const event of events) yield* postWebhook(address, yield* webhooks.deliver([event]))
    }),
    reconcile: Effect.promise(() => reconciled(url, provider))
  }
})

const webhookAddress = (paymux: Paymux, id: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer(paymux.node).listen(0, "127.0.0.1")
        await once(server, "listening")
        return server
      }),
      (server) => Effect.promise(async () => void server.close())
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/webhooks/${id}`
    }
  )

/** ms; times of Stripe are whole seconds. */
const bookedWithin = 2_000

/** Reads the statement beside the server, as `paymux reconcile` does, when what is missing in it counts as missing. */
const reconciled = async (url: string, provider: Provider) => {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") return assert.fail(database.sentence)
  await setTimeout(bookedWithin + 100)
  const layer = Statements.layer.pipe(Layer.provideMerge(databaseLayer(database)), Layer.merge(Logger.layer([])))
  const reading = Effect.gen(function* () {
    const operations = yield* provider.make(memoryContext(provider.id))
    const source = { ...provider, capabilities: { ...provider.capabilities, statement: { bookedWithin } } }
    const { counts } = yield* readStatement({ provider: source, operations }, { since: null, until: null }, "test")
    const found = yield* Statements.use((statements) => statements.differences(false, { limit: 1_000 }))
    return { counts, kinds: found.entries.map(({ kind }) => kind).toSorted() }
  })
  return Effect.runPromise(Effect.scoped(Effect.provide(reading, layer)))
}

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
})
