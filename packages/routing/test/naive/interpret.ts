/**
 * The routing language said a second time, as plainly as it can be: rules one by one, conditions one by one, straight
 * over the written configuration. It shares with the router only the hash whose draws are part of the language.
 */
import { avalanche, stickyHash } from "../../src/choose/stickyHash.ts"
import type { RoutableProvider } from "@paymux/core/routing"
import type { ExperimentAssignment } from "@paymux/core/store"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { whyNot } from "./capable.ts"
import { factOf, language, whenHolds } from "./conditions.ts"
import type { Asking, Language, Value, Witness } from "./conditions.ts"
import type { WrittenFee } from "../../src/language/Fees.ts"
import { knownOf } from "./rates.ts"
import type { Vitals } from "./rates.ts"

interface Named {
  readonly provider: string
  readonly reason: string
}

export type Answer =
  | {
      readonly rule: string
      readonly reason: string
      readonly candidates: ReadonlyArray<Named>
      readonly dropped: ReadonlyArray<Named>
      readonly experiment?: ExperimentAssignment
    }
  | { readonly rule: string; readonly reason: null; readonly dropped: ReadonlyArray<Named> }

export interface Variant {
  readonly language?: Language
  /** Demoted providers go last. */
  readonly mindsDemotions?: boolean
  readonly mindsOutages?: boolean
  readonly witness?: Witness
}

export const interpret = (
  config: RoutingConfigInput,
  providers: ReadonlyArray<RoutableProvider>,
  asking: Asking,
  vitals: Vitals,
  { mindsDemotions = true, mindsOutages = true, ...variant }: Variant = {}
): Answer => {
  const chosen = ruleFor(config, asking, variant)
  const { choose, name: rule } = chosen
  const dropped: Array<Named> = []
  const able: Array<string> = []
  for (const provider of namesIn(choose)) {
    const declared = providers.find(({ id }) => id === provider)
    if (declared === undefined) throw new Error(`There is no provider ${provider}`)
    const reason = config.exclude?.includes(provider)
      ? "excluded"
      : (whyNot(declared, asking) ?? (mindsOutages ? outageOf(config, provider, asking) : null))
    if (reason === null) able.push(provider)
    else dropped.push({ provider, reason })
  }
  if (able.length === 0) return { rule, reason: null, dropped }

  const demoted = able.flatMap((provider): ReadonlyArray<Named> => {
    const reason = mindsDemotions ? vitals.demoted.get(provider) : undefined
    return reason === undefined ? [] : [{ provider, reason }]
  })
  const last = demoted.length === able.length ? [] : demoted
  const first = able.filter((provider) => last.every((other) => other.provider !== provider))
  const { candidates, reason } = ordered(chosen, config, asking, vitals, first)
  return {
    rule,
    reason,
    candidates: [...candidates, ...last],
    dropped,
    ...("split" in choose && assignment(rule, choose, asking, able))
  }
}

/** Demotions do not change the arm. */
const assignment = (
  rule: string,
  choose: Split,
  asking: Asking,
  arms: ReadonlyArray<string>
): { readonly experiment?: ExperimentAssignment } => {
  const { experiment: name, split, sticky_by: stickyBy } = choose
  const [arm] = shared(rule, choose, asking, arms).candidates
  if (name === undefined || arm === undefined) return {}
  const written = Object.fromEntries(Object.entries(split).map(([provider, weight = 0]) => [provider, weight]))
  if (Object.entries(written).some(([provider, weight]) => weight > 0 && !arms.includes(provider))) return {}
  return { experiment: { name, arm: arm.provider, split: written, ...(stickyBy !== undefined && { stickyBy }) } }
}

const outageOf = ({ outages = [] }: RoutingConfigInput, provider: string, { now, payment }: Asking): string | null => {
  const outage = outages.find(
    ({ from, methods = ["upi", "card", "stablecoin"], provider: out, to = "9999-01-01T00:00Z" }) =>
      out === provider &&
      new Date(from).getTime() <= now &&
      now < new Date(to).getTime() &&
      methods.includes(payment.method.rail)
  )
  if (outage === undefined) return null
  return outage.note === undefined ? "outage" : `outage: ${outage.note}`
}

