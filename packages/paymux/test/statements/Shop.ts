/** A shop on the sandbox, with the statement of its provider, and a run that reads a statement of the test. */
import { assert } from "@effect/vitest"
import type { Provider, ProviderError, ProviderOperations } from "@paymux/core"
import type { StatementMovement, StatementQuery } from "@paymux/core/statement"
import { SandboxControl, sandboxProviders, SandboxLedger, SandboxNotifier, SqlSandboxLedger } from "@paymux/sandbox"
import type { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import type { StatementRun } from "@paymux/sql"
import { memoryContext } from "@paymux/test-suites"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { databaseLayer } from "../../src/Database.ts"
import { createPaymux } from "../../src/index.ts"
import { parseDatabaseUrl } from "../../src/options/DatabaseUrl.ts"
import { readStatement } from "../../src/reconcile/readStatement.ts"
import type { StatementWindow } from "../../src/reconcile/readStatement.ts"

export const provider = "sandbox_card_a"

type Services = Statements | PaymentStore | SqlClient.SqlClient | SandboxLedger

export const openShop = async (url: string) => {
  const statements = statementsOf(url)
  return { ...statements, paymux: await createPaymux({ sandbox: true, logs: false, database: url }) }
}

/** Beside a server on this database. */
export const statementsOf = (url: string) => {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") return assert.fail(database.sentence)
  const layer = Layer.mergeAll(Statements.layer, SqlSandboxLedger.layer).pipe(
    Layer.provideMerge(databaseLayer(database)),
    Layer.merge(Logger.layer([]))
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, layer))
  return {
    run,
    /** What the provider has booked, all of it. */
    booked: () => run(bookedMovements),
    read: (movements: ReadonlyArray<StatementMovement>, options?: ReadOptions) => run(readFrom(movements, options)),
    /** A provider whose statement fails so: what an operator reads about it. */
    refused: (error: ProviderError) => run(Effect.flip(readBy(() => Effect.fail(error)))),
    /** What an operator reads about a statement that is not one. */
    unread: (statement: ReadPage) => run(Effect.flip(readBy(statement))),
    differences: () => run(Statements.use((statements) => statements.differences(false, { limit: 1000 }))),
    /** Until the engine has applied what runs have reported. */
    settled: async () => {
      const waiting = SqlClient.SqlClient.use(
        (sql) => sql`SELECT 1 FROM provider_inbox WHERE status = 'waiting' AND tries = 0`
      )
      while ((await run(waiting)).length > 0) await setTimeout(20)
    }
  }
}

const realProvider: Effect.Effect<Provider, never, SandboxLedger> = Effect.gen(function* () {
  const sandbox = {
    ledger: yield* SandboxLedger,
    notifier: yield* SandboxNotifier,
    control: yield* SandboxControl
  }
  return sandboxProviders(sandbox).find(({ id }) => id === provider) ?? assert.fail(provider)
}).pipe(Effect.provide([SandboxControl.layer, Layer.provide(SandboxNotifier.layer, SqlSandboxLedger.layer)])) as never

const bookedMovements = Effect.gen(function* () {
  const instance = yield* realProvider
  const { statement } = yield* Effect.scoped(instance.make(memoryContext(instance.id)))
  const page = yield* statement?.({ since: 0, until: Number.MAX_SAFE_INTEGER, cursor: null }) ?? Effect.die("none")
  assert.isNull(page.next)
  return page.movements
})

type ReadPage = NonNullable<ProviderOperations["statement"]>

const readBy = (statement: ReadPage) =>
  Effect.gen(function* () {
    const instance = yield* realProvider
    return yield* readStatement({ provider: instance, operations: { statement } }, { since: null, until: null }, "test")
  })

export interface ReadOptions {
  readonly window?: StatementWindow
  readonly pageSize?: number
  /** The provider books a payment in several movements. */
  readonly paymentsInParts?: boolean
  readonly stopAfter?: number
}

/** A provider that has booked these movements. */
const readFrom = (
  movements: ReadonlyArray<StatementMovement>,
  {
    pageSize = 7,
    paymentsInParts = false,
    stopAfter = Infinity,
    window = { since: null, until: null }
  }: ReadOptions = {}
): Effect.Effect<StatementRun, unknown, Services> =>
  Effect.gen(function* () {
    const real = yield* realProvider
    let pages = 0
    const statement = ({ cursor, since, until }: StatementQuery) => {
      if (pages++ >= stopAfter) return Effect.interrupt
      const place = Number(cursor ?? 0)
      const within = movements.filter(({ bookedAt }) => bookedAt >= since && bookedAt < until)
      const next = place + pageSize < within.length ? String(place + pageSize) : null
      return Effect.succeed({ movements: within.slice(place, place + pageSize), next })
    }
    const instance = {
      ...real,
      capabilities: { ...real.capabilities, statement: { bookedWithin: 1, paymentsInParts } }
    }
    return yield* readStatement({ provider: instance, operations: { statement } }, window, "test")
  })
