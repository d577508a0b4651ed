/**
 * A thousand decisions of two splits and an exploration, for another process to make again: run as a program it prints
 * them as JSON, and with the argument `edited` it makes them by rules that were edited elsewhere.
 */
import { facts } from "../src/Facts.ts"
import { unknownHealth } from "../src/Health.ts"
import { plan } from "../src/choose/plan.ts"
import { anyCard, card, compiled, payment, paymentId, provider, tenant } from "./fixtures.ts"

const rules = [
  {
    name: "by payment",
    when: { currency: "EUR" },
    choose: { split: { a: 50, b: 30, c: 20 } }
  },
  {
    name: "by payer",
    when: { currency: "USD" },
    choose: { split: { a: 33.3, b: 33.3, c: 33.4 }, sticky_by: "customer.email", seed: "2026" }
  },
  {
    name: "by success",
    when: { currency: "JPY" },
    choose: { best: "success_rate", among: ["a", "b", "c"], explore: "50%" }
  }
]

const config = { version: 1, rules, default: { priority: ["a"] } }

/** New rules, another default, fees, failover and providers: none of it is about the rules above. */
const edited = {
  default: { split: { d: 90, a: 10 } },
  failover: { max_attempts: 2 },
  fees: { d: { card: { percent: 1 } } },
  rules: [
    { name: "new", when: { currency: "GBP" }, choose: { split: { d: 50, a: 50 } } },
    ...rules.toReversed(),
    { name: "last", when: { currency: "INR" }, choose: { priority: ["d"] } }
  ],
  version: 1
}

/** The order of each payment's candidates, such as "bac". */
export const decisions = async (isEdited: boolean): Promise<ReadonlyArray<string>> => {
  const ids = isEdited ? ["d", "c", "b", "a"] : ["a", "b", "c"]
  const routing = await compiled(
    isEdited ? edited : config,
    ids.map((id) => provider(id, { card: anyCard }))
  )
  return Array.from({ length: 1000 }, (_, n) => {
    const made = payment(card(), ["EUR", "USD", "JPY"][n % 3] ?? "EUR", 100 + n)
    const byPayer = { ...made, customer: { ...made.customer, email: `payer${n % 100}@example.com` } }
    const answer = plan(routing, byPayer, facts(byPayer, tenant, paymentId(n), n), unknownHealth)
    return answer._tag === "Plan" ? answer.candidates.map(({ provider }) => provider).join("") : "unknown"
  })
}

if (import.meta.main) process.stdout.write(JSON.stringify(await decisions(process.argv[2] === "edited")))
