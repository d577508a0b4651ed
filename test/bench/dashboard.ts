/**
 * What the dashboard costs, and how fast it is there. Ends with 1 when a bound is not met.
 *
 * - `pnpm bench dashboard tabs sqlite|postgres`: CPU time of a create while browser tabs of the dashboard are open, and
 *   while they are offline, in rounds side by side on one server: two processes that do the same differ by more than is asked for.
 *   Then for how long the tabs hold the event loop of a server that has nothing else to do.
 * - `pnpm bench dashboard cold sqlite|postgres`: from the request of a page to its first useful content, in a browser without a
 *   cache, on a database with many payments; and how much is loaded for it.
 * - `--tabs <n>`: default 50. `--rounds <n>`: default 12. `--payments <n>`: of `cold`; default 1,000,000.
 */
import { coreMigrations, PostgresClient, rebuildStatistics, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import type { Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { launchBrowser } from "../support/browser.ts"
import { postgresWith, sqliteWith } from "./lists/databases.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { startLoad, startServer } from "./Process.ts"
import type { Server } from "./Process.ts"
import { interleave, median } from "./Rounds.ts"
import type { Contender } from "./Rounds.ts"
import { request } from "./Sample.ts"
import { fillYear } from "./statistics/fillYear.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tabs: { type: "string", default: "50" },
    rounds: { type: "string", default: "12" },
    payments: { type: "string", default: "1000000" }
  }
})
const [what, database] = positionals
if (database !== "sqlite" && database !== "postgres") throw new Error("Say which database: sqlite or postgres.")

const bounds = { cpu: 1.03, heldMs: 20, coldMs: 1_000, scriptKilobytes: 230 }

const check = (name: string, value: number, bound: number, unit: string) => {
  const met = value <= bound
  console.log(
    `${name.padEnd(56)} ${value.toFixed(unit === "" ? 3 : 1)} ${unit}, at most ${bound}${met ? "" : ": NOT MET"}`
  )
  if (!met) process.exitCode = 1
}

const pages = ["", "/payments", "/deliveries", "/routing", "/providers"]

const address = ({ port }: Server, page: string) => `http://127.0.0.1:${port}/dashboard/default/test${page}`

const opened = async (browser: Browser, server: Server, count: number): Promise<BrowserContext> => {
  const context = await browser.newContext()
  for (let tab = 0; tab < count; tab++) {
    const page = await context.newPage()
    await page.goto(address(server, pages[tab % pages.length] ?? ""), { waitUntil: "networkidle" })
  }
  return context
}

/** Long enough for the polls of every page. ms */
const ROUND = 10_000

const creates = (server: Server, load: ReturnType<typeof startLoad>) => async (duration: number) => {
  const { apiKey, port } = server
  const before = await server.cpu()
  const { answers, wall } = await load.run({
    apiKey,
    port,
    path: "/v1/payments",
    body: JSON.stringify(request),
    expected: 201,
    connections: 32,
    duration
  })
  return { payments: answers, wall, cpu: (await server.cpu()) - before }
}

const tabs = async (directory: string) => {
  const postgres = database === "postgres" ? await openPostgres() : null
  const url = postgres === null ? `sqlite:${join(directory, "tabs.db")}` : await postgres.create("tabs")
  const browser = await launchBrowser()
  try {
    await withServer(url, (server) => cpuOfCreates(browser, server))
    await withServer(url, (server) => heldByTabs(browser, server))
  } finally {
    await browser.close()
    await postgres?.close()
  }
}

const withServer = async (url: string, measure: (server: Server) => Promise<void>) => {
  const server = await startServer("dashboard.ts", url)
  try {
    await measure(server)
  } finally {
    await server.close()
  }
}

