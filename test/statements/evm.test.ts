/** A real chain as a statement, against the books of a server: only what the server has not seen differs. */
import { assert, describe, it } from "@effect/vitest"
import { Statements } from "@paymux/sql"
import { Effect, Layer, Logger } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createPaymux } from "paymux"
import { chainId, noAnvil } from "../../packages/adapters/evm/test/chain/anvil.ts"
import { cashier, Chain } from "../../packages/adapters/evm/test/chain/Chain.ts"
import type { Token } from "../../packages/adapters/evm/test/chain/Chain.ts"
import { xpub } from "../../packages/adapters/evm/test/keys.ts"
import { dollars, signer } from "../../packages/adapters/evm/test/refunds.ts"
import { evm } from "../../packages/adapters/evm/src/index.ts"
import { databaseLayer } from "../../packages/paymux/src/Database.ts"
import { parseDatabaseUrl } from "../../packages/paymux/src/options/DatabaseUrl.ts"
import { statementContext } from "../../packages/paymux/src/reconcile/statementContext.ts"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"

const asked = {
  amount: 5_000,
  currency: "USD",
  payment_method: "stablecoin",
  customer: { email: "asha@example.com", phone: "+919876543210" }
} as const

const providerOf = (rpcUrl: string, usdc: Token) =>
  evm({
    xpub,
    signer,
    chains: {
      base: {
        chainId,
        rpcUrls: [rpcUrl],
        tokens: [{ asset: "USDC", contract: usdc.address, decimals: 6, currency: "USD" }],
        pollEvery: "50 millis"
      }
    }
  })

type Provider = ReturnType<typeof providerOf>

/** A server that can be stopped. */
const serverOf = (database: string, provider: Provider) =>
  Effect.acquireRelease(
    Effect.promise(() => createPaymux({ database, providers: [provider], logs: false })),
    (paymux) => Effect.promise(() => paymux.close())
  )

type Paymux = Effect.Success<ReturnType<typeof serverOf>>

/** ms: a success this long ago is booked. Blocks have whole seconds. */
const bookedWithin = 1_500

/** Reads the chain beside the server, as `paymux reconcile` does. */
const reconciled = Effect.fnUntraced(function* (url: string, provider: Provider) {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") return assert.fail(database.sentence)
  yield* Effect.promise(() => setTimeout(2 * bookedWithin))
  const layer = Statements.layer.pipe(Layer.provideMerge(databaseLayer(database)), Layer.merge(Logger.layer([])))
  return yield* Effect.gen(function* () {
    const operations = yield* provider.make(yield* statementContext(provider, "http://127.0.0.1"))
    const capabilities = { ...provider.capabilities, statement: { bookedWithin, paymentsInParts: true } }
    const source = { provider: { ...provider, capabilities }, operations }
    const { counts } = yield* readStatement(source, { since: null, until: null }, "test")
    const { entries } = yield* Statements.use((statements) => statements.differences(false, { limit: 10 }))
    return { counts, latest: entries[0]?.paymentId ?? null }
  }).pipe(Effect.scoped, Effect.provide(layer))
})

/** The address, and the payment once it shows what is waited for. */
const paymentsOf = (paymux: Paymux) => ({
  created: Effect.promise(async () => {
    const { id, next_action } = await paymux.payments.create(asked)
    const address = next_action?.type === "stablecoin_transfer" ? next_action.address : null
    if (address === null || !/^0x[0-9a-fA-F]{40}$/.test(address)) return assert.fail(`${address} is no address`)
    return { id, address: address as `0x${string}` }
  }),
  isPaid: (id: string) =>
    Effect.promise(async () => {
      while ((await paymux.payments.get(id)).status !== "succeeded") await setTimeout(20)
    })
})

describe.skipIf(noAnvil !== null)(
  `the statement of a chain${noAnvil === null ? "" : ` (left out: ${noAnvil})`}`,
  () => {
    it.live(
      "agrees with the books of its transfers and refunds, and shows what the server has not seen, or what is gone",
      () =>
        Effect.gen(function* () {
          const chain = yield* Chain
          const usdc = yield* chain.token("USDC", 6)
          yield* chain.mint(usdc, cashier.address, dollars(1_000))
          const folder = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-statements-"))),
            (made) => Effect.sync(() => rmSync(made, { recursive: true }))
          )
          const url = `sqlite:${folder}/paymux.db`
          const provider = providerOf(chain.url, usdc)
          const unseen = yield* Effect.scoped(
            Effect.gen(function* () {
              const paymux = yield* serverOf(url, provider)
              const { created, isPaid } = paymentsOf(paymux)
              const [exact, parts, fractions, more, open] = yield* Effect.all([
                created,
                created,
                created,
                created,
                created
              ])
              yield* chain.pay(usdc, exact.address, dollars(50))
              yield* chain.pay(usdc, parts.address, dollars(20))
              yield* chain.pay(usdc, parts.address, dollars(30))
              yield* chain.payInOne(usdc, fractions.address, [25_005_000n, 24_995_000n])
              yield* chain.pay(usdc, more.address, dollars(60))
              yield* chain.finalize
              for (const { id } of [exact, parts, fractions, more]) yield* isPaid(id)
              yield* chain.pay(usdc, exact.address, dollars(10))
              const refund = yield* Effect.promise(() => paymux.refunds.create(parts.id, { amount: 1_500 }))
              for (let turn = 0; turn < 200; turn++) {
                yield* chain.finalize
                const { status } = yield* Effect.promise(() => paymux.refunds.get(refund.id))
                if (status === "succeeded") break
                yield* Effect.promise(() => setTimeout(50))
              }
              const { counts } = yield* reconciled(url, provider)
              assert.deepStrictEqual(counts, {
                matched: 8,
                differs: 0,
                foreign: 0,
                account: 0,
                repeated: 0,
                differences: {}
              })
              return open
            })
          )
          // No server runs while it is paid.
          yield* chain.pay(usdc, unseen.address, dollars(50))
          yield* chain.finalize
          const paid = yield* reconciled(url, provider)
          assert.deepStrictEqual([paid.counts.differences, paid.latest], [{ other_status: 1 }, unseen.id])
          const paymux = yield* serverOf(url, provider)
          const { created, isPaid } = paymentsOf(paymux)
          yield* isPaid(unseen.id)
          const before = yield* chain.snapshot
          const gone = yield* created
          yield* chain.pay(usdc, gone.address, dollars(50))
          yield* chain.finalize
          yield* isPaid(gone.id)
          yield* Effect.promise(() => paymux.close())
          yield* chain.revert(before)
          yield* chain.finalize
          const missed = yield* reconciled(url, provider)
          assert.deepStrictEqual([missed.counts.differences, missed.latest], [{ missing_there: 1 }, gone.id])
        }).pipe(Effect.scoped, Effect.provide(Chain.layer()))
    )
  }
)
