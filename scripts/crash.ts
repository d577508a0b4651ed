/**
 * The crash tests at their full size. Prints what it does and what it found; ends with 1 where something must not be.
 *
 *     node scripts/crash.ts                     every point once, on both databases, and every other fault
 *     node scripts/crash.ts --full              ten times each, 10,000 payments; writes docs/reliability.md
 *     node scripts/crash.ts --only sqlite       one of: sqlite, postgres, random, lost-commit, postgres-crash,
 *                                               black-hole, clock, stall, restarts, versions, disk, webhooks
 *     node scripts/crash.ts --seed 7            the same choices again (default: the time)
 *     node scripts/crash.ts --points a,b        these points alone
 *
 * PostgreSQL is a server of its own; `CRASH_KEEP=1` keeps the folders with the ledgers.
 */
import { parseArgs } from "node:util"
import { crashPoints, isCrashPoint } from "../test/crash/CrashPoints.ts"
import { newDatabase } from "../test/crash/PostgresAt.ts"
import { blackHole } from "../test/crash/runs/BlackHole.ts"
import { clockSteps } from "../test/crash/runs/ClockSteps.ts"
import { crashRun } from "../test/crash/runs/CrashRun.ts"
import { diskFull, noSmallDisk } from "../test/crash/runs/DiskFull.ts"
import { killedAtRandom } from "../test/crash/runs/KilledAtRandom.ts"
import { lostCommit } from "../test/crash/runs/LostCommit.ts"
import { postgresCrash } from "../test/crash/runs/PostgresCrash.ts"
import { rollingRestarts } from "../test/crash/runs/RollingRestarts.ts"
import { staleCheckpoint } from "../test/crash/runs/StaleCheckpoint.ts"
import { stallPoints, stalls } from "../test/crash/runs/Stalls.ts"
import { twoVersions } from "../test/crash/runs/TwoVersions.ts"
import { webhookKills } from "../test/crash/runs/WebhookKills.ts"
import { faultsOf } from "../test/crash/TestHarness.ts"
import type { HarnessReport } from "../test/crash/TestHarness.ts"
import { startPostgres } from "../test/support/PostgresServer.ts"
import { writeReliabilitySection } from "./reliabilityReport.ts"

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    points: { type: "string" }
  }
})
const { full } = values
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const points = values.points === undefined ? crashPoints : values.points.split(",").filter(isCrashPoint)

/** One line of the table. */
interface Line {
  readonly name: string
  readonly what: string
  readonly payments: number
  readonly acknowledged: number
  readonly inReview: number
  readonly faults: ReadonlyArray<string>
  readonly seconds: number
}

interface Run {
  readonly id: string
  readonly name: string
  readonly run: (postgres: () => Promise<string>) => Promise<Omit<Line, "name">>
}

const line = (what: string, report: HarnessReport, more: ReadonlyArray<string> = []): Omit<Line, "name"> => ({
  what,
  payments: report.payments,
  acknowledged: report.acknowledged,
  inReview: report.inReview,
  faults: [...faultsOf(report), ...more],
  seconds: report.seconds
})

const killEverywhere = async (database: string | undefined, seed: number) => {
  const killsPerPoint = full ? 10 : 1
  const report = await crashRun({
    ...(database !== undefined && { database }),
    points,
    killsPerPoint,
    payments: full ? 10_000 : 500,
    seed,
    progress: (text) => console.log(`  ${text}`)
  })
  const missed = [...report.at]
    .filter(([, kills]) => kills < killsPerPoint)
    .map(([point, kills]) => `${point} was reached ${kills} times of ${killsPerPoint}`)
  return line(`${points.length} points × ${killsPerPoint}: ${report.kills} kills`, report, [
    ...missed,
    ...report.secondOrders
  ])
}

const size = full ? 600 : 150

