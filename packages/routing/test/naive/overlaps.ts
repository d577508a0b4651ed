/** Small rulesets over few values, so that rules often lie in each other's way; some can never be reached. */
import type { RoutableProvider } from "@paymux/core/routing"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import type { Written } from "./conditions.ts"
import type { Draw } from "./Draw.ts"

/** Takes everything: no rule is refused for what its provider cannot do. */
export const taker: RoutableProvider = {
  id: "alpha",
  mode: "test",
  capabilities: {
    methods: {
      upi: { currencies: ["INR"], flows: { intent: {}, qr: {}, collect: {} } },
      card: { currencies: "any", flows: { hosted: {}, token: {} } },
      stablecoin: { currencies: "any", flows: { transfer: {} }, assets: [] }
    },
    operations: { create: {} }
  }
}

/** Two to five rules that ask about one to three facts. */
export const overlapping = (draw: Draw): RoutingConfigInput => {
  const facts = Array.from({ length: draw.int(1, 3) }, () => draw.one(Object.keys(vocabulary)))
  const rules = Array.from({ length: draw.int(2, 5) }, (_, index) => ({
    name: `rule ${index}`,
    when: draw.chance(0.03) ? {} : conditions(draw, facts, draw.chance(0.35) ? 2 : 0),
    choose: { priority: [taker.id] }
  }))
  // Boundary: made key by key, of what the Schema allows; it is checked as anything that comes from a file.
  return { version: 1, rules, default: { priority: [taker.id] } } as RoutingConfigInput
}

const conditions = (draw: Draw, facts: ReadonlyArray<string>, depth: number): Written => {
  const when: { [key: string]: unknown } = {}
  for (let left = draw.int(depth > 0 ? 0 : 1, 2); left > 0; left--) {
    const fact = draw.one(facts)
    when[fact] = vocabulary[fact]?.(draw)
    // An amount means nothing without its currency.
    if (fact === "amount") when.currency ??= draw.one(["INR", "EUR", ["INR", "EUR"]])
  }
  if (depth === 0) return when
  const nested = (): Written => conditions(draw, facts, depth - 1)
  const kind = draw.int(0, 3)
  if (kind === 0) when.all = [nested(), nested()]
  if (kind === 1) when.any = Array.from({ length: draw.int(1, 2) }, nested)
  if (kind >= 2) when.not = nested()
  return when
}

const oneOrTwo = (draw: Draw, values: ReadonlyArray<string>): unknown =>
  draw.chance(0.6) ? draw.one(values) : [...draw.few(values, 0.5)]

const text = (draw: Draw, values: ReadonlyArray<string>, affixes: Affixes): unknown => {
  switch (draw.int(0, 6)) {
    case 0:
    case 1:
    case 2:
      return oneOrTwo(draw, values)
    case 3:
      return { starts_with: draw.one(affixes.starts) }
    case 4:
      return { ends_with: draw.one(affixes.ends) }
    case 5:
      return draw.chance(0.5)
        ? { in_prefixes: [...draw.few(affixes.starts, 0.5)] }
        : { starts_with: draw.one(affixes.starts), ends_with: draw.one(affixes.ends) }
    default:
      return { exists: draw.chance(0.6) }
  }
}

interface Affixes {
  readonly starts: ReadonlyArray<string>
  readonly ends: ReadonlyArray<string>
}

const amounts = [1, 2, 100, 101, 500]

const amount = (draw: Draw): unknown => {
  const [a, b] = [draw.one(amounts), draw.one(amounts)]
  switch (draw.int(0, 6)) {
    case 0:
      return a
    case 1:
      return [a, b]
    case 2:
      return { gte: a }
    case 3:
      return { lt: a }
    case 4:
      return { gt: a, lte: b }
    case 5:
      return { between: [Math.min(a, b), Math.max(a, b)] }
    default:
      return draw.chance(0.5) ? { gt: a } : { lte: a }
  }
}

const time = (draw: Draw): Written => {
  const from = draw.one(clocks)
  const to = draw.one(clocks.filter((clock) => clock !== from))
  const days = draw.chance(0.4) ? daysOf(draw) : {}
  const isWhole = Object.keys(days).length > 0 && draw.chance(0.5)
  return {
    ...(!isWhole && { between: [from, to] }),
    ...days,
    ...(draw.chance(0.3) && { zone: draw.one(["Asia/Kolkata", "Europe/Berlin"]) })
  }
}

/** Few days, about the end of a year: weekdays and dates exclude each other often, or nearly. */
const daysOf = (draw: Draw): Written => ({
  ...(draw.chance(0.6) && { weekdays: draw.few(["mon", "thu", "fri", "sat"], 0.5) }),
  ...(draw.chance(0.6) && { dates: draw.few(dates, 0.4) })
})

/** 2026-12-24 is a Thursday. */
const dates = ["2026-12-24", "2026-12-25", "2026-12-26", { from: "2026-12-24", to: "2026-12-25" }]

const clocks = ["00:00", "00:01", "09:00", "17:00", "23:30"]

const vocabulary: { readonly [fact: string]: (draw: Draw) => unknown } = {
  payment_method: (draw) => oneOrTwo(draw, ["upi", "card", "stablecoin"]),
  flow: (draw) => oneOrTwo(draw, ["intent", "qr", "hosted", "token", "transfer"]),
  currency: (draw) => oneOrTwo(draw, ["INR", "EUR", "USD"]),
  amount,
  capture_method: (draw) => oneOrTwo(draw, ["automatic", "manual"]),
  livemode: (draw) => (draw.chance(0.2) ? [true, false] : draw.chance(0.5)),
  "customer.email": (draw) =>
    text(draw, ["a@b.example", "c@b.example"], { starts: ["a", "a@", "c"], ends: ["example", "b.example", ".test"] }),
  "customer.phone_country": (draw) => (draw.chance(0.2) ? { exists: draw.chance(0.5) } : oneOrTwo(draw, ["+91", "+1"])),
  "card.bin": (draw) =>
    text(draw, ["411111", "41111111", "555555"], {
      starts: ["4", "41", "4111111", "5", "41111111"],
      ends: ["1", "11", "5"]
    }),
  "card.network": (draw) => text(draw, ["visa", "amex"], { starts: ["v", "vi", "visa", "a"], ends: ["a", "sa", "x"] }),
  "stablecoin.asset": (draw) => text(draw, ["USDC", "USDT"], { starts: ["U", "USD", "USDC"], ends: ["C", "T", "DT"] }),
  "metadata.tier": (draw) => text(draw, ["gold", "old"], { starts: ["g", "go", "o"], ends: ["d", "old", "gold"] }),
  account: (draw) => text(draw, ["shop", "shop-2"], { starts: ["shop", "shop-"], ends: ["2", "p"] }),
  time
}
