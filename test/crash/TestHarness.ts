/**
 * The test harness: a vendor, engines on one database, a merchant who asks all of them. What goes wrong is up to the run;
 * afterwards there is quiet, everything settles, every request is repeated, and the judge speaks.
 *
 * Everything is real: processes, sockets, files, signals. Only time is faster, in the engines alone.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startChild } from "./ChildProcess.ts"
import { startEngineHost } from "./EngineHost.ts"
import type { EngineHost } from "./EngineHost.ts"
import { readFindings, settled } from "./Findings.ts"
import { judge } from "./Judge.ts"
import type { Verdict } from "./Judge.ts"
import { makeMerchant } from "./Merchant.ts"
import type { Merchant } from "./Merchant.ts"
import { setDatabaseClock } from "./PostgresAt.ts"
import type { EngineSecrets, EngineSettings, EngineVersion, VendorReady } from "./processes/Protocol.ts"
import { atRate } from "./ScaledClock.ts"
import type { ClockSetting } from "./ScaledClock.ts"
import { startTraffic } from "./Traffic.ts"
import type { Traffic } from "./Traffic.ts"
import { readLedger } from "./vendor/Ledger.ts"
import type { LedgerEntry } from "./vendor/Ledger.ts"

export interface HarnessOptions {
  /** `postgres://…` of an empty database; default: a new SQLite file. */
  readonly database?: string
  /** How the engine of this number reaches the database; default: as everybody does. */
  readonly reach?: (engine: number) => string
  /** Default 1. */
  readonly engines?: number
  /** The version of the engine of this number. Default: this one. */
  readonly version?: (engine: number) => EngineVersion
  /** Of the installation. Default: none, and names that are the same for all. */
  readonly secrets?: EngineSecrets
  /** How fast time runs in the engines. Default 10: an inquiry after a minute comes after six seconds. */
  readonly rate?: number
  /** Payments under way at the same time. Default 24. */
  readonly concurrency?: number
  /** Before every idempotency key. */
  readonly name: string
  /** ms that everything has to settle. Default 240,000. */
  readonly settling?: number
  /** Once everything has settled and every request was repeated. What it changes settles, too. */
  readonly afterwards?: (ledger: ReadonlyArray<LedgerEntry>) => Promise<void>
}

export interface TestHarness {
  readonly engines: ReadonlyArray<EngineHost>
  readonly merchant: Merchant
  readonly traffic: Traffic
  /** Of the database as the judge reads it. */
  readonly database: string
  /** One more engine, which the merchant asks as well. */
  readonly join: (settings?: Partial<EngineSettings>) => Promise<EngineHost>
  readonly untilPayments: (count: number) => Promise<void>
}

export interface HarnessReport extends Verdict {
  /** Engines that were killed. */
  readonly kills: number
  /** Operations and messages that were open when the time to settle was over. */
  readonly open: number
  readonly replays: number
  /** Requests whose bytes were others the second time. */
  readonly replayed: ReadonlyArray<string>
  readonly ledger: ReadonlyArray<LedgerEntry>
  readonly seconds: number
}

/** When nothing is to happen any more but waiting. */
const SETTLING_RATE = 100
/**
 * ms. Opossum reads the machine's own clock: a breaker that opens while the machine is busy stays open for 30 s of it, and
 * its probe may fail again.
 */
const SETTLING = 240_000