/** The first rule that holds, else the default. */
const ruleFor = (
  config: RoutingConfigInput,
  asking: Asking,
  { language: words = language, witness = () => {} }: Pick<Variant, "language" | "witness"> = {}
): Pick<Rule, "name" | "choose"> =>
  (config.rules ?? []).find(({ when }) =>
    whenHolds(when, { ...asking, holidays: config.holidays ?? {} }, words, witness)
  ) ?? {
    name: "default",
    choose: config.default
  }

type Rule = NonNullable<RoutingConfigInput["rules"]>[number]
type Choose = Rule["choose"]

const namesIn = (choose: Choose): ReadonlyArray<string> => {
  if ("priority" in choose) return choose.priority
  if ("best" in choose) return choose.among
  return Object.entries(choose.split)
    .toSorted(([a, weightOfA = 0], [b, weightOfB = 0]) => weightOfB - weightOfA || (a < b ? -1 : 1))
    .map(([provider]) => provider)
}

interface Ordered {
  readonly reason: string
  readonly candidates: ReadonlyArray<Named>
}

/** `providers` in the order in which the rule would try them; they come as they are listed. */
const ordered = (
  { choose, name }: Pick<Rule, "name" | "choose">,
  config: RoutingConfigInput,
  asking: Asking,
  vitals: Vitals,
  providers: ReadonlyArray<string>
): Ordered => {
  if ("priority" in choose) {
    return { reason: "priority", candidates: providers.map((provider) => ({ provider, reason: "priority" })) }
  }
  if ("split" in choose) return shared(name, choose, asking, providers)
  if (choose.best !== "success_rate") {
    return { reason: choose.best, candidates: cheapest(name, choose, config, asking, vitals, providers) }
  }
  const candidates = judge(name, choose, asking, vitals, providers)
    .toSorted((a, b) => b.draw - a.draw)
    .map(({ provider, text }) => ({ provider, reason: text }))
  const ranked = { reason: "success_rate", candidates }
  // No payment explores a provider that is down.
  return providers.some((provider) => vitals.demoted.has(provider)) ? ranked : explored(name, choose, asking, ranked)
}

type Split = Extract<Choose, { readonly split: unknown }>
type Best = Extract<Choose, { readonly best: unknown }>

const seedOf = (rule: string, seed?: string): number => stickyHash(JSON.stringify([rule, seed ?? null]), 0)

/** Between 0 and 1, neither of them. */
const uniform = (hash: number): number => (hash + 0.5) / 2 ** 32

const shared = (rule: string, choose: Split, asking: Asking, providers: ReadonlyArray<string>): Ordered => {
  const { experiment, seed, split, sticky_by } = choose
  const key: Value | null = sticky_by === undefined ? null : factOf(sticky_by, asking)
  const hash = stickyHash(String(key ?? asking.id), seedOf(experiment ?? rule, seed))
  const weight = (provider: string): number => split[provider] ?? 0
  const draw = (provider: string): number =>
    -Math.log(uniform(avalanche(hash ^ stickyHash(provider, 0)))) / weight(provider)
  const winner = providers.reduce((found, provider) => (draw(provider) < draw(found) ? provider : found))
  const total = providers.reduce((sum, provider) => sum + weight(provider), 0)
  return {
    reason: "split",
    candidates: [winner, ...providers.filter((provider) => provider !== winner)].map((provider) => ({
      provider,
      reason: `split ${thousandths(weight(provider))}/${thousandths(total)}`
    }))
  }
}

const thousandths = (weight: number): number => Math.round(weight * 1000) / 1000

/** The known by rank, lowest first, ties as listed; then the unknown as listed. */
const byRank = (
  providers: ReadonlyArray<string>,
  rankOf: (provider: string) => { readonly rank: number; readonly reason: string } | null,
  unknown: (provider: string) => string
): ReadonlyArray<Named> => {
  const ranked = providers.flatMap((provider) => {
    const known = rankOf(provider)
    return known === null ? [] : [{ provider, ...known }]
  })
  return [
    ...ranked.toSorted((a, b) => a.rank - b.rank).map(({ provider, reason }) => ({ provider, reason })),
    ...providers
      .filter((provider) => !ranked.some((known) => known.provider === provider))
      .map((provider) => ({ provider, reason: unknown(provider) }))
  ]
}

