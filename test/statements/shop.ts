/** A server with one provider at a fake, and its books beside the statement of that provider. */
import { assert } from "@effect/vitest"
import type { Provider } from "@paymux/core"
import { Statements } from "@paymux/sql"
import { memoryContext } from "@paymux/test-suites"
import { type HttpVendor, postWebhook } from "@paymux/testkit"
import { Effect, Layer, Logger } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createPaymux } from "paymux"
import { databaseLayer } from "../../packages/paymux/src/Database.ts"
import { parseDatabaseUrl } from "../../packages/paymux/src/options/DatabaseUrl.ts"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"
import { webhookAddress } from "../support/webhookAddress.ts"

type AnyVendor = HttpVendor<{ readonly [option: string]: string }>

export const shop = Effect.fnUntraced(function* (
  provider: Provider,
  vendor: Pick<AnyVendor, "payersAct" | "webhooks">
) {
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
