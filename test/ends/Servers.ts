/**
 * Real server processes on one PostgreSQL database, a vendor process with its ledger on disk, and a gate between the
 * first server and the vendor. Everything ends with `stop`.
 */
import { Ids, Reviews } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import type { InboxEntry } from "@paymux/core/store"
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LedgerCharge, PaymentView, UnmatchedReport } from "../suites/src/simulation/judge/index.ts"
import { startChild } from "../crash/ChildProcess.ts"
import type { Child } from "../crash/ChildProcess.ts"
import { migrated } from "../crash/Database.ts"
import { newDatabase } from "../crash/PostgresAt.ts"
import type { EngineReady, VendorReady } from "../crash/processes/Protocol.ts"
import { readLedger } from "../crash/vendor/Ledger.ts"
import type { LedgerEntry } from "../crash/vendor/Ledger.ts"
import { serverUrl } from "../support/PostgresDatabases.ts"
import { startHttpGate } from "./HttpGate.ts"
import type { HttpGate, HttpGateOptions } from "./HttpGate.ts"
import type { ServerSettings } from "./ServerSettings.ts"

export interface Server {
  /** Sends a request; returns the body of the response. */
  readonly ask: (path: string, body?: object, signal?: AbortSignal) => Promise<unknown>
  readonly log: () => string
}

export interface Servers {
  readonly database: string
  readonly gate: HttpGate
  readonly observer: Observer
  readonly first: Server
  /** One more server, which reaches the vendor directly. Its clock is `aheadMs` ahead. */
  readonly add: (aheadMs: number) => Promise<Server>
  /** Everything that the vendor has done so far. */
  readonly ledger: () => ReadonlyArray<LedgerEntry>
  readonly stop: () => Promise<void>
}

export type ServersOptions = Pick<HttpGateOptions, "holds" | "path"> &
  Pick<ServerSettings, "notFoundIsFinalAfter" | "providers">

export const startServers = async ({ holds, path, ...settings }: ServersOptions): Promise<Servers> => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-ends-"))
  const file = join(folder, "ledger.jsonl")
  const children: Array<Child<unknown>> = []
  const vendor = await startChild<VendorReady>("crashVendor", file)
  children.push(vendor)
  const gate = await startHttpGate({ target: vendor.ready.url, holds, path })
  const database = await newDatabase(await Effect.runPromise(serverUrl))

  const start = async (address: string, aheadMs: number): Promise<Server> => {
    const clock = { virtual: Date.now() + aheadMs, real: Date.now(), rate: 1 }
    const child = await startChild<EngineReady>(
      "endsServer",
      JSON.stringify({ ...settings, database, vendor: address, clock } satisfies ServerSettings)
    )
    children.push(child)
    return serverOf(child)
  }

  const first = await start(gate.url, 0)
  const observer = await startObserver(database)

  return {
    database,
    gate,
    observer,
    first,
    add: (aheadMs) => start(vendor.ready.url, aheadMs),
    ledger: () => readLedger(file),
    stop: async () => {
      gate.close()
      await observer.close()
      for (const child of children.toReversed()) await child.kill("SIGKILL")
      await rm(folder, { recursive: true, force: true })
    }
  }
}

const serverOf = ({ log, ready }: Child<EngineReady>): Server => ({
  log,
  ask: async (path, body, signal) => {
    const response = await fetch(`http://127.0.0.1:${ready.port}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${ready.key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal })
    })
    return response.json()
  }
})

/** The payments that the API lists. */
export const paymentsOf = async (server: Server): Promise<ReadonlyArray<PaymentView>> => {
  // Boundary: the page as the API documents it.
  const page = (await server.ask("/v1/payments")) as { readonly data: ReadonlyArray<PaymentView> }
  return page.data
}

/** What a test reads from the database of the servers, through one connection pool. */
interface Observer {
  /** The provider reports without a payment, as the operators' list shows them. */
  readonly unmatched: () => Promise<ReadonlyArray<UnmatchedReport>>
  /** The types of the events for webhook endpoints, in their order. */
  readonly eventTypes: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

const startObserver = async (database: string): Promise<Observer> => {
  const scope = Scope.makeUnsafe()
  const layer = Reviews.layer.pipe(
    Layer.provide(PaymentWriter.layer),
    Layer.provideMerge(Layer.merge(migrated({ url: database }), Ids.layer))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const [reviews, store] = [Context.get(context, Reviews), Context.get(context, PaymentStore)]
  return {
    unmatched: async () => (await Effect.runPromise(reviews.parked(100))).map(unmatchedOf),
    eventTypes: async () => (await Effect.runPromise(store.undispatchedEvents(100))).map(({ type }) => type),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const unmatchedOf = ({ evidence, provider }: InboxEntry): UnmatchedReport => ({
  provider,
  reference: "operation" in evidence.about ? (evidence.outcome.reference ?? null) : evidence.about.providerReference,
  amount: "amount" in evidence.outcome ? (evidence.outcome.amount?.minorUnits ?? null) : null
})

/** Runs one statement on a database. */
export const query = (url: string, sql: string, params: ReadonlyArray<unknown> = []) =>
  Effect.runPromise(
    Effect.flatMap(PostgresDatabase, (database) => database.query(sql, params)).pipe(
      Effect.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true })
    )
  )

/** The vendor's ledger as the judge reads it, of a run with a single order. */
export const chargesOf = (order: string, entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<LedgerCharge> =>
  [...Map.groupBy(entries, ({ account, object }) => `${account} ${object}`).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { account, currency, object } = first
    const movements = own.flatMap(({ kind, minorUnits }): LedgerCharge["movements"] =>
      kind === "held" || kind === "captured" || kind === "refunded" ? [{ kind, minorUnits, at: 0, by: "request" }] : []
    )
    return [{ provider: account, reference: object, order, currency, isWaiting: false, movements }]
  })

/** Checks every 100 ms until `holds` is true, for at most `ms`; returns the last result. */
export const within = async (ms: number, holds: () => boolean | Promise<boolean>): Promise<boolean> => {
  const until = Date.now() + ms
  while (Date.now() < until) {
    if (await holds()) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return holds()
}
