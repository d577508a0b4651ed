/**
 * Rules that are published and replayed by a server that has other work. Ends with 1 where a bound is not met.
 *
 * - `pnpm bench rules publish sqlite|postgres`: 1,000 payments a second, while a version is published or rolled back each
 *   second: none may fail, and each must have gone where the version that it names sends it. On PostgreSQL a second
 *   server follows, and the time until it does is measured.
 * - `pnpm bench rules backtest`: a backtest of a million payments on SQLite: how long it takes, how long the event loop is held,
 *   how often it reports its progress, and how soon it ends after it was canceled.
 * - `--rate <n>`: payments a second of `publish`. Default: 1,000; a small machine refuses some of them (`503`).
 * - `--seconds <n>`: of `publish`. Default: 20. `--payments <n>`: of `backtest`. Default: 1,000,000.
 */
import { PostgresClient, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { migrations } from "../../packages/paymux/src/Database.ts"
import { createPaymux } from "../../packages/paymux/src/index.ts"
import type { Paymux } from "../../packages/paymux/src/index.ts"
import config from "./backtest/paymux.config.ts"
import { store } from "./backtest/StoredPayments.ts"
import { instantWithId } from "./InstantProvider.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { request } from "./Sample.ts"

const bounds = { heldMs: 20, followMs: 5_000, cancelMs: 1_000 }

const check = (name: string, value: number, bound: number, unit: string): void => {
  const isMet = value <= bound
  if (!isMet) process.exitCode = 1
  console.log(`${name.padEnd(44)} ${value.toFixed(1)} ${unit} (bound ${bound} ${unit})${isMet ? "" : "  NOT MET"}`)
}

const show = (name: string, text: string): void => console.log(`${name.padEnd(44)} ${text}`)

const rulesTo = (provider: string, remark: string): string =>
  `# ${remark}\nversion: 1\nrules:\n  - name: to ${provider}\n    when: { payment_method: upi }\n    choose: { priority: [${provider}] }\ndefault: { priority: [one, two] }\n`

const held = async (work: () => Promise<void>): Promise<{ readonly p999: number; readonly longest: number }> => {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await work()
  delays.disable()
  return { p999: delays.percentile(99.9) / 1e6, longest: delays.max / 1e6 }
}

interface Traffic {
  /** By ruleset and provider. */
  readonly routed: Map<string, number>
  readonly failures: Array<unknown>
  created: number
}

interface Load {
  readonly seconds: number
  /** Payments a second. */
  readonly rate: number
}

/** Payments at a steady rate, whatever the answers take. */
const payFor = async (
  paymux: Paymux,
  { rate, seconds }: Load,
  { failures, routed, ...counted }: Traffic
): Promise<number> => {
  const begun = performance.now()
  const open: Set<Promise<void>> = new Set()
  let asked = counted.created
  while (performance.now() - begun < seconds * 1000) {
    for (const due = ((performance.now() - begun) / 1000) * rate; asked < due; asked++) {
      const paying = paymux.payments.create(request).then(
        ({ attempts, routing, status }) => {
          const place = `${routing?.ruleset} ${attempts[0]?.provider} ${status}`
          routed.set(place, (routed.get(place) ?? 0) + 1)
        },
        (error: unknown) => void failures.push(error)
      )
      open.add(paying)
      void paying.finally(() => open.delete(paying))
    }
    await setTimeout(2)
  }
  await Promise.all(open)
  return asked
}

const follows = async (server: Paymux, ruleset: string): Promise<void> => {
  while ((await server.rules.current()).inForce !== ruleset) await setTimeout(5)
}

/** Each second another version, every third of them a roll back. Returns the provider of each ruleset. */
const publishFor = async (paymux: Paymux, follower: Paymux | null, seconds: number) => {
  const { ruleset, version } = await paymux.rules.current()
  const providers = new Map([[ruleset, "one"]])
  const took = { publish: 0, follow: 0 }
  let from = version
  for (let n = 1; n <= seconds - 1; n++) {
    const second = setTimeout(1000)
    const provider = n % 2 === 0 ? "one" : "two"
    const begun = performance.now()
    const published =
      n % 3 === 0
        ? await paymux.rules.rollback({ to: from - 1, from })
        : await paymux.rules.publish({ text: rulesTo(provider, `version ${from + 1}`), from })
    const stored = performance.now()
    took.publish = Math.max(took.publish, stored - begun)
    from = published.version
    // A roll back restores the version before, which sends to the other provider.
    const text = (await paymux.rules.get(from))?.text ?? ""
    providers.set(published.ruleset, /priority: \[(\w+)\]/.exec(text)?.[1] ?? "unknown")
    if (follower !== null) await follows(follower, published.ruleset)
    took.follow = Math.max(took.follow, performance.now() - stored)
    await second
  }
  return { providers, took, versions: from }
}

const publish = async (database: string, directory: string, { rate, seconds }: Load): Promise<void> => {
  writeFileSync(join(directory, "routing.yaml"), rulesTo("one", "version 1"))
  const start = () =>
    createPaymux({
      providers: [instantWithId("one"), instantWithId("two")],
      database,
      logs: false,
      routing: { source: "database", initial: join(directory, "routing.yaml") }
    })
  await using paymux = await start()
  const follower = database.startsWith("sqlite:") ? null : await start()
  try {
    await payFor(paymux, { rate, seconds: 3 }, { routed: new Map(), failures: [], created: 0 })
    const alone = await held(() =>
      payFor(paymux, { rate, seconds: 5 }, { routed: new Map(), failures: [], created: 0 }).then(() => {})
    )
    const traffic: Traffic = { routed: new Map(), failures: [], created: 0 }
    const versions: Array<Awaited<ReturnType<typeof publishFor>>> = []
    const begun = performance.now()
    const both = await held(async () => {
      const publishing = publishFor(paymux, follower, seconds)
      traffic.created = await payFor(paymux, { rate, seconds }, traffic)
      versions.push(await publishing)
    })
    const [published] = versions
    if (published === undefined) throw new Error("Nothing was published.")
    const wrong = [...traffic.routed].filter(([place]) => {
      const [ruleset = "", provider, status] = place.split(" ")
      return published.providers.get(ruleset) !== provider || status !== "succeeded"
    })
    const reached = traffic.created / ((performance.now() - begun) / 1000)
    show("payments", `${traffic.created}, ${reached.toFixed(0)} a second, under ${published.versions} versions`)
    check("payments that failed", traffic.failures.length, 0, "")
    for (const failure of traffic.failures.slice(0, 3)) console.log(failure)
    check("payments that went where their version does not send", wrong.length, 0, "")
    show("a publish or roll back, longest", `${published.took.publish.toFixed(0)} ms`)
    if (follower !== null)
      check("until the second server follows, longest", published.took.follow, bounds.followMs, "ms")
    show(
      "event loop held, payments alone",
      `99.9 %: ${alone.p999.toFixed(1)} ms, longest ${alone.longest.toFixed(1)} ms`
    )
    show(
      "event loop held, with publishing",
      `99.9 %: ${both.p999.toFixed(1)} ms, longest ${both.longest.toFixed(1)} ms`
    )
  } finally {
    await follower?.close()
  }
}

const backtest = async (directory: string, payments: number): Promise<void> => {
  const filename = join(directory, "payments.db")
  const from = Date.UTC(2026, 9, 1)
  const thirtyDays = 30 * 86_400_000
  await store(filename, { payments, from, apart: thirtyDays / payments })
  await using paymux = await createPaymux({
    ...config,
    database: `sqlite:${filename}`,
    logs: false,
    secret: "a secret of the benchmark, with 32 characters"
  })
  const live = paymux.forAccount("default", { mode: "live" })
  const text = readFileSync(join(import.meta.dirname, "backtest/draft.yaml"), "utf8")
  const period = { text, from, until: from + thirtyDays }
  let reports = 0
  const begun = performance.now()
  const { longest, p999 } = await held(async () => {
    const { report } = await live.rules.backtest({ ...period, onProgress: () => reports++ })
    if (report.payments !== payments) throw new Error(`${report.payments} of ${payments} payments were replayed.`)
  })
  show("a backtest", `${payments} payments in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  show("progress reported", `${reports} times`)
  check("event loop of the server held, longest", longest, bounds.heldMs, "ms")
  show("  99.9 %", `${p999.toFixed(1)} ms`)
  const controller = new AbortController()
  const canceled = live.rules.backtest({ ...period, signal: controller.signal }).catch(() => performance.now())
  await setTimeout(2_000)
  const at = performance.now()
  controller.abort(new Error("No longer wanted"))
  const ended = await canceled
  check("until a canceled one has ended", typeof ended === "number" ? ended - at : Number.NaN, bounds.cancelMs, "ms")
}

const main = async (): Promise<void> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "20" },
      rate: { type: "string", default: "1000" },
      payments: { type: "string", default: "1000000" }
    }
  })
  const [what, database] = positionals
  const load = { seconds: Number(values.seconds), rate: Number(values.rate) }
  const directory = mkdtempSync(join(tmpdir(), "paymux-rules-"))
  console.log(
    `${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${what}${database === undefined ? "" : `, ${database}`}`
  )
  try {
    if (what === "backtest") await backtest(directory, Number(values.payments))
    else if (what === "publish" && database === "sqlite") {
      await publish(`sqlite:${join(directory, "rules.db")}`, directory, load)
    } else if (what === "publish" && database === "postgres") {
      const server = await openPostgres()
      try {
        const url = await server.create("rules")
        await Effect.runPromise(
          Effect.provide(runMigrations(migrations), PostgresClient.layer({ url: Redacted.make(url) }))
        )
        await publish(url, directory, load)
      } finally {
        await server.close()
      }
    } else throw new Error("Usage: pnpm bench rules publish sqlite|postgres, or pnpm bench rules backtest")
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