export const withHarness = async (
  options: HarnessOptions,
  run: (harness: TestHarness) => Promise<void>
): Promise<HarnessReport> => {
  const started = Date.now()
  const folder = await mkdtemp(join(tmpdir(), "paymux-crash-"))
  const ledger = join(folder, "ledger.jsonl")
  const database = options.database ?? `sqlite:${join(folder, "payments.db")}`
  const vendor = await startChild<VendorReady>("crashVendor", ledger)
  const engines: Array<EngineHost> = []
  const clock: ClockSetting = { virtual: started, real: started, rate: options.rate ?? 10 }
  const setClock = (setting: ClockSetting) =>
    database.startsWith("postgres") ? setDatabaseClock(database, setting) : Promise.resolve()
  const start = async (engine: number, settings: Partial<EngineSettings> = {}) => {
    const host = await startEngineHost({
      database: options.reach?.(engine) ?? database,
      port: 0,
      vendor: vendor.ready.url,
      clock,
      version: options.version?.(engine) ?? "this",
      ...(options.secrets !== undefined && { secrets: options.secrets }),
      ...settings
    })
    engines.push(host)
    return host
  }
  const all = (act: (host: EngineHost) => Promise<void>) => Promise.all(engines.map(act))
  const vendorMay = (faults: boolean) =>
    fetch(`${vendor.ready.url}/control`, {
      method: "POST",
      body: JSON.stringify({ webhooks: engines.map((host) => `${host.base()}/webhooks`), faults })
    })
  try {
    await setClock(clock)
    // The first one makes the tables.
    await start(0)
    await Promise.all(Array.from({ length: (options.engines ?? 1) - 1 }, (_, index) => start(index + 1)))
    await vendorMay(true)
    const merchant = makeMerchant(inTurn(engines))
    const traffic = startTraffic({ merchant, prefix: options.name, concurrency: options.concurrency ?? 24 })
    const untilPayments = async (count: number) => {
      while (traffic.started() < count) await pause(50)
    }
    let joined = engines.length
    const join: TestHarness["join"] = async (settings) => {
      const host = await start(joined++, settings)
      await vendorMay(true)
      return host
    }
    await run({ engines, merchant, traffic, database, join, untilPayments })
    await traffic.stop()
    await vendorMay(false)
    let setting = clock
    const restartAt = async (rate: number) => {
      setting = atRate(setting, rate)
      await setClock(setting)
      await all((host) => host.restart("SIGTERM", rate))
    }
    const untilSettled = () =>
      settled({ url: database }, setting, () => openAt(vendor.ready), options.settling ?? SETTLING)
    await restartAt(SETTLING_RATE)
    let open = await untilSettled()
    // What was answered is answered again, also by the next process; faster, the deadline of a request would be some milliseconds.
    await restartAt(clock.rate)
    const replayed = await merchant.replay()
    if (options.afterwards !== undefined) {
      await restartAt(SETTLING_RATE)
      await untilSettled()
      await options.afterwards(readLedger(ledger))
      open = await untilSettled()
    }
    await all((host) => host.stop("SIGTERM"))
    const entries = readLedger(ledger)
    const verdict = judge({
      ...(await readFindings({ url: database })),
      ledger: entries,
      answers: merchant.answers
    })
    return {
      ...verdict,
      kills: engines.reduce((sum, host) => sum + host.kills(), 0),
      open,
      ledger: entries,
      replays: verdict.acknowledged,
      replayed: replayed.map(({ first, key, now }) => `${key}: ${first.body} became ${now}`),
      seconds: Math.round((Date.now() - started) / 1000)
    }
  } finally {
    await all((host) => host.stop("SIGKILL"))
    await vendor.kill("SIGKILL")
    // For the investigation: the ledger, the engines' logs, and on SQLite the payments.
    if (process.env["CRASH_KEEP"] === undefined) await rm(folder, { recursive: true, force: true })
    else for (const [index, host] of engines.entries()) await writeFile(join(folder, `engine-${index}.log`), host.log())
  }
}

/** How many decisions of payers and webhooks are still to come. */
const openAt = async ({ url }: VendorReady): Promise<number> => {
  // Boundary: what our own vendor answers.
  const { open } = (await (await fetch(`${url}/control`)).json()) as { readonly open: number }
  return open
}

/** Every request goes to another engine. */
const inTurn = (engines: ReadonlyArray<EngineHost>) => {
  let turn = 0
  const next = () => {
    const host = engines[turn++ % engines.length]
    if (host === undefined) throw new Error("There is no engine to ask")
    return host
  }
  return { base: () => next().base(), key: () => engines[0]?.key() ?? "" }
}

/** What must not be, as sentences: none is what a run has to show. */
export const faultsOf = (report: HarnessReport): ReadonlyArray<string> => [
  ...report.lost.map((each) => `lost: ${each}`),
  ...report.double.map((each) => `double: ${each}`),
  ...report.unresolved.map((each) => `unresolved: ${each}`),
  ...report.broken.map((each) => `broken: ${each}`),
  ...report.replayed.map((each) => `replayed: ${each}`),
  ...(report.open === 0 ? [] : [`${report.open} operations or messages were left open`])
]

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
