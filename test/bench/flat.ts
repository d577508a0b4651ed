/**
 * Whether the cost of a payment and of a reconciler pass stays flat: with 1,000 and 1,000,000 payments stored, and with 100 and
 * 100,000 open operations that another process has claimed. Ends with 1 when a bound is not met. CPU is that of this process; on
 * PostgreSQL compare the time, too.
 *
 * `pnpm bench flat sqlite|postgres`
 * - `--payments <n>`: of the large database; default 1,000,000. `--open <n>`: default 100,000. `--rounds <n>`: default 9.
 */
import { PaymentStore } from "@paymux/core/store"
import { PostgresClient, PostgresPaymentStore, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openEngineOnPostgres, openEngineOnSqlite } from "./EngineContender.ts"
import { postgresWith, sqliteWith } from "./lists/databases.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { interleave, measure, median } from "./Rounds.ts"
import type { Contender } from "./Rounds.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    payments: { type: "string", default: "1000000" },
    open: { type: "string", default: "100000" },
    rounds: { type: "string", default: "9" }
  }
})
const [kind] = positionals
if (kind !== "sqlite" && kind !== "postgres") throw new Error("Say which database: sqlite or postgres.")

const bounds = { payments: 1.1, open: 1.5 }
const slice = 1024
const passes = 20

const postgres = kind === "postgres" ? await openPostgres() : null
mkdirSync(join(import.meta.dirname, ".data"), { recursive: true })
const directory = mkdtempSync(join(import.meta.dirname, ".data", "flat-"))
const scope = Scope.makeUnsafe()

/** The address of a database with so many payments. */
const databaseWith = (payments: number): Promise<string> =>
  Effect.runPromise(
    postgres === null
      ? sqliteWith(directory, payments)
      : Effect.map(postgresWith(postgres, payments), (url) => Redacted.value(url))
  )

const engineOn = (url: string) => (postgres === null ? openEngineOnSqlite(url) : openEngineOnPostgres(url))

/** The first operations of a database, due and claimed by a process that is at work on them. */
const claimAll = (open: number) =>
  SqlClient.SqlClient.use((sql) => {
    const now = Date.now()
    return sql`UPDATE operations SET status = 'pending', next_check_at = ${now - 60_000}, claimed_by = ${"eng_other"},
      claimed_until = ${now + 3_600_000} WHERE id IN (SELECT id FROM operations ORDER BY id LIMIT ${open})`
  })

const storeOn = (url: string) => {
  const layer =
    postgres === null
      ? SqlitePaymentStore.layer.pipe(Layer.provide(SqliteClient.layer({ filename: url })))
      : PostgresPaymentStore.layer.pipe(Layer.provide(PostgresClient.layer({ url: Redacted.make(url) })))
  return Effect.runPromise(
    Effect.map(Layer.buildWithScope(Layer.fresh(layer), scope), (context) => Context.get(context, PaymentStore))
  )
}

const compare = async (what: string, few: Contender, many: Contender, bound: number) => {
  const [small, large] = await interleave([few, many], {
    rounds: Number(values.rounds),
    warmUps: 3,
    progress: () => undefined
  })
  if (small === undefined || large === undefined) throw new Error("A side was not measured")
  for (const by of ["wall", "cpu"] as const) {
    const ratios = large.slices.map((each, round) => each[by] / (small.slices[round]?.[by] ?? Number.NaN))
    const ratio = median(ratios)
    const met = ratio <= bound
    if (!met) process.exitCode = 1
    const each = (slices: typeof small.slices) =>
      median(slices.map((one) => (one[by] / one.payments) * (by === "wall" ? 1_000 : 1)))
    console.log(
      `${what}, ${by === "wall" ? "time" : "CPU"}: ${each(small.slices).toFixed(0)} µs, ${each(large.slices).toFixed(0)} µs, ratio ${ratio.toFixed(2)}, at most ${bound}${met ? "" : ": NOT MET"}`
    )
  }
}

const creates = async (name: string, url: string) => {
  const engine = await engineOn(url)
  return { contender: { name, run: () => measure(slice, () => engine.run(slice, 64)) }, close: engine.close }
}

const passesOver = async (name: string, url: string): Promise<Contender> => {
  const store = await storeOn(url)
  const pass = Effect.suspend(() => {
    const now = Date.now()
    const claim = { provider: "stripe", owner: "eng_own", now, until: now + 60_000, limit: 64 }
    return Effect.andThen(store.dueProviders(now), store.claimDue(claim))
  })
  return { name, run: () => measure(passes, () => Effect.runPromise(Effect.repeat(pass, { times: passes - 1 }))) }
}

console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${kind}`)
try {
  const payments = Number(values.payments)
  const few = await creates("few", await databaseWith(1_000))
  const many = await creates("many", await databaseWith(payments))
  await compare(
    `a payment with 1,000 and ${payments.toLocaleString("en")} payments stored`,
    few.contender,
    many.contender,
    bounds.payments
  )
  await Promise.all([few.close(), many.close()])

  const open = Number(values.open)
  const all = open + 1
  const urls = [await databaseWith(all), await databaseWith(all + 1)] as const
  for (const [index, url] of urls.entries()) {
    const engine = await engineOn(url)
    await engine.use(claimAll(index === 0 ? 100 : open))
    await engine.close()
  }
  const stored = `with 100 and ${open.toLocaleString("en")} open operations`
  const [withFew, withMany] = [await creates("few", urls[0]), await creates("many", urls[1])]
  await compare(`a payment ${stored}`, withFew.contender, withMany.contender, bounds.open)
  await Promise.all([withFew.close(), withMany.close()])
  await compare(
    `a reconciler pass ${stored}`,
    await passesOver("few", urls[0]),
    await passesOver("many", urls[1]),
    bounds.open
  )
} finally {
  await Effect.runPromise(Scope.close(scope, Effect.runSyncExit(Effect.void)))
  await postgres?.close()
  rmSync(directory, { recursive: true, force: true })
}
