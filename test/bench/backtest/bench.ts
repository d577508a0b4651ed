/**
 * What a backtest of a million payments takes: `paymux rules backtest` on an SQLite file, in a process of its own. Ends
 * with 1 when a bound is not met.
 *
 * - `--payments <n>`: fewer, or more. The bounds stay.
 * - `--directory <path>`: where the database is made. Default: the directory for temporary files.
 * - `--keep`: the database stays, for a profiler.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

const bounds = { seconds: 60, megabytes: 500 }
const from = Date.UTC(2026, 9, 1)
const thirtyDays = 30 * 86_400_000

const main = async (): Promise<void> => {
  const { values: options } = parseArgs({
    options: {
      payments: { type: "string", default: "1000000" },
      directory: { type: "string", default: tmpdir() },
      keep: { type: "boolean", default: false }
    }
  })
  const payments = Number(options.payments)
  if (!Number.isSafeInteger(payments) || payments < 1) throw new Error("--payments must be a whole number from 1 on.")
  const directory = mkdtempSync(join(options.directory, "paymux-backtest-"))
  try {
    const filename = join(directory, "payments.db")
    const begun = performance.now()
    const attempts = await make(filename, payments)
    const megabytes = (statSync(filename).size / 1e6).toFixed(0)
    console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}`)
    console.log(
      `${payments} payments with ${attempts} attempts, ${megabytes} MB, made in ${seconds(performance.now() - begun)}`
    )
    const usage = await backtest(directory, filename)
    const replayed = readReport(join(directory, "report.json"))
    if (replayed !== payments) throw new Error(`${String(replayed)} of ${payments} payments were replayed.`)
    const rss = usage.maxRssKb / 1024
    console.log(`${(payments / (usage.wallMs / 1000)).toFixed(0)} payments a second, CPU ${seconds(usage.cpuMs)}`)
    reported("wall time", seconds(usage.wallMs), `${bounds.seconds} s`, usage.wallMs <= bounds.seconds * 1000)
    reported("peak memory (RSS)", `${rss.toFixed(0)} MB`, `${bounds.megabytes} MB`, rss <= bounds.megabytes)
  } finally {
    if (options.keep) console.log(directory)
    else rmSync(directory, { recursive: true, force: true })
  }
}

/** In a process of its own: a process that is started takes over the peak memory of the one that starts it. */
const make = async (filename: string, payments: number): Promise<string> => {
  const script = join(import.meta.dirname, "makePayments.ts")
  const child = spawn(process.execPath, [script, filename, String(payments), String(from), String(thirtyDays)])
  let attempts = ""
  child.stdout.on("data", (chunk: Buffer) => (attempts += chunk.toString()))
  child.stderr.pipe(process.stderr)
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error("The payments could not be made.")
  return attempts
}

interface Usage {
  readonly wallMs: number
  readonly cpuMs: number
  readonly maxRssKb: number
}

const backtest = async (directory: string, filename: string): Promise<Usage> => {
  const here = import.meta.dirname
  const usageFile = join(directory, "usage.json")
  const command = ["--import", join(here, "reportUsage.ts"), join(here, "../../../packages/paymux/src/bin.ts")]
  const rules = ["--rules", join(here, "draft.yaml"), "--config", join(here, "paymux.config.ts")]
  const stored = ["--database", `sqlite:${filename}`, "--live", "--json", join(directory, "report.json")]
  const range = ["--since", new Date(from).toISOString(), "--until", new Date(from + thirtyDays).toISOString()]
  const child = spawn(process.execPath, [...command, "rules", "backtest", ...rules, ...stored, ...range], {
    stdio: "inherit",
    env: { ...process.env, USAGE_FILE: usageFile }
  })
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`The command ended with ${String(code)}.`)
  // Boundary: written by reportUsage.ts.
  return JSON.parse(readFileSync(usageFile, "utf8")) as Usage
}

const readReport = (file: string): unknown => {
  const report: unknown = JSON.parse(readFileSync(file, "utf8"))
  return typeof report === "object" && report !== null && "payments" in report ? report.payments : null
}

const reported = (what: string, measured: string, bound: string, met: boolean): void => {
  console.log(`${what}: ${measured}, at most ${bound}: ${met ? "met" : "NOT MET"}`)
  if (!met) process.exitCode = 1
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

await main()
