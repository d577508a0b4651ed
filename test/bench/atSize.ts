/**
 * What users do with a database of three million payments, beside one of a thousand: the same calls in turns, each as the ratio of
 * the medians. Ends with 1 when a bound is not met.
 *
 * `pnpm bench at-size sqlite|postgres`
 * - `--payments <n>`: of the large database. Default: 3,000,000.
 * - `--rounds <n>`: default 30.
 * - `--case instances`: only the starts that look for an instance that is not configured, and no events. It shows their query plans.
 * - `--directory <path>`: where the files are, on the disk to be measured. Default: beside this file.
 */
import type { Provider } from "@paymux/core"
import type { PaymentStore } from "@paymux/core/store"
import {
  PostgresClient,
  PostgresPaymentStore,
  rebuildStatistics,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore,
  Statements
} from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { backup, DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { createPaymux } from "paymux"
import type { Paymux } from "paymux"
import { migrations } from "../../packages/paymux/src/Database.ts"
import { machineFactor, machineText } from "../support/machineSpeed.ts"
import { instanceStarts, plans } from "./instanceStarts.ts"
import { instantProvider } from "./InstantProvider.ts"
import { copied, copyAll, idOfCopy } from "./lists/copies.ts"
import { postgresWith, sqliteWith } from "./lists/databases.ts"
import { aStored, createdAt, idOf } from "./lists/payments.ts"
import { bookingsOf } from "./plantedStatement.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { start } from "./Process.ts"
import { median } from "./Rounds.ts"
import { request } from "./Sample.ts"
import { fillYear, yearEnd } from "./statistics/fillYear.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    payments: { type: "string", default: "3000000" },
    rounds: { type: "string", default: "30" },
    case: { type: "string" },
    directory: { type: "string", default: join(import.meta.dirname, ".data") }
  }
})
const [kind] = positionals
if (kind !== "sqlite" && kind !== "postgres") throw new Error("Say which database: sqlite or postgres.")
const sizes = { small: 1000, large: Number(values.payments) }
const rounds = Number(values.rounds)
if (values.case !== undefined && values.case !== "instances") throw new Error("The only case is instances.")
const instancesOnly = values.case === "instances"

/** Of the medians, large to small. */
const bound = 1.5
/** ms: a median that is not larger is as good as the other, however little that is. */
const negligible = 2

interface Database {
  readonly size: number
  readonly address: string
}

interface Opened extends Database {
  readonly paymux: Paymux
}

type Call = (database: Opened, round: number) => Promise<unknown>

const iso = (ms: number) => new Date(ms).toISOString()
/** Another payment in each round, so that its page is not cached. */
const anyOf = (size: number, round: number) => Math.floor(size * ((0.05 + round * 0.618) % 1))

const create: Call = ({ paymux }) => paymux.payments.create(request)

const listed =
  (query: (size: number, round: number) => Parameters<Paymux["payments"]["list"]>[0]): Call =>
  ({ paymux, size }, round) =>
    paymux.payments.list(query(size, round))

const month = 30 * 86_400_000

const calls: { readonly [name: string]: Call } = {
  "create, one": create,
  "create, 64 at a time": (database, round) => Promise.all(Array.from({ length: 64 }, () => create(database, round))),
  get: ({ paymux, size }, round) => paymux.payments.get(idOf(anyOf(size, round))),
  "list: newest": listed(() => ({})),
  "list: status": listed(() => ({ status: "failed" })),
  "list: status, none": listed(() => ({ status: "authorized" })),
  "list: payment_method": listed(() => ({ payment_method: "upi" })),
  "list: currency": listed(() => ({ currency: "EUR" })),
  "list: provider, few": listed(() => ({ provider: "coinbase" })),
  "list: customer_email": listed(() => ({ customer_email: "often@example.com" })),
  "list: provider_reference": listed((size, round) => ({ provider_reference: `order_${anyOf(size, round)}` })),
  "list: failure_code": listed(() => ({ failure_code: "do_not_honor" })),
  "list: card_fingerprint": listed(() => ({ card_fingerprint: "card_often" })),
  "list: amount": listed(() => ({ currency: "USD", amount_min: 500_000, amount_max: 510_000 })),
  "list: created": listed((size, round) => ({
    created_after: iso(createdAt(anyOf(size, round)) - 1_800_000),
    created_before: iso(createdAt(anyOf(size, round)) + 1_800_000)
  })),
  "list: metadata with an index": listed((size, round) => ({
    metadata: { order_id: `A-${100_000 + anyOf(size, round)}` }
  })),
  "refunds of a payment": ({ paymux, size }, round) => paymux.refunds.list(idOf(anyOf(size, round))),
  "refunds: newest": ({ paymux }) => paymux.refunds.search({}),
  "events: newest": ({ paymux }) => paymux.events.list({}),
  "statistics: series of a month": ({ paymux }) =>
    paymux.statistics.series({ from: yearEnd - month, until: yearEnd, step: "day" }),
  "statistics: totals of a month by provider": ({ paymux }) =>
    paymux.statistics.totals({ from: yearEnd - month, until: yearEnd, groupBy: "provider" })
}

