/** Rulesets and the providers that they name. Most are valid; what the check refuses is taken out by who draws them. */
import type { FlowCapability, MethodCapability } from "@paymux/core"
import { requiredFacts } from "@paymux/core/routing"
import type { AmountLimit, RoutableProvider } from "@paymux/core/routing"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import type { Written } from "./conditions.ts"
import type { Draw } from "./Draw.ts"
import {
  amounts,
  clocks,
  codesOf,
  currencies,
  decimalText,
  providerNames,
  railsWithFlows,
  textsOf,
  zones
} from "./words.ts"

type Rail = keyof typeof railsWithFlows
const rails: ReadonlyArray<Rail> = ["upi", "card", "stablecoin"]

export interface Ruleset {
  readonly config: RoutingConfigInput
  readonly providers: ReadonlyArray<RoutableProvider>
}

/** This many rules, and up to five providers. */
export const ruleset = (draw: Draw, count: number): Ruleset => {
  const providers = someProviders(draw)
  return withRules(
    draw,
    providers,
    Array.from({ length: count }, (_, index) => rule(draw, `rule ${index}`, providers))
  )
}

/** Hundreds of rules, each for some shops of many: else the first few would take all payments. */
export const largeRuleset = (draw: Draw): Ruleset => {
  const providers = someProviders(draw)
  const shop = (): string => `shop-${draw.int(0, 299)}`
  const rules = Array.from({ length: draw.int(100, 400) }, (_, index) => {
    const { when, ...rest } = rule(draw, `rule ${index}`, providers, 1)
    const shops = draw.one([
      shop(),
      [shop(), shop(), shop()],
      { starts_with: shop() },
      { in_prefixes: [shop(), shop()] }
    ])
    return { ...rest, when: { ...when, "metadata.shop": shops } }
  })
  return withRules(draw, providers, rules)
}

const withRules = (
  draw: Draw,
  providers: ReadonlyArray<RoutableProvider>,
  rules: ReadonlyArray<WrittenRule>
): Ruleset => {
  const fees = draw.chance(0.7) ? { fees: feesOf(draw, providers) } : {}
  const config: unknown = {
    version: 1,
    rules,
    default: choose(draw, providers),
    ...fees,
    ...withheld(draw, providers),
    holidays: calendars(draw)
  }
  // Boundary: made key by key, of what the Schema allows; it is checked as anything that comes from a file.
  return { config: config as RoutingConfigInput, providers }
}

/** Rarely: what is kept from payments decides nothing else. The outages of one provider follow each other. */
const withheld = (draw: Draw, providers: ReadonlyArray<RoutableProvider>): Written => {
  const outages = providers.flatMap(({ capabilities, id }) => {
    const taken = rails.filter((rail) => capabilities.methods[rail] !== undefined)
    if (taken.length === 0 || draw.chance(0.85)) return []
    const begin = someDay(draw)
    const outage = (from: number, more: object) => ({
      provider: id,
      from: timeText(draw, from),
      ...(draw.chance(0.5) && { methods: draw.few(taken, 0.5) }),
      ...(draw.chance(0.5) && { note: "maintenance" }),
      ...more
    })
    const length = draw.int(1, 400) * DAY
    const first = outage(begin, { to: timeText(draw, begin + length) })
    return draw.chance(0.5) ? [first] : [first, outage(begin + length, {})]
  })
  const excluded = draw.chance(0.05) && providers.length > 0 ? [draw.one(providers).id] : []
  return {
    ...(outages.length > 0 && { outages }),
    ...(excluded.length > 0 && { exclude: excluded })
  }
}

const DAY = 86_400_000

const someDay = (draw: Draw): number => Date.UTC(2026, 0, 1) + draw.int(-400, 400) * DAY

const timeText = (draw: Draw, time: number): string =>
  draw.chance(0.5)
    ? `${new Date(time).toISOString().slice(0, 16)}Z`
    : `${new Date(time + 19_800_000).toISOString().slice(0, 19)}+05:30`

const someProviders = (draw: Draw): ReadonlyArray<RoutableProvider> =>
  draw
    .few(providerNames, 0.5)
    .map((id) => ({ ...provider(draw, id), ...(draw.chance(0.03) && { retired: true as const }) }))

export const provider = (draw: Draw, id: string): RoutableProvider => ({
  id,
  mode: draw.chance(0.9) ? "test" : "live",
  capabilities: {
    methods: Object.fromEntries(draw.few(rails, 0.8).map((rail) => [rail, capability(draw, rail)])),
    operations: { create: {} }
  }
})

