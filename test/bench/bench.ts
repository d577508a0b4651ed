/** `pnpm bench <case> [options]`: runs one benchmark. The head of its file describes its options. */
interface Case {
  readonly help: string
  readonly load: () => Promise<unknown>
  readonly options?: ReadonlyArray<string>
}

/** Paymux beside other code that does the same. */
const comparison = (name: string, help: string): Case => ({
  help,
  load: () => import("./comparisons.ts"),
  options: ["--case", name]
})

const cases: { readonly [name: string]: Case } = {
  compare: { help: "engine, http, postgres and routing, one after the other", load: () => import("./comparisons.ts") },
  engine: comparison("engine", "payments per second of the engine on SQLite, against code written by hand"),
  http: comparison("http", "payments per second over HTTP, against code written by hand and an echo"),
  postgres: comparison("postgres", "payments per second of the engine on PostgreSQL, against code written by hand"),
  routing: comparison("routing", "routing decisions per second, against other rule engines"),
  "routing-decisions": {
    help: "CPU time of a decision by each way to choose",
    load: () => import("./routing/decisions.ts")
  },
  "routing-reload": {
    help: "how long a server holds its event loop while it reloads a file of 10,000 rules",
    load: () => import("./routing/reload.ts")
  },
  "routing-worlds": {
    help: "payments lost by success-rate routing while providers fail, drift or flap, against other policies",
    load: () => import("./routing/worlds.ts")
  },
  "routing-late": {
    help: "payments lost by success-rate routing while a provider of UPI intents fails, through the engine on each database",
    load: () => import("./routing/late.ts")
  },
  backtest: {
    help: "time and memory of a backtest over a million payments",
    load: () => import("./backtest/bench.ts")
  },
  "backtest-worlds": {
    help: "what backtests of planted worlds report, beside what is true of them",
    load: () => import("./backtest/worlds.ts")
  },
  "brown-out": {
    help: "payments lost by success-rate routing while a provider degrades",
    load: () => import("./brownOut.ts")
  },
  bytes: { help: "bytes a payment in the SQLite file, by table and index", load: () => import("./bytes.ts") },
  deliveries: {
    help: "CPU time of a webhook delivery to 1, 10 and 100 endpoints, and creates beside them (sqlite or postgres)",
    load: () => import("./deliveries.ts")
  },
  flat: {
    help: "cost of a payment and of a reconciler pass, with few and with many payments and open operations (sqlite or postgres)",
    load: () => import("./flat.ts")
  },
  lists: {
    help: "cost of a list page in a small and in a large database (sqlite or postgres)",
    load: () => import("./lists.ts")
  },
  "at-size": {
    help: "what users do with three million payments, beside a thousand (sqlite or postgres)",
    load: () => import("./atSize.ts")
  },
  "list-readers": {
    help: "creates beside 40 connections that read lists of 100, of the dashboard and of the API (sqlite or postgres)",
    load: () => import("./listReaders.ts")
  },
  profile: {
    help: "CPU time of a payment over HTTP by part, for each of four bodies",
    load: () => import("./profile.ts")
  },
  reconcile: {
    help: "time and memory of a run over a provider's statement with a million movements (sqlite or postgres)",
    load: () => import("./reconcile.ts")
  },
  start: {
    help: "how soon a packed server is ready, and its memory when idle, against node:http alone",
    load: () => import("./start.ts")
  },
  "statement-file": {
    help: "time and memory of a run over a report of 5 GB in CSV",
    load: () => import("./statementFile.ts")
  },
  statistics: {
    help: "cost of numbers over time, of each event, and of their charts (cost, events or queries, sqlite or postgres)",
    load: () => import("./statistics.ts")
  },
  overload: {
    help: "accepted payments, latency and rejections at up to five times the capacity",
    load: () => import("./overload.ts")
  },
  webhooks: { help: "delay of healthy webhook endpoints while others hang", load: () => import("./webhooks.ts") }
}

const [, , name = "", ...options] = process.argv
const chosen = cases[name]

if (chosen === undefined) {
  const names = Object.entries(cases).map(([each, { help }]) => `  ${each.padEnd(10)}  ${help}`)
  console.error(["Usage: pnpm bench <case> [options], where <case> is one of:", ...names].join("\n"))
  process.exitCode = 1
} else {
  // The benchmark reads its options from the command line.
  process.argv.splice(2, Infinity, ...(chosen.options ?? []), ...options)
  await chosen.load()
}