/** A bound of its own: it reads as many payments as are within the window. */
const metadata = listed(() => ({ metadata: { channel: "fax" } }))

const compare = async (
  name: string,
  call: Call,
  databases: ReadonlyArray<Opened>,
  { bounded = true, times = rounds } = {}
): Promise<void> => {
  const taken = databases.map((): Array<number> => [])
  for (let round = -2; round < times; round++) {
    for (const [index, database] of databases.entries()) {
      const since = performance.now()
      await call(database, Math.abs(round))
      if (round >= 0) taken[index]?.push(performance.now() - since)
    }
  }
  const [small = Number.NaN, large = Number.NaN] = taken.map(median)
  show(name, small, large, "ms", bounded)
}

const show = (name: string, small: number, large: number, unit: string, bounded = true): void => {
  const ratio = large / small
  const met = !bounded || ratio <= bound || (unit === "ms" && large <= negligible)
  if (!met) process.exitCode = 1
  const cells = [small, large].map((value) => `${value.toFixed(2)} ${unit}`.padStart(16)).join("")
  console.log(`${name.padEnd(44)}${cells}${ratio.toFixed(2).padStart(8)}${met ? "" : "  NOT MET"}`)
}

/** Until all events of so many creates are delivered to every endpoint: ms a delivery. */
const deliveries = async (endpoints: number, databases: ReadonlyArray<Opened>): Promise<void> => {
  const receiver = start("receiver.ts", [])
  // Boundary: the messages of our own script; so below.
  const url = `http://127.0.0.1:${(await receiver.next()) as number}/`
  const added = await Promise.all(
    databases.map(async ({ paymux }) =>
      Promise.all(Array.from({ length: endpoints }, () => paymux.webhookEndpoints.add({ url })))
    )
  )
  const count = Math.ceil(2000 / endpoints)
  const together = 32
  const delivered = async ({ paymux }: Opened) => {
    const before = (await receiver.ask("received")) as number
    const since = performance.now()
    for (let made = 0; made < count; made += together)
      await Promise.all(Array.from({ length: Math.min(together, count - made) }, () => paymux.payments.create(request)))
    while (((await receiver.ask("received")) as number) < before + count * endpoints)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return (performance.now() - since) / (count * endpoints)
  }
  const taken = databases.map((): Array<number> => [])
  for (let round = 0; round < 5; round++) {
    for (const [index, database] of databases.entries()) taken[index]?.push(await delivered(database))
  }
  const [small = Number.NaN, large = Number.NaN] = taken.map(median)
  show(`webhooks: a delivery, ${endpoints} endpoints`, small * 1000, large * 1000, "µs")
  for (const [index, { paymux }] of databases.entries()) {
    for (const { id } of added[index] ?? []) await paymux.webhookEndpoints.remove(id)
  }
  await receiver.close()
}

const open = ({ address }: Database, providers: ReadonlyArray<Provider> = [instantProvider]) =>
  createPaymux({
    providers,
    database: address,
    secret: "0123456789abcdef0123456789abcdef",
    indexedMetadata: ["order_id"],
    rateLimit: false,
    webhooks: { allow: ["127.0.0.1"] },
    logs: false
  })

/** Opens each of them several times, until it finds a payment; the last time it stays open. */
const starts = async (databases: ReadonlyArray<Database>): Promise<ReadonlyArray<Opened>> => {
  const taken = databases.map((): Array<number> => [])
  const opened = databases.map((): Opened | null => null)
  for (let round = 0; round < 6; round++) {
    for (const [index, database] of databases.entries()) {
      await opened[index]?.paymux.close()
      const since = performance.now()
      const paymux = await open(database)
      await paymux.payments.get(idOf(1))
      // The first start of all may have work that the others have not.
      if (round > 0) taken[index]?.push(performance.now() - since)
      else console.log(`${database.size} payments: first start ${(performance.now() - since).toFixed(0)} ms`)
      opened[index] = { ...database, paymux }
    }
  }
  const [small = Number.NaN, large = Number.NaN] = taken.map(median)
  show("start", small, large, "ms")
  return opened.filter((one) => one !== null)
}

const backups = async (databases: ReadonlyArray<Database>): Promise<void> => {
  const [small = Number.NaN, large = Number.NaN] = await Promise.all(
    databases.map(async ({ address }) => {
      const file = address.replace("sqlite:", "")
      const source = new DatabaseSync(file, { readOnly: true })
      const since = performance.now()
      await backup(source, `${file}.copy`, { rate: 10_000 })
      source.close()
      return ((performance.now() - since) * 1000) / (statSync(`${file}.copy`).size / 2 ** 20)
    })
  )
  show("backup, a megabyte", small, large, "µs")
}