const runs: ReadonlyArray<Run> = [
  { id: "sqlite", name: "`kill -9` at named points, SQLite", run: () => killEverywhere(undefined, seed) },
  {
    id: "postgres",
    name: "`kill -9` at named points, PostgreSQL",
    run: async (postgres) => killEverywhere(await postgres(), seed + 1)
  },
  {
    id: "random",
    name: "four engines on one PostgreSQL, one killed at random",
    run: async (postgres) => {
      const duration = full ? 60_000 : 20_000
      const report = await killedAtRandom({ database: await postgres(), engines: 4, duration, seed })
      return line(`${report.kills} kills in ${duration / 1000} s`, report)
    }
  },
  {
    id: "lost-commit",
    name: "COMMIT done, its reply lost",
    run: async (postgres) => {
      const report = await lostCommit({ database: await postgres(), payments: size, share: 0.03, seed })
      return line(`${report.cuts} replies cut`, report, report.cuts === 0 ? ["no reply was cut"] : [])
    }
  },
  {
    id: "postgres-crash",
    name: "PostgreSQL killed in mid-transaction",
    run: async () => {
      const server = await startPostgres({ durable: true })
      try {
        const times = full ? 10 : 3
        const database = await newDatabase(server.url)
        return line(`${times} times`, await postgresCrash({ database, times, payments: size }))
      } finally {
        await server.stop()
      }
    }
  },
  {
    id: "black-hole",
    name: "black hole of 30 s between engine and PostgreSQL",
    run: async (postgres) => {
      const report = await blackHole({ database: await postgres(), duration: 30_000 })
      const { answered, asked, ready } = report
      return line(
        `${answered.length} of ${asked} requests answered within it; readyz ${ready.within}, then ${ready.after}`,
        report,
        [
          ...(answered.length === asked ? [] : ["a request was not answered while the hole was open"]),
          ...(ready.within === 503 && ready.after === 200 ? [] : ["readyz did not say how it is"])
        ]
      )
    }
  },
  {
    id: "clock",
    name: "the clock of one of two engines set ±10 min",
    run: async (postgres) => {
      const times = full ? 12 : 4
      return line(`${times * 2} steps`, await clockSteps({ database: await postgres(), times }))
    }
  },
  {
    id: "stall",
    name: "an engine stopped past its lease, another at its work",
    run: async (postgres) => {
      const repeated = Array.from({ length: full ? 3 : 1 }, () => stallPoints).flat()
      const report = await stalls({ database: await postgres(), engines: 2, points: repeated })
      const stale = await staleCheckpoint({ database: await postgres() })
      return line(`${report.stalls.length + 1} stalls`, report, faultsOf(stale))
    }
  },
  {
    id: "stall",
    name: "the only engine stopped past its lease, SQLite",
    run: async () => {
      const report = await stalls({ engines: 1, points: stallPoints })
      return line(`${report.stalls.length} stalls`, report)
    }
  },
  {
    id: "restarts",
    name: "SIGTERM during traffic, SQLite",
    run: async () => {
      const report = await rollingRestarts({ engines: 1, times: full ? 20 : 5 })
      const { drained, reported } = report
      return line(
        `${drained} of ${reported} drained`,
        report,
        drained === reported ? [] : ["an engine did not end in good order"]
      )
    }
  },
  {
    id: "versions",
    name: "two versions side by side, one migrates during traffic",
    run: async (postgres) => {
      const report = await twoVersions({ database: await postgres(), payments: size })
      const { after, before } = report.migrations
      return line(
        `${before} → ${after} migrations, 4 engines`,
        report,
        after === before + 1 ? [] : ["nothing was migrated"]
      )
    }
  },
  {
    id: "disk",
    name: "disk full under SQLite, and freed again",
    run: async () => {
      const impossible = noSmallDisk()
      if (impossible !== null) {
        return { what: `skipped: ${impossible}`, payments: 0, acknowledged: 0, inReview: 0, faults: [], seconds: 0 }
      }
      const started = Date.now()
      const report = await diskFull()
      const refused = report.whileFull.filter((status) => status === 503).length
      return {
        what: `${refused} requests answered 503, then ${report.afterwards}`,
        payments: report.payments,
        acknowledged: report.acknowledged,
        inReview: report.inReview,
        faults: [...report.lost, ...report.double, ...report.unresolved, ...report.broken, ...report.changed],
        seconds: Math.round((Date.now() - started) / 1000)
      }
    }
  },
  { id: "webhooks", name: "the webhooks' worker killed, SQLite", run: () => killedWebhooks(undefined) },
  {
    id: "webhooks",
    name: "the webhooks' worker killed, PostgreSQL",
    run: async (postgres) => killedWebhooks(await postgres())
  }
]

const killedWebhooks = async (database: string | undefined): Promise<Omit<Line, "name">> => {
  const { missing, outOfOrder, underAnotherId, ...report } = await webhookKills({
    ...(database !== undefined && { database }),
    payments: full ? 10_000 : 2_000,
    kills: 20,
    seed
  })
  const { calls, events, kills, payments, posts, seconds } = report
  return {
    what: `${kills} kills; ${events} events, ${posts} posts, ${calls} calls`,
    payments,
    acknowledged: events,
    inReview: 0,
    faults: [...missing, ...underAnotherId, ...outOfOrder],
    seconds
  }
}

const chosen = runs.filter(({ id }) => values.only === undefined || id === values.only)
if (chosen.length === 0) throw new Error(`There is no run ${String(values.only)}: see the head of scripts/crash.ts.`)

console.log(`seed ${seed}`)
let server: Awaited<ReturnType<typeof startPostgres>> | undefined
const postgres = async (): Promise<string> => {
  server ??= await startPostgres({ durable: true })
  return newDatabase(server.url)
}
const lines: Array<Line> = []
try {
  for (const { name, run } of chosen) {
    console.log(name)
    const done: Line = { name, ...(await run(postgres)) }
    lines.push(done)
    console.log(`  ${done.what}; ${done.payments} payments, ${done.faults.length} faults, ${done.seconds} s`)
    for (const fault of done.faults) console.log(`  FAULT ${fault}`)
  }
} finally {
  await server?.stop()
}

const table = [
  `Seed ${seed}, Node ${process.version}. A fault is an acknowledged payment that is lost or reverted, a duplicate or unaccounted charge, an`,
  "operation left open, or a repeated response whose bytes differ.",
  "",
  "| what went wrong | how often | payments | acknowledged answers | in review | faults | seconds |",
  "|---|---|---|---|---|---|---|",
  ...lines.map((each) =>
    ["", each.name, each.what, each.payments, each.acknowledged, each.inReview, each.faults.length, each.seconds, ""]
      .join(" | ")
      .trim()
  )
].join("\n")
console.log(table)
if (full && values.only === undefined) writeReliabilitySection("crash", table)
process.exitCode = lines.some(({ faults }) => faults.length > 0) ? 1 : 0
