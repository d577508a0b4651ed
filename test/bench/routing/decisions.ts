/**
 * `pnpm bench routing-decisions`: the CPU time of one decision by each way to choose, in µs, with success rates learned from
 * 20,000 attempts of each provider. Ends with 1 if one by success rates takes more than 3 µs for two providers. Alone on the
 * machine: it is no ratio.
 *
 * - `--rounds <n>`: of 100,000 decisions; the median counts. Default: 9.
 */
import type { PaymentId } from "@paymux/core"
import { decodeCreatePayment } from "@paymux/core"
import { compile, facts, plan, SuccessRates, unknownHealth } from "@paymux/routing"
import type { Health, RoutingConfigInput } from "@paymux/routing"
import type { AttemptCount } from "@paymux/core/store"
import type { RoutableProvider } from "@paymux/core/routing"
import { Effect } from "effect"
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { median } from "../Rounds.ts"
import { tenant } from "../Sample.ts"

const BOUND = 3
const DECISIONS = 100_000
const HOUR = 3_600_000
const now = Date.UTC(2026, 0, 15)

const providers: ReadonlyArray<RoutableProvider> = ["alpha", "beta", "gamma"].map((id) => ({
  id,
  mode: "test",
  capabilities: { methods: { card: { currencies: "any", flows: { hosted: {} } } }, operations: { create: {} } }
}))

const rates = SuccessRates.make({ windowMs: null, learnFrom: "all", segments: [] })
const attempts = Array.from({ length: 20_000 }, (_, n) =>
  providers.map(({ id }): AttemptCount => ({
    slot: now - HOUR + n * 180,
    durationMs: 2_000,
    provider: id,
    rail: "card",
    flow: "hosted",
    currency: "EUR",
    network: n % 3 === 0 ? "mastercard" : "visa",
    country: "DE",
    funding: null,
    issuer: String(411_111 + (n % 7)),
    account: null,
    rule: null,
    amountDigits: null,
    metadata: {},
    status: n % 10 === 0 ? "declined" : "succeeded",
    code: n % 10 === 0 ? "do_not_honor" : null,
    count: 1
  }))
)
rates.settle(attempts.flat())
rates.replaceOpen([], now)
const health: Health = { ...unknownHealth, estimates: rates.estimates }

const among = providers.map(({ id }) => id)
const choices: ReadonlyArray<readonly [name: string, choose: RoutingConfigInput["default"], bound: number | null]> = [
  ["priority", { priority: among }, null],
  ["best: cost", { best: "cost", among }, null],
  ["best: success_rate, two providers", { best: "success_rate", among: among.slice(1) }, BOUND],
  ["best: success_rate, three", { best: "success_rate", among }, null],
  ["best: cost within 1%, two", { best: "cost", among: among.slice(1), within: "1%" }, BOUND],
  ["best: value, two", { best: "value", among: among.slice(1), margin: "8%" }, BOUND]
]

/** Answers go where they can be seen, or the compiler might leave out making them. */
export let sink: unknown = null

const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } })
const payment = await Effect.runPromise(
  decodeCreatePayment({
    amount: 10_000,
    currency: "EUR",
    payment_method: "card",
    payment_method_details: { card: { bin: "411111", network: "visa", country: "DE" } },
    customer: { email: "payer@example.com", phone: "+491701234567" }
  })
)
// Boundary: only the text of an id matters to routing.
const ids = Array.from({ length: 1_000 }, (_, n) => `pay_${String(n).padStart(26, "0")}` as PaymentId)
const asked = ids.map((id) => facts(payment, tenant, id, now))

console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}; µs of CPU a decision`)
for (const [name, choose, bound] of choices) {
  const fees = Object.fromEntries(among.map((id, index) => [id, { card: { percent: 1 + index } }]))
  const routing = await Effect.runPromise(compile({ version: 1, default: choose, fees }, providers))
  const rounds = Array.from({ length: Number(values.rounds) }, () => {
    const before = process.cpuUsage()
    for (let n = 0; n < DECISIONS; n++) {
      const one = asked[n % asked.length]
      if (one !== undefined) sink = plan(routing, payment, one, health)
    }
    const { system, user } = process.cpuUsage(before)
    return (system + user) / DECISIONS
  })
  const found = median(rounds)
  const isMet = bound === null || found <= bound
  if (!isMet) process.exitCode = 1
  console.log(
    `${name.padEnd(40)} ${found.toFixed(2)}${bound === null ? "" : `, at most ${bound}`}${isMet ? "" : ": NOT MET"}`
  )
}