/** ms of a run over a statement that has a movement for each of a provider's payments within a few minutes; other ones in each round. */
const reconciled = Effect.fnUntraced(function* (size: number, round: number) {
  const statements = yield* Statements
  const provider = "stripe"
  const start = Math.floor(size / 2) + round * reconciledPayments
  const places = Array.from({ length: reconciledPayments }, (_, index) => start + index)
  const ofProvider = places.filter((n) => aStored(n, size).payment.provider === provider)
  const movements = ofProvider.flatMap((n) => bookingsOf(n, size))
  const rules = { bookedWithin: 60_000, paymentsInParts: false }
  const begun = performance.now()
  const since = createdAt(start) - 120_000
  const until = createdAt(start + reconciledPayments) + 120_000
  let run = yield* statements.begin({ provider, livemode: false, source: "provider", since, until })
  run = yield* statements.enter(run, { movements, next: null }, rules)
  while (run.state === "comparing") run = yield* statements.compare(run, rules)
  const took = performance.now() - begun
  if (run.counts.matched < movements.length / 2) throw new Error(`Matched were ${run.counts.matched} movements only`)
  return took
})

const reconciledPayments = 100

const reconciles = async (databases: ReadonlyArray<Database>): Promise<void> => {
  const measured: Array<number> = []
  for (const { address, size } of databases) {
    const rounds = Effect.map(
      Effect.forEach([0, 1, 2, 3, 4], (round) => reconciled(size, round)),
      median
    )
    measured.push(await onStore(address, Effect.provide(rounds, Statements.layer, { local: true })))
  }
  const [small = Number.NaN, large = Number.NaN] = measured
  show("reconcile some minutes of a provider", small, large, "ms")
}

const onStore = <A, E>(address: string, effect: Effect.Effect<A, E, PaymentStore | SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(
    postgres === null
      ? Effect.provide(effect, sqliteStore(address.replace("sqlite:", "")), { local: true })
      : Effect.provide(effect, postgresStore(Redacted.make(address)), { local: true })
  )

const sqliteStore = (filename: string) => Layer.provideMerge(SqlitePaymentStore.layer, SqliteClient.layer({ filename }))
const postgresStore = (url: Redacted.Redacted) =>
  Layer.provideMerge(PostgresPaymentStore.layer, PostgresClient.layer({ url, deadlineMs: 600_000 }))

/** All tables, and the events of a year, counted by the statistics. */
const withEvents = (size: number) =>
  Effect.gen(function* () {
    yield* runMigrations(migrations)
    const sql = yield* SqlClient.SqlClient
    for (const statement of fillYear(sql, size)) yield* statement
    const before = process.cpuUsage()
    yield* rebuildStatistics()
    const { system, user } = process.cpuUsage(before)
    const [{ count } = { count: 0 }] = yield* sql<{
      readonly count: number | string
    }>`SELECT count(*) AS count FROM payment_events`
    console.log(`${size} payments: statistics ${((user + system) / Number(count)).toFixed(0)} µs CPU an event`)
  })

/** For the check of instances alone, copies are enough. */
const copies = (size: number) =>
  Effect.andThen(runMigrations(migrations), size > copied ? copyAll(Math.ceil(size / copied)) : Effect.void)

const written = (size: number) => (instancesOnly ? Math.min(size, copied) : size)

const rest = instancesOnly ? copies : withEvents

const filled = (directory: string, size: number): Promise<Database> =>
  Effect.runPromise(
    postgres === null
      ? Effect.gen(function* () {
          const filename = yield* sqliteWith(directory, written(size))
          yield* Effect.provide(rest(size), SqliteClient.layer({ filename }), { local: true })
          return { size, address: `sqlite:${filename}` }
        })
      : Effect.gen(function* () {
          const url = yield* postgresWith(postgres, written(size))
          yield* Effect.provide(rest(size), PostgresClient.layer({ url, deadlineMs: 3_600_000 }), { local: true })
          return { size, address: Redacted.value(url) }
        })
  )

const everything = async (databases: ReadonlyArray<Database>): Promise<void> => {
  const opened = await starts(databases)
  for (const [name, call] of Object.entries(calls)) await compare(name, call, opened)
  await compare("list: metadata without an index", metadata, opened, { bounded: false, times: 5 })
  // An account has at most fifty.
  for (const endpoints of [10, 50]) await deliveries(endpoints, opened)
  await Promise.all(opened.map(({ paymux }) => paymux.close()))
  await reconciles(databases)
}

const postgres = kind === "postgres" ? await openPostgres() : null
mkdirSync(values.directory, { recursive: true })
const directory = mkdtempSync(join(values.directory, "at-size-"))
console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${kind}`)
console.log(machineText(await machineFactor()))
try {
  const begun = performance.now()
  const databases = [await filled(directory, sizes.small), await filled(directory, sizes.large)] as const
  console.log(`filled in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
  console.log(
    `${"".padEnd(44)}${Object.values(sizes)
      .map((size) => String(size).padStart(16))
      .join("")}   ratio`
  )
  if (!instancesOnly) await everything(databases)
  await instanceStarts({ databases, idOf: instancesOnly ? idOfCopy : idOf, onStore, open, show })
  if (instancesOnly) console.log((await onStore(databases[1].address, plans)).join("\n"))
  if (!instancesOnly && postgres === null) await backups(databases)
} finally {
  await postgres?.close()
  rmSync(directory, { recursive: true, force: true })
}