const capability = (draw: Draw, rail: Rail): MethodCapability => ({
  currencies: rail === "upi" ? ["INR"] : draw.chance(0.5) ? "any" : [...draw.few(currencies, 0.7)],
  flows: {
    ...Object.fromEntries(draw.few(railsWithFlows[rail], 0.9).map((flow) => [flow, flowCapability(draw)])),
    ...(rail === "upi" && draw.chance(0.3) && { hosted: flowCapability(draw) })
  },
  ...(draw.chance(0.5) && {
    amounts: draw
      .few<(typeof currencies)[number]>(rail === "upi" ? ["INR"] : currencies, 0.4)
      .map((currency) => limit(draw, currency))
  }),
  ...(draw.chance(0.2) && { phoneCodes: draw.few(["+91", "+1", "+44"], 0.6) }),
  ...(draw.chance(0.6) && { captureMethods: draw.few(["automatic", "manual"] as const, 0.8) }),
  ...(rail === "card" && draw.chance(0.4) && { networks: draw.few(textsOf["card.network"] ?? [], 0.7) }),
  ...(rail === "stablecoin" && draw.chance(0.9) && { assets: draw.few(coins, 0.6) })
})

const limit = (draw: Draw, currency: (typeof currencies)[number]): AmountLimit => {
  const hasMin = draw.chance(0.5)
  return {
    currency,
    ...(hasMin && { min: decimalText(draw.one(amounts.slice(0, 5)), currency) }),
    ...((!hasMin || draw.chance(0.6)) && { max: decimalText(draw.one(amounts.slice(hasMin ? 6 : 3)), currency) })
  }
}

const flowCapability = (draw: Draw): FlowCapability => ({
  ...(draw.chance(0.3) && { requires: draw.few(requiredFacts, 0.12) }),
  ...(draw.chance(0.1) && { captureMethods: draw.few(["automatic", "manual"] as const, 0.6) })
})

const coins = ["USDC", "USDT"].flatMap((asset) => ["base", "ethereum"].map((network) => ({ asset, network })))

const feesOf = (draw: Draw, providers: ReadonlyArray<RoutableProvider>) =>
  Object.fromEntries(
    draw.some(providers, 0.8).map(({ capabilities, id }) => [
      id,
      Object.fromEntries(
        draw
          .some(
            rails.filter((rail) => capabilities.methods[rail] !== undefined),
            0.9
          )
          .map((rail) => [
            rail,
            {
              ...feeAmounts(draw),
              ...(rail !== "upi" && draw.chance(0.4) && { except: [exception(draw, rail), exception(draw, rail)] })
            }
          ])
      )
    ])
  )

const feeAmounts = (draw: Draw): Written => ({
  ...(draw.chance(0.7) && { percent: draw.one([0, 0.333, 1.4, 2.9, 2.95]) }),
  ...(draw.chance(0.6) && {
    fixed: Object.fromEntries(draw.some(currencies, 0.8).map((code) => [code, draw.one([0, 25, 30, 100])]))
  })
})

const exception = (draw: Draw, rail: Rail): Written => ({
  percent: draw.one([0, 1.4, 2.9]),
  ...feeAmounts(draw),
  ...(rail === "stablecoin"
    ? { "stablecoin.network": draw.one(["base", "ethereum"]) }
    : {
        ...(draw.chance(0.5) && { "card.country": draw.few(["DE", "IN", "US"], 0.5) }),
        ...(draw.chance(0.5) && { "card.funding": draw.one(["credit", "debit"]) }),
        "card.network": draw.few(["visa", "mastercard"], 0.7)
      })
})

interface WrittenRule {
  readonly name: string
  readonly when: Written
  readonly choose: Written
}

const rule = (draw: Draw, name: string, providers: ReadonlyArray<RoutableProvider>, depth = 3): WrittenRule => {
  const rail = draw.chance(0.7) ? draw.one(rails) : null
  const when = conditions(draw, rail, depth)
  const able = providers.filter((declared) => takesOne(declared, rail, when))
  return { name, when, choose: choose(draw, able.length > 0 ? able : providers) }
}

/** The check refuses a provider that can take none of a rule's payments. */
const takesOne = ({ capabilities }: RoutableProvider, rail: Rail | null, when: Written): boolean =>
  (rail === null ? rails : [rail]).some((one) => {
    const method = capabilities.methods[one]
    return method !== undefined && mentions(when.payment_method, [one]) && mentions(when.currency, method.currencies)
  })

const mentions = (asked: unknown, values: ReadonlyArray<string> | "any"): boolean =>
  asked === undefined || values === "any" || [asked].flat().some((value) => values.some((one) => one === value))