interface Judged {
  readonly provider: string
  readonly rate: number
  readonly variance: number
  readonly draw: number
  /** The draw, from 0 to 1. */
  readonly shown: number
  readonly text: string
}

const judge = (
  rule: string,
  choose: Best,
  asking: Asking,
  vitals: Vitals,
  providers: ReadonlyArray<string>
): ReadonlyArray<Judged> => {
  const { id, payment, tenant } = asking
  const { among, learn_from = "all", min_samples = 40, prior = {}, segments = [], weights = {}, window } = choose
  const { authentication_failed = "100%", expired = "100%" } = weights
  const { method } = payment
  const text = (fact: string): string | null => {
    const value = factOf(fact, asking)
    return value === null || value === undefined ? null : String(value)
  }
  const handle = method.rail === "upi" ? (method.vpa?.split("@")[1] ?? null) : null
  const question = {
    kind: [
      method.rail,
      text("flow"),
      payment.amount.currency,
      text("card.network") ?? text("stablecoin.network"),
      text("card.country"),
      text("card.funding"),
      text("card.bin") ?? handle,
      tenant.account,
      payment.amount.minorUnits
    ],
    metadata: payment.metadata,
    rule,
    windowMs: window === undefined ? null : milliseconds(window),
    learnFrom: learn_from,
    segments,
    providers: among,
    strength: min_samples,
    prior: Object.entries(prior).map(([name, rate]) => [name, Number.parseFloat(rate)] as const),
    weights: [Number.parseFloat(expired), Number.parseFloat(authentication_failed)] as const
  }
  return providers.map((provider) => {
    const { basis, known, rate } = knownOf(vitals, provider, question) ?? { rate: 0, known: 0, basis: "0 attempts" }
    const hash = avalanche(stickyHash(id, seedOf(rule)) ^ stickyHash(provider, 0))
    const chance = Math.sqrt((rate * (1 - rate)) / (known + (known * known) / 3 + 1))
    const deviation = Math.max(chance, 0.03 * (1 - rate))
    const normal =
      Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e3779b9)))
    const draw = rate + normal * deviation
    const shown = Math.max(0, Math.min(1, draw))
    const said = `success_rate ${hundredths(rate)} of ${basis}, drawn ${hundredths(shown)}`
    return { provider, rate, variance: (rate * (1 - rate)) / (known + 1), draw, shown, text: said }
  })
}

/** Of two normally distributed numbers, the probability that the first is the lower is more than 90 %. */
const isProbablyLower = (one: Pick<Judged, "rate" | "variance">, other: Pick<Judged, "rate" | "variance">): boolean =>
  (other.rate - one.rate) ** 2 > 1.2816 ** 2 * (one.variance + other.variance) && other.rate > one.rate

const share = (percent: string): number => Number.parseFloat(percent) / 100
const hundredths = (rate: number): string => `${(Math.round(rate * 1_000) / 10).toFixed(1)}%`

const explored = (rule: string, { explore = "0%" }: Best, { id }: Asking, ranked: Ordered): Ordered => {
  const { candidates } = ranked
  const part = share(explore)
  const drawn = uniform(avalanche(stickyHash(id, seedOf(rule))))
  const others = candidates.slice(1)
  const chosen = drawn < part ? others[Math.floor((drawn / part) * others.length)] : undefined
  if (chosen === undefined) return ranked
  return {
    reason: "explore",
    candidates: [{ provider: chosen.provider, reason: "explore" }, ...candidates.filter((one) => one !== chosen)]
  }
}