const cpuOfCreates = async (browser: Browser, server: Server) => {
  const load = startLoad()
  try {
    const create = creates(server, load)
    // Of an account with payments: one without shows how to make the first.
    for (let warmUp = 0; warmUp < 6; warmUp++) await create(1_000)
    const context = await opened(browser, server, Number(values.tabs))
    const contender = (name: string, isOffline: boolean): Contender => ({
      name,
      run: async () => {
        await context.setOffline(isOffline)
        // A page that is back reads everything again.
        await sleep(2_000)
        return create(ROUND)
      }
    })
    const [open, none] = await interleave([contender("with tabs", false), contender("offline", true)], {
      rounds: Number(values.rounds),
      warmUps: 1,
      progress: () => undefined
    })
    await context.close()
    if (open === undefined || none === undefined) throw new Error("A side was not measured")
    const ratios = open.slices.map(({ cpu, payments }, round) => {
      const other = none.slices[round]
      return other === undefined ? Number.NaN : cpu / payments / (other.cpu / other.payments)
    })
    check(`CPU of a create, ${values.tabs} tabs / none`, median(ratios), bounds.cpu, "")
  } finally {
    await load.close()
  }
}

/** By a server that has made no payments: V8 collects what a load has left when nothing else is to be done. */
const heldByTabs = async (browser: Browser, server: Server) => {
  const held = async () => {
    // Of the start, or of the pages.
    await sleep(10_000)
    await server.held()
    await sleep(60_000)
    return server.held()
  }
  console.log(`event loop held without them, longest of a minute       ${(await held()).toFixed(1)} ms`)
  const context = await opened(browser, server, Number(values.tabs))
  check("event loop held by the tabs, longest of a minute", await held(), bounds.heldMs, "ms")
  await context.close()
}

/** A year of numbers, for the charts. */
const withNumbers = (client: Layer.Layer<SqlClient.SqlClient, unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* runMigrations([coreMigrations])
    yield* Effect.forEach(fillYear(sql, Number(values.payments)), (each) => each.unprepared)
    yield* rebuildStatistics()
  }).pipe(Effect.provide(client))

const cold = async (directory: string) => {
  const postgres = database === "postgres" ? await openPostgres() : null
  const payments = Number(values.payments)
  const url = await Effect.runPromise(
    postgres === null
      ? Effect.map(sqliteWith(directory, payments), (filename) => `sqlite:${filename}`)
      : Effect.map(postgresWith(postgres, payments), Redacted.value)
  )
  await Effect.runPromise(
    withNumbers(
      postgres === null
        ? SqliteClient.layer({ filename: url.slice("sqlite:".length) })
        : PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 3_600_000 })
    )
  )
  const server = await startServer("dashboard.ts", url)
  const browser = await launchBrowser()
  try {
    for (const [name, page, content] of [
      ["home", "?days=90", "figure svg"],
      ["payments", "/payments", "tbody tr"]
    ] as const) {
      const loads = []
      for (let round = 0; round < 9; round++) loads.push(await coldLoad(browser, address(server, page), content))
      check(`${name}: first useful content, median`, median(loads.map(({ ms }) => ms)), bounds.coldMs, "ms")
      check(
        `${name}: JavaScript, compressed`,
        median(loads.map(({ kilobytes }) => kilobytes)),
        bounds.scriptKilobytes,
        "kB"
      )
    }
  } finally {
    await browser.close()
    await server.close()
    await postgres?.close()
  }
}

/** In a context of its own, which has nothing cached. */
const coldLoad = async (browser: Browser, url: string, content: string) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const begun = performance.now()
  await page.goto(url, { waitUntil: "commit" })
  await page.locator(content).first().waitFor()
  const ms = performance.now() - begun
  const kilobytes = await scriptKilobytes(page)
  await context.close()
  return { ms, kilobytes }
}

const scriptKilobytes = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith(".js"))
        .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0) /
      1000
  )

const directory = mkdtempSync(join(tmpdir(), "paymux-dashboard-"))
console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
try {
  if (what === "tabs") await tabs(directory)
  else if (what === "cold") await cold(directory)
  else throw new Error("Say what: tabs or cold.")
} finally {
  rmSync(directory, { recursive: true, force: true })
}
