/**
 * Describes the payments that a provider can serve, as test literals that can be compared with a rule's conditions.
 *
 * The literals follow the rules of `capabilityFilter` in core, except for data that no condition can test (the payer's
 * name, tokens). So a provider is reported as unable to serve a rule only if the filter drops every payment that
 * matches the rule.
 */
import type { CaptureMethod, MethodCapability, Rail } from "@paymux/core"
import { amountRange } from "@paymux/core/routing"
import type { AmountLimit, RoutableProvider } from "@paymux/core/routing"
import { callingCodeOf } from "../Facts.ts"
import type { FactName, FactValue } from "../Facts.ts"
import type { Clause, FactLiteral } from "../match/Clause.ts"
import type { FactTest } from "../match/FactTest.ts"
import { prefixes } from "../match/Prefixes.ts"

/** One requirement of a provider on one fact. */
export interface Step {
  readonly fact: FactName
  /** Alternative conditions, one of which must hold. */
  readonly alternatives: ReadonlyArray<Clause>
  /** The values that the provider accepts, as text for messages. */
  readonly takes: ReadonlyArray<string>
}

/**
 * One kind of payment that a provider can serve: a list of requirements that must all hold. All lists for one payment
 * method have the same requirements in the same order.
 */
export type Way = ReadonlyArray<Step>

/**
 * The kinds of payments that a provider can serve, by payment method. A method that the provider does not support is
 * absent.
 */
export type ServablePayments = ReadonlyMap<Rail, ReadonlyArray<Way>>

export const servablePayments = ({ capabilities }: RoutableProvider): ServablePayments => {
  const { card, stablecoin, upi } = capabilities.methods
  const ways = new Map<Rail, ReadonlyArray<Way>>()
  if (upi !== undefined)
    ways.set(
      "upi",
      upiFlows(upi).flatMap((flow) => common(upi, flow))
    )
  if (card !== undefined)
    ways.set(
      "card",
      ownFlows(card).flatMap((flow) => common(card, flow).map((way) => [...way, networkOf(card)]))
    )
  if (stablecoin !== undefined) {
    const { assets = [] } = stablecoin
    ways.set(
      "stablecoin",
      ownFlows(stablecoin).flatMap((flow) =>
        common(stablecoin, flow).flatMap((way) => assets.map((coin) => [...way, ...coinOf(coin)]))
      )
    )
  }
  return ways
}

interface Served {
  /** The flow that the payment requests. */
  readonly flow: string
  readonly captureMethods: ReadonlyArray<CaptureMethod>
}

const ownFlows = ({ captureMethods = automatic, flows }: MethodCapability): ReadonlyArray<Served> =>
  Object.entries(flows).flatMap(([flow, capability]) =>
    capability === undefined ? [] : [{ flow, captureMethods: capability.captureMethods ?? captureMethods }]
  )

/**
 * The UPI flows that a provider can serve. A hosted page also serves an intent payment that the provider cannot serve
 * as an intent, see `servedFlow` of core.
 */
const upiFlows = (method: MethodCapability): ReadonlyArray<Served> => {
  const { flows } = method
  const own = ownFlows(method)
  const requiredOfPage = flows.hosted?.requires ?? []
  const isPage =
    flows.intent === undefined || (flows.intent.requires ?? []).some((fact) => !requiredOfPage.includes(fact))
  return own.flatMap((served) => {
    if (served.flow !== "hosted") return [served]
    return isPage ? [{ ...served, flow: "intent" }] : []
  })
}

const automatic: ReadonlyArray<CaptureMethod> = ["automatic"]

const common = (method: MethodCapability, { captureMethods, flow }: Served): ReadonlyArray<Way> => {
  const { phoneCodes } = method
  return moneyOf(method).map(([currency, amount]) => [
    currency,
    step("flow", [among("flow", [flow])], [flow]),
    amount,
    step("capture_method", [among("capture_method", captureMethods)], captureMethods),
    phoneCodes === undefined ? anyOf("customer.phone_country") : phoneOf(phoneCodes)
  ])
}

/**
 * The pairs of requirements on currency and amount. One pair covers all currencies without amount limits, and each
 * currency with limits has its own pair.
 */
const moneyOf = ({ amounts = [], currencies }: MethodCapability): ReadonlyArray<readonly [Step, Step]> => {
  const limits = currencies === "any" ? amounts : amounts.filter(({ currency }) => currencies.includes(currency))
  return [...withoutLimits(currencies, limits), ...limits.map(withLimit)]
}

const withoutLimits = (
  currencies: MethodCapability["currencies"],
  limits: ReadonlyArray<AmountLimit>
): ReadonlyArray<readonly [Step, Step]> => {
  const limited = limits.map(({ currency }) => currency)
  if (currencies === "any") {
    const others: FactLiteral = { ...among("currency", limited), negated: true }
    return [[limited.length === 0 ? anyOf("currency") : step("currency", [others], []), anyOf("amount")]]
  }
  const others = currencies.filter((currency) => !limited.includes(currency))
  return others.length === 0 ? [] : [[step("currency", [among("currency", others)], others), anyOf("amount")]]
}

const withLimit = (limit: AmountLimit): readonly [Step, Step] => {
  const { currency } = limit
  const { max, min } = amountRange(limit)
  return [
    step("currency", [among("currency", [currency])], [currency]),
    step("amount", [literal("amount", { op: "range", from: min, to: max })], [`${rangeText(limit)} in ${currency}`])
  ]
}

/** An amount range as text, in minor units like the amounts in rules. */
const rangeText = (limit: AmountLimit): string => {
  const { max, min } = amountRange(limit)
  if (limit.max === undefined) return `${min} or more`
  return limit.min === undefined ? `${max} or less` : `${min} to ${max}`
}

/**
 * The requirement on phone numbers. A code of the provider may be longer than a calling code, as for a country that
 * shares one (`+1242`), or shorter.
 */
const phoneOf = (codes: ReadonlyArray<string>): Step => {
  const fact = "customer.phone_country"
  const calling = codes.map(callingCodeOf)
  // Calling codes are compared as prefixes. A phone number that is shorter than its calling code is itself the value of
  // the fact.
  return step(fact, [absent(fact), literal(fact, { op: "starts_with", prefixes: prefixes(calling) })], codes)
}

const networkOf = ({ networks }: MethodCapability): Step =>
  networks === undefined
    ? anyOf("card.network")
    : step("card.network", [absent("card.network"), among("card.network", networks)], networks)

/** The requirements on asset and network, both of which are optional in a payment. */
const coinOf = ({ asset, network }: { readonly asset: string; readonly network: string }): Way => [
  step("stablecoin.asset", [absent("stablecoin.asset"), among("stablecoin.asset", [asset])], [asset]),
  step("stablecoin.network", [absent("stablecoin.network"), among("stablecoin.network", [network])], [network])
]

const step = (fact: FactName, literals: ReadonlyArray<FactLiteral>, takes: ReadonlyArray<string>): Step => ({
  fact,
  alternatives: literals.map((one) => [one]),
  takes
})

const anyOf = (fact: FactName): Step => ({ fact, alternatives: [[]], takes: [] })

const literal = (fact: FactName, test: FactTest): FactLiteral => ({ _tag: "Fact", fact, test, negated: false })

const among = (fact: FactName, values: ReadonlyArray<FactValue>): FactLiteral =>
  literal(fact, { op: "in", values: new Set(values) })

const absent = (fact: FactName): FactLiteral => ({ ...literal(fact, { op: "exists" }), negated: true })