/** By cost or by value: the known by rank, then the unknown; those that are probably below a limit follow by their draws. */
const cheapest = (
  rule: string,
  choose: Best,
  config: RoutingConfigInput,
  asking: Asking,
  vitals: Vitals,
  providers: ReadonlyArray<string>
): ReadonlyArray<Named> => {
  const { currency, minorUnits } = asking.payment.amount
  const costOf = (provider: string) => feeOf(config, provider, asking)
  const costText = (cost: number | null) => (cost === null ? "cost unknown" : `cost ${money(cost, currency)}`)
  const isPlain = choose.best === "cost" && choose.floor === undefined && choose.within === undefined
  if (isPlain) {
    const rankOf = (provider: string) => {
      const cost = costOf(provider)
      return cost === null ? null : { rank: cost, reason: costText(cost) }
    }
    return byRank(providers, rankOf, () => costText(null))
  }
  const judged = judge(rule, choose, asking, vitals, providers)
  /** Those that a rate is probably below. */
  const limitsOf = (one: Judged): ReadonlyArray<number> => [
    ...(choose.floor !== undefined && isProbablyLower(one, { rate: share(choose.floor), variance: 0 })
      ? [share(choose.floor)]
      : []),
    ...judged.flatMap(({ rate, variance }) => {
      const lowest = rate - share(choose.within ?? "")
      return isProbablyLower(one, { rate: lowest, variance }) ? [lowest] : []
    })
  ]
  const said = judged.map((one) => {
    const cost = costOf(one.provider)
    const earned = (minorUnits * Number.parseFloat(choose.margin ?? "")) / 100 - (cost ?? 0)
    const value = earned > 0 ? earned * one.shown : earned
    const isValued = choose.best === "value" && cost !== null
    const text = `${isValued ? `value ${money(value, currency)}, ` : ""}${costText(cost)}, ${one.text}`
    return { ...one, cost, value, text, limits: limitsOf(one) }
  })
  const enough = said.filter(({ limits }) => limits.length === 0)
  const priced = enough.filter(({ cost }) => cost !== null)
  const unpriced = enough.filter(({ cost }) => cost === null)
  const byDraw = <A extends { readonly draw: number }>(some: ReadonlyArray<A>) =>
    some.toSorted((a, b) => b.draw - a.draw)
  const ordered =
    choose.best === "cost"
      ? [...priced.toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0)), ...unpriced]
      : [
          ...priced.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value),
          ...byDraw(priced.filter(({ value }) => value <= 0)),
          ...byDraw(unpriced)
        ]
  const low = byDraw(said.filter(({ limits }) => limits.length > 0))
  return [
    ...ordered.map(({ provider, text }) => ({ provider, reason: text })),
    ...low.map(({ limits, provider, text }) => ({
      provider,
      reason: `${text}, below ${hundredths(Math.min(1, Math.max(...limits)))}`
    }))
  ]
}

const feeOf = (config: RoutingConfigInput, provider: string, asking: Asking): number | null => {
  const { amount, method } = asking.payment
  const { currency, minorUnits } = amount
  const fee: WrittenFee | undefined = Object.entries(config.fees ?? {}).find(([name]) => name === provider)?.[1]?.[
    method.rail
  ]
  if (fee === undefined) return null
  const taken =
    fee.except?.find((other) =>
      Object.entries(other).every(([fact, asked]) =>
        fact === "percent" || fact === "fixed" ? true : [asked].flat().some((value) => value === factOf(fact, asking))
      )
    ) ?? (fee.except !== undefined && fee.percent === undefined && fee.fixed === undefined ? null : fee)
  if (taken === null) return null
  const fixed = taken.fixed === undefined ? 0 : taken.fixed[currency]
  return fixed === undefined ? null : (minorUnits * (taken.percent ?? 0)) / 100 + fixed
}

/** Decimals of the currencies that are asked about here. */
const decimals: { readonly [currency: string]: number } = { JPY: 0, KWD: 3 }

const money = (minorUnits: number, currency: string): string => {
  const places = decimals[currency] ?? 2
  return `${(Math.round(minorUnits) / 10 ** places).toFixed(places)} ${currency}`
}

const milliseconds = (duration: string): number => {
  const [, digits = "", unit = ""] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? []
  const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
  return Number(digits) * (units[unit] ?? Number.NaN)
}