const choose = (draw: Draw, providers: ReadonlyArray<RoutableProvider>): Written => {
  const names = draw.few(providers, 0.8).map(({ id }) => id)
  const kind = draw.int(1, 10)
  if (kind <= 3) return { priority: names }
  if (kind <= 6) {
    const split = weights(draw, names)
    const hasArms = Object.values(split).filter((weight) => weight !== 0).length > 1
    const isExperiment = hasArms && draw.chance(0.3)
    return {
      split,
      ...(draw.chance(0.5) && { sticky_by: draw.one(isExperiment ? payers : stickyFacts) }),
      ...(draw.chance(0.3) && { seed: draw.one(["1", "2026"]) }),
      ...(isExperiment && { experiment: `experiment ${draw.int(1, 1_000_000)}` })
    }
  }
  if (kind === 7) return { best: "cost", among: names }
  const options = learned(draw, names)
  if (kind === 8) {
    const bounds = draw.few(["floor", "within"] as const, 0.5).map((bound) => [bound, draw.one(["0%", "2%", "90%"])])
    return { best: "cost", among: names, ...Object.fromEntries(bounds), ...options }
  }
  if (kind === 9) {
    const margin = draw.one(["0%", "2%", "12.5%"])
    return { best: "value", among: names, margin, ...(draw.chance(0.5) && { floor: "85%" }), ...options }
  }
  return {
    best: "success_rate",
    among: names,
    ...options,
    ...(draw.chance(0.4) && { explore: draw.one(["0%", "5%", "33.3%", "80%", "100%"]) })
  }
}

const learned = (draw: Draw, names: ReadonlyArray<string>): Written => {
  const from = draw.chance(0.4) ? draw.one(["all", "account", "rule"]) : null
  const segments = from === "account" ? ownSegments : ["account", ...ownSegments]
  return {
    ...(draw.chance(0.6) && { window: draw.one(["90s", "30m", "1h", "24h", "60000ms"]) }),
    ...(draw.chance(0.4) && { segments: draw.few(segments, 0.5).slice(0, 4) }),
    ...(from !== null && { learn_from: from }),
    ...(draw.chance(0.6) && { min_samples: draw.one([1, 5, 200]) }),
    ...(draw.chance(0.3) && { prior: { [draw.one(names)]: draw.one(["50%", "92.5%", "99.9%"]) } }),
    ...(draw.chance(0.4) && {
      weights: {
        ...(draw.chance(0.7) && { expired: draw.one(["0%", "25%", "100%"]) }),
        ...(draw.chance(0.7) && { authentication_failed: draw.one(["0%", "80%"]) })
      }
    })
  }
}

const ownSegments = ["amount", "metadata.plan", "metadata.toString", "metadata.__proto__", "metadata."]

const payers = ["customer.email", "metadata.plan", "metadata.toString"]
const stickyFacts = ["customer.email", "card.bin", "card.network", "account", "metadata.plan", "metadata.toString"]

/** Whole, or thirds; some have none. */
const weights = (draw: Draw, names: ReadonlyArray<string>): Written => {
  if (names.length === 3 && draw.chance(0.3))
    return Object.fromEntries(names.map((name, i) => [name, i < 2 ? 33.3 : 33.4]))
  let left = 100
  return Object.fromEntries(
    names.map((name, index) => {
      const weight = index === names.length - 1 ? left : draw.int(0, left)
      left -= weight
      return [name, weight]
    })
  )
}

/** Of a payment of `rail`, or of any. */
export const conditions = (draw: Draw, rail: Rail | null, depth: number): Written => {
  const when: { [key: string]: unknown } = {}
  if (rail !== null && draw.chance(0.6)) when.payment_method = oneOrMore(draw, rail, rails)
  for (let left = draw.int(draw.chance(0.9) ? 1 : 0, 2); left > 0; left--) {
    const fact = draw.one(factsOf(draw, rail))
    when[fact] = asked(draw, fact, rail)
    if (fact === "amount" && draw.chance(0.99)) when.currency ??= asked(draw, "currency", rail)
  }
  if (draw.chance(0.08)) when.time = time(draw)
  if (depth === 0) return when
  const nested = (): Written => conditions(draw, rail, depth - 1)
  if (draw.chance(0.07)) when.all = Array.from({ length: draw.int(1, 2) }, nested)
  if (draw.chance(0.14)) when.any = Array.from({ length: draw.int(1, 3) }, nested)
  if (draw.chance(0.12)) when.not = nested()
  return when
}

