/**
 * `pnpm bench routing-reload`: for how long a server that takes payments holds its event loop while it reloads a file of
 * 10,000 rules that overlap. Ends with 1 if one of the reloads holds it for more than 20 ms.
 *
 * - `--rules <n>`: in the file. Default: 10,000.
 * - `--reloads <n>`: default: 7.
 * - `--rate <n>`: payments a second meanwhile. Default: 50.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { createPaymux } from "../../../packages/paymux/src/index.ts"
import type { Paymux } from "../../../packages/paymux/src/index.ts"
import { instantWithId } from "../InstantProvider.ts"
import { median } from "../Rounds.ts"
import { request } from "../Sample.ts"
import { tangledRules } from "./TangledRules.ts"

/** ms */
const BOUND = 20

/** ms, in which the history is written. */
const AFTER = 500

/** Of a reload that never comes. */
const PATIENCE = 120_000

const cards = (id: string) => instantWithId(id, { card: { currencies: "any", flows: { hosted: {} } } })

const cardPayment = {
  amount: 30_000,
  currency: "EUR",
  payment_method: "card",
  customer: request.customer,
  metadata: { shop: "shop-3", merchant: "merchant-30" }
} as const

interface Traffic {
  /** Of the latest payment. */
  ruleset: string
  payments: number
  failures: number
}

/** Payments at a steady rate, until it is aborted. */
const pay = async (paymux: Paymux, rate: number, traffic: Traffic, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    void paymux.payments.create(cardPayment).then(
      ({ routing }) => {
        traffic.payments++
        traffic.ruleset = routing?.ruleset ?? ""
      },
      () => void traffic.failures++
    )
    await setTimeout(1000 / rate)
  }
}

/** ms */
interface Held {
  /** By the clock. On a machine with other work, this is also how long the thread waited for a CPU. */
  readonly longest: number
  /** Of CPU time that the thread used in one turn of its event loop. */
  readonly longestCpu: number
  readonly took: number
}

const held = async (work: () => Promise<void>): Promise<Held> => {
  const found = { longest: 0, longestCpu: 0 }
  const begun = performance.now()
  let last = { time: begun, cpu: cpuOfThread() }
  const ticker = setInterval(() => {
    const now = { time: performance.now(), cpu: cpuOfThread() }
    found.longest = Math.max(found.longest, now.time - last.time)
    found.longestCpu = Math.max(found.longestCpu, now.cpu - last.cpu)
    last = now
  }, 1)
  await work()
  clearInterval(ticker)
  return { ...found, took: performance.now() - begun }
}

const cpuOfThread = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** Until payments are decided by the new rules, and the history has them. */
const reload = async (next: string, file: string, traffic: Traffic): Promise<void> => {
  const before = traffic.ruleset
  renameSync(next, file)
  for (const begun = performance.now(); traffic.ruleset === before; await setTimeout(20)) {
    if (performance.now() - begun > PATIENCE) throw new Error("The rules were not reloaded.")
  }
  await setTimeout(AFTER)
}

const heldText = ({ longest, longestCpu }: Held): string =>
  `longest ${longest.toFixed(1)} ms (${longestCpu.toFixed(1)} ms of CPU)`

const measure = async (directory: string, rules: number, reloads: number, rate: number): Promise<void> => {
  const file = join(directory, "routing.yaml")
  writeFileSync(file, tangledRules(rules, 0))
  // Made before: to make them holds the event loop.
  const editions = Array.from({ length: reloads }, (_, index) => {
    const edition = join(directory, `edition-${index + 1}.yaml`)
    writeFileSync(edition, tangledRules(rules, index + 1))
    return edition
  })
  await using paymux = await createPaymux({
    providers: [cards("one"), cards("two"), cards("three")],
    database: `sqlite:${join(directory, "payments.db")}`,
    logs: false,
    routing: file
  })
  const traffic: Traffic = { ruleset: "", payments: 0, failures: 0 }
  const ending = new AbortController()
  const paying = pay(paymux, rate, traffic, ending.signal)
  await setTimeout(3_000)
  const alone = await held(() => setTimeout(5_000))
  console.log(`payments alone: ${heldText(alone)}`)
  const all: Array<Held> = []
  for (const [index, edition] of editions.entries()) {
    const one = await held(() => reload(edition, file, traffic))
    all.push(one)
    console.log(`reload ${index + 1}: ${heldText(one)}, in force after ${((one.took - AFTER) / 1000).toFixed(1)} s`)
  }
  ending.abort()
  await paying
  const most = Math.max(...all.map(({ longest }) => longest))
  const isMet = most <= BOUND && traffic.failures === 0
  if (!isMet) process.exitCode = 1
  console.log(`${traffic.payments} payments, ${traffic.failures} failed`)
  console.log(
    `event loop held by a reload: median ${median(all.map(({ longest }) => longest)).toFixed(1)} ms, longest ${most.toFixed(1)} ms, at most ${BOUND} ms${isMet ? "" : ": NOT MET"}`
  )
}

const { values } = parseArgs({
  options: {
    rules: { type: "string", default: "10000" },
    reloads: { type: "string", default: "7" },
    rate: { type: "string", default: "50" }
  }
})
const directory = mkdtempSync(join(tmpdir(), "paymux-reload-"))
console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${values.rules} rules`)
try {
  await measure(directory, Number(values.rules), Number(values.reloads), Number(values.rate))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
