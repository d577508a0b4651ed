/** The rules in our language. Deciding is all that the engine does before it tries: facts, match, capabilities, order. */
import type { PaymentId } from "@paymux/core"
import { compile, facts, plan, unknownHealth } from "@paymux/routing"
import type { RoutableProvider } from "@paymux/core/routing"
import type { RoutingConfigInput } from "@paymux/routing"
import { Effect } from "effect"
import type { SamplePayment, SampleRule } from "./Sample.ts"
import { tenant } from "../Sample.ts"

export type When = NonNullable<RoutingConfigInput["rules"]>[number]["when"]

export const openPaymux = async (whens: ReadonlyArray<When>) => {
  const began = performance.now()
  const routing = await Effect.runPromise(compile(configOf(whens), providers))
  const compiledIn = performance.now() - began
  const numbers = new Map(routing.rules.map(({ name }, index) => [name, index]))
  return {
    /** ms */
    compiledIn,
    /** The number of the rule that decides each; as many as there are rules: the default. */
    numbersOf: (payments: ReadonlyArray<SamplePayment>): ReadonlyArray<number> =>
      payments.map(({ payment }) => {
        const answer = plan(routing, payment, facts(payment, tenant, id, now), unknownHealth)
        const rule = answer._tag === "Plan" ? answer.decision.rule : answer.rule
        return numbers.get(rule) ?? whens.length
      }),
    decide: (payments: ReadonlyArray<SamplePayment>): void => {
      for (const { payment } of payments) sink = plan(routing, payment, facts(payment, tenant, id, now), unknownHealth)
    },
    /** Facts are made before; only the rule is looked for. */
    matcher: (payments: ReadonlyArray<SamplePayment>): (() => void) => {
      const prepared = payments.map(({ payment }) => facts(payment, tenant, id, now))
      return () => {
        for (const each of prepared) sink = routing.firstMatch(each, 0)
      }
    }
  }
}

/** Answers go where they can be seen, or the compiler might leave out making them. */
export let sink: unknown = null

// Boundary: only the text of an id matters to routing.
const id = "pay_00000000000000000000000001" as PaymentId
const now = Date.UTC(2026, 0, 15)

const providers: ReadonlyArray<RoutableProvider> = ["alpha", "beta", "gamma"].map((name) => ({
  id: name,
  mode: "test",
  capabilities: {
    methods: {
      upi: { currencies: ["INR"], flows: { intent: {}, qr: {} } },
      card: { currencies: "any", flows: { hosted: {}, token: {} } },
      stablecoin: { currencies: "any", flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
    },
    operations: { create: {} }
  }
}))

/** Every third rule splits. */
const configOf = (whens: ReadonlyArray<When>) => ({
  version: 1,
  rules: whens.map((when, index) => ({
    name: `rule ${index}`,
    when,
    choose: index % 3 === 0 ? { split: { alpha: 60, beta: 40 } } : { priority: ["alpha", "beta", "gamma"] }
  })),
  default: { priority: ["gamma", "alpha"] }
})

export const whenOf = (rule: SampleRule): When => {
  const { amount, countries, currencies, merchant, network, prefixes, rail } = rule
  const when: { [fact: string]: unknown } = {}
  if (rail !== null) when.payment_method = rail
  if (currencies.length > 0) when.currency = currencies
  if (amount !== null) when.amount = { gte: amount[0], lt: amount[1] }
  if (network !== null) when["card.network"] = network
  if (countries.length > 0) when["card.country"] = countries
  if (prefixes.length > 0) when["card.bin"] = { in_prefixes: prefixes }
  if (merchant !== null) when["metadata.merchant"] = merchant
  // Boundary: made key by key; the check looks at it as at a file.
  return when as When
}