const everywhere = [
  "currency",
  "amount",
  "amount",
  "capture_method",
  "customer.email",
  "customer.phone_country",
  "flow"
]
const merchant = ["account", "livemode", "metadata.channel", "metadata.plan", ...Object.keys(textsOf).slice(-3)]
const card = ["card.bin", "card.network", "card.country", "card.funding"]
const coin = ["stablecoin.asset", "stablecoin.network"]

/** Mostly what a payment of the rail has: a rule for another never matches. */
const factsOf = (draw: Draw, rail: Rail | null): ReadonlyArray<string> => {
  const own = rail === "card" ? card : rail === "stablecoin" ? coin : []
  if (own.length > 0 && draw.chance(0.45)) return own
  if (draw.chance(0.04)) return [...card, ...coin]
  return draw.chance(0.6) ? everywhere : merchant
}

const asked = (draw: Draw, fact: string, rail: Rail | null): unknown => {
  if (draw.chance(0.08)) return { exists: draw.chance(0.6) || !(fact.includes(".") && draw.chance(0.95)) }
  if (fact === "amount") return askedAmount(draw)
  if (fact === "livemode") return draw.chance(0.1) ? [true, false] : draw.chance(0.2)
  if (fact === "flow") {
    const flows = rail === null ? Object.values(railsWithFlows).flat() : railsWithFlows[rail]
    return oneOrMore(draw, draw.one<string>(flows), flows)
  }
  if (fact === "currency" && rail === "upi") return oneOrMore(draw, "INR", currencies)
  const texts = (textsOf[fact] ?? []).filter((text) => text !== "")
  if (texts.length > 0) return askedText(draw, texts)
  const codes = codesOf[fact] ?? []
  return oneOrMore(draw, draw.one(codes), codes)
}

const oneOrMore = (draw: Draw, one: string, of: ReadonlyArray<string>): unknown =>
  draw.chance(0.6) ? one : [...new Set([one, ...draw.some(of, 0.4)])]

const askedAmount = (draw: Draw): unknown => {
  const [a, b] = [draw.one(amounts), draw.one(amounts)]
  const [low, high] = [Math.min(a, b), Math.max(a, b)]
  switch (draw.int(0, 7)) {
    case 0:
      return draw.one(amounts)
    case 1:
      return draw.few(amounts, 0.3)
    case 2:
      return { gte: a }
    case 3:
      return { lte: a }
    case 4:
      return { between: [low, high] }
    case 5:
      return { gt: low, lt: Math.min(high, 500_000) + 2 }
    case 6:
      return { gt: Math.min(a, 500_000) }
    default:
      return { lt: Math.max(a, 1) }
  }
}

const askedText = (draw: Draw, texts: ReadonlyArray<string>): unknown => {
  const text = draw.one(texts)
  const start = text.slice(0, draw.int(1, 6))
  const end = text.slice(-draw.int(1, 6))
  switch (draw.int(0, 6)) {
    case 0:
    case 1:
      return text
    case 2:
      return draw.few(texts, 0.4)
    case 3:
      return { starts_with: start }
    case 4:
      return { ends_with: end, ...(draw.chance(0.3) && { exists: true }) }
    case 5:
      return { in_prefixes: [start, ...draw.some(texts, 0.3).map((one) => one.slice(0, 5))] }
    default:
      return { starts_with: start, ends_with: end }
  }
}

const time = (draw: Draw): Written => {
  const from = draw.one(clocks)
  const to = draw.one(clocks.filter((clock) => clock !== from))
  const days = draw.chance(0.5) ? daysOf(draw) : {}
  const isWhole = Object.keys(days).length > 0 && draw.chance(0.4)
  return { ...(!isWhole && { between: [from, to] }), ...(draw.chance(0.8) && { zone: draw.one(zones) }), ...days }
}

const daysOf = (draw: Draw): Written => ({
  ...(draw.chance(0.5) && { weekdays: draw.few(weekdays, 0.5) }),
  ...(draw.chance(0.4) && { dates: dates(draw) }),
  ...(draw.chance(0.4) && { holidays: draw.one<unknown>(["in", "bank", ["in", "bank"]]) })
})

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** Of the years in which payments are made; some for long, so that they are met. */
const dates = (draw: Draw): ReadonlyArray<unknown> =>
  Array.from({ length: draw.int(1, 4) }, () => {
    const from = Date.UTC(2024, 0, 1) + draw.int(0, 4000) * DAY
    const text = (time: number) => new Date(time).toISOString().slice(0, 10)
    return draw.chance(0.4) ? text(from) : { from: text(from), to: text(from + draw.int(0, 1500) * DAY) }
  })

/** The calendars that conditions name. */
const calendars = (draw: Draw): Written => ({ in: dates(draw), bank: dates(draw) })
