/**
 * `pnpm bench routing-late`: payments that `best: success_rate` loses in an outage of an hour at one of two providers of UPI
 * intents, in percent: the rate of the best provider of the moment, less that of the first choice. Through the real engine
 * in virtual time, over each database, beside the same payments without the engine. A success comes after 20 s; a failure is
 * an expiry, after the time that the payer has at the real adapter.
 *
 * Outcomes are known by webhooks alone, by the engine's own inquiries alone, or by both. Each is measured for one engine,
 * for one that ends in the middle of the outage and is followed by another, and on PostgreSQL for two that take the payments
 * in turn. Ends with 1 if any of them loses more than 1.5 times the model without the engine, plus 0.5 points.
 *
 * - `--seeds <n>`: runs of each. Default: 2.
 * - `--rates <list>`: payments of a minute. Default: 1,10.
 * - `--world <text>`: only worlds whose name contains this.
 * - `--databases <list>`: Default: memory,sqlite,postgres. `DATABASE_URL` names the server; without it, one is started.
 * - `--outcomes <list>`: how they are known. Default: webhooks,inquiries,both.
 */
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { startPostgres } from "../../support/PostgresServer.ts"
import { memory, postgres, sqlite } from "./late/databases.ts"
import type { Database } from "./late/databases.ts"
import { lateRun, lostOf } from "./late/lateRun.ts"
import type { Engines } from "./late/lateRun.ts"
import { lateWorlds } from "./late/lateWorlds.ts"
import type { LateWorld } from "./late/lateWorlds.ts"
import { reportings } from "./late/Vendors.ts"
import type { Reporting } from "./late/Vendors.ts"
import { ours } from "./worlds/ours.ts"
import { simulate } from "./worlds/simulate.ts"

/** The bound: a factor of the loss without the engine, and points on top. */
const bound = { factor: 1.5, points: 0.5 } as const

interface Measured {
  readonly name: "memory" | "sqlite" | "postgres"
  readonly database: Database
  readonly engines: ReadonlyArray<Engines>
}

const meanOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const seedsUpTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

const row = (cells: ReadonlyArray<string>): void =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(34) : cell.padStart(11))).join(""))

/** Prints a row for each way to run the engine, and returns whether all are within the bound. */
const reportWorld = async (
  world: LateWorld,
  perMinute: number,
  seeds: ReadonlyArray<number>,
  outcomes: ReadonlyArray<Reporting>,
  databases: ReadonlyArray<Measured>
): Promise<boolean> => {
  const make = await ours(world)
  const without = meanOf(seeds.map((seed) => 100 * simulate(world, perMinute, seed, make).lost))
  const most = bound.factor * without + bound.points
  let isMet = true
  for (const reporting of outcomes) {
    for (const { database, engines, name } of databases) {
      for (const kind of engines) {
        const lost: Array<number> = []
        for (const seed of seeds)
          lost.push(lostOf(await lateRun({ world, perMinute, seed, reporting, database }, kind)))
        const isWithin = meanOf(lost) <= most
        isMet &&= isWithin
        const numbers = [meanOf(lost), without, most].map((each) => each.toFixed(2))
        row([world.name, String(perMinute), reporting, name, kind, ...numbers, isWithin ? "met" : "NOT MET"])
      }
    }
  }
  return isMet
}

const chosen = <A extends string>(option: string, given: string, all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const names = given.split(",")
  const unknown = names.find((name) => !all.some((each) => each === name))
  if (unknown !== undefined) throw new Error(`--${option}: "${unknown}" is none of ${all.join(", ")}.`)
  return all.filter((each) => names.includes(each))
}

const databaseNames = ["memory", "sqlite", "postgres"] as const

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "2" },
      rates: { type: "string", default: "1,10" },
      world: { type: "string", default: "" },
      databases: { type: "string", default: databaseNames.join(",") },
      outcomes: { type: "string", default: reportings.join(",") }
    }
  })
  const seeds = Number(values.seeds)
  if (!Number.isInteger(seeds) || seeds < 1) throw new Error("--seeds must be a whole number from 1 on.")
  const rates = values.rates.split(",").map(Number)
  if (!rates.every((rate) => rate > 0)) throw new Error("--rates must be numbers above 0, with commas between them.")
  const worlds = lateWorlds.filter(({ name }) => name.includes(values.world))
  if (worlds.length === 0) {
    const names = lateWorlds.map(({ name }) => name)
    throw new Error(`No world is named "${values.world}". Worlds: ${names.join("; ")}.`)
  }
  const outcomes = chosen("outcomes", values.outcomes, reportings)
  const names = chosen("databases", values.databases, databaseNames)
  const server = names.includes("postgres") ? await serverOf(process.env["DATABASE_URL"]) : null
  try {
    const databases = names.flatMap((name): ReadonlyArray<Measured> => {
      if (name === "memory") return [{ name, database: memory, engines: ["one", "restart"] }]
      if (name === "sqlite") return [{ name, database: sqlite, engines: ["one", "restart"] }]
      return server === null ? [] : [{ name, database: postgres(server.url), engines: ["one", "restart", "two"] }]
    })
    console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}; lost payments in %, of ${seeds} runs\n`)
    row(["", "a minute", "outcomes", "database", "engines", "lost", "without", "at most", ""])
    for (const world of worlds) {
      for (const perMinute of rates) {
        const isMet = await reportWorld(world, perMinute, seedsUpTo(seeds), outcomes, databases)
        if (!isMet) process.exitCode = 1
      }
    }
  } finally {
    await server?.stop()
  }
}

/** The one that is given, or one of our own, whose commits do not wait for the disk: time is virtual. */
const serverOf = async (given: string | undefined) =>
  given === undefined || given === "" ? startPostgres() : { url: given, stop: async () => undefined }

await main()
