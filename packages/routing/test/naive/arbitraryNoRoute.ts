/** Rules with exclusions and outages over few words, and providers that differ in what they take. */
import type { MethodCapability, RequiredFact } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import type { When } from "../../src/language/When.ts"
import { provider } from "../fixtures.ts"
import type { Draw } from "./Draw.ts"

export interface WithheldRules {
  readonly config: RoutingConfigInput
  readonly providers: ReadonlyArray<RoutableProvider>
}

const HOUR = 3_600_000
const names = ["alpha", "beta", "gamma", "delta"]

export const withheldRules = (draw: Draw, now: number): WithheldRules => {
  const ids = names.slice(0, draw.int(2, 4))
  const providers = ids.map((id) => provider(id, methods(draw)))
  const rules = Array.from({ length: draw.int(0, 4) }, (_, index) => ({
    name: `rule ${index}`,
    when: conditions(draw, 2),
    choose: choice(draw, ids)
  }))
  const outages = draw.some(ids, 0.5).flatMap((id) => outagesOf(draw, id, now))
  return {
    config: {
      version: 1,
      rules,
      default: choice(draw, ids),
      ...(draw.chance(0.5) && { exclude: draw.few(ids, 0.3) }),
      ...(outages.length > 0 && { outages })
    },
    providers
  }
}

const methods = (draw: Draw): RoutableProvider["capabilities"]["methods"] => ({
  ...(draw.chance(0.85) && { card: cardOf(draw) }),
  ...(draw.chance(0.5) && { upi: upiOf(draw) })
})

const money = (draw: Draw): Pick<MethodCapability, "currencies" | "amounts"> => ({
  currencies: draw.chance(0.5) ? "any" : draw.few(["EUR", "INR", "JPY"], 0.5),
  ...(draw.chance(0.4) && {
    amounts: [{ currency: "EUR", min: "1.00", ...(draw.chance(0.5) && { max: "50.00" }) }]
  })
})

const captures = (draw: Draw): Pick<MethodCapability, "captureMethods"> =>
  draw.chance(0.5) ? {} : { captureMethods: draw.few(["automatic", "manual"] as const, 0.7) }

const requires = (draw: Draw) =>
  draw.chance(0.3) ? { requires: draw.few<RequiredFact>(["customer.name", "customer.phone", "return_url"], 0.4) } : {}

const cardOf = (draw: Draw): MethodCapability => ({
  ...money(draw),
  ...captures(draw),
  flows: Object.fromEntries(
    draw
      .few(["hosted", "token"], 0.6)
      .map((flow) => [flow, { ...requires(draw), ...(draw.chance(0.2) && captures(draw)) }])
  ),
  ...(draw.chance(0.4) && { networks: draw.few(["visa", "amex"], 0.6) }),
  ...(draw.chance(0.2) && { phoneCodes: draw.few(["+91", "+49"], 0.5) })
})

const upiOf = (draw: Draw): MethodCapability => ({
  currencies: ["INR"],
  ...captures(draw),
  ...(draw.chance(0.3) && { amounts: [{ currency: "INR", max: "50.00" }] }),
  flows: Object.fromEntries(draw.few(["intent", "qr", "collect", "hosted"], 0.5).map((flow) => [flow, requires(draw)])),
  ...(draw.chance(0.2) && { phoneCodes: ["+91"] })
})

const choice = (draw: Draw, ids: ReadonlyArray<string>): RoutingConfigInput["default"] => {
  const chosen = draw.few(ids, 0.5)
  const [first = ""] = chosen
  if (draw.chance(0.8)) return { priority: chosen }
  if (chosen.length === 1) return { split: { [first]: 100 } }
  const rest = chosen.slice(1)
  return {
    split: { [first]: 100 - 10 * rest.length, ...Object.fromEntries(rest.map((id) => [id, 10])) }
  }
}

const conditions = (draw: Draw, depth: number): When => ({
  ...(draw.chance(0.4) && { payment_method: draw.one(["card", "upi"] as const) }),
  ...amounts(draw),
  ...(draw.chance(0.2) && { "card.network": draw.few(["visa", "amex"], 0.5) }),
  ...(draw.chance(0.2) && { "card.country": "DE" }),
  ...(draw.chance(0.2) && { "metadata.shop": draw.few(["a", "b"], 0.5) }),
  ...(draw.chance(0.1) && { flow: draw.few(["hosted", "token", "intent"] as const, 0.4) }),
  ...(draw.chance(0.1) && { capture_method: draw.one(["automatic", "manual"] as const) }),
  ...(draw.chance(0.1) && { "customer.phone_country": draw.one(["+91", "+49"]) }),
  ...(draw.chance(0.3) && depth === 2 && { time: time(draw) }),
  ...(draw.chance(0.15) && depth > 0 && { not: conditions(draw, 0) }),
  ...(draw.chance(0.15) && depth > 0 && { any: [conditions(draw, 0), conditions(draw, 0)] })
})

const amounts = (draw: Draw): Pick<When, "currency" | "amount"> => {
  if (draw.chance(0.6)) return {}
  const currency = draw.few(["EUR", "INR", "JPY"], 0.4)
  return {
    currency,
    ...(draw.chance(0.4) && {
      amount: draw.one([{ gte: 100 }, { lt: 5_001 }, { gt: 5_000 }, { between: [100, 5_000] as const }])
    })
  }
}

const time = (draw: Draw): NonNullable<When["time"]> => ({
  ...(draw.chance(0.5)
    ? { between: draw.one([["08:00", "12:00"] as const, ["22:00", "03:00"] as const, ["00:00", "20:00"] as const]) }
    : { weekdays: draw.few(["mon", "wed", "sat", "sun"] as const, 0.4) }),
  ...(draw.chance(0.5) && { zone: draw.one(["UTC", "Europe/Berlin"]) })
})

/** Of one provider, one after the other. */
const outagesOf = (draw: Draw, id: string, now: number): NonNullable<RoutingConfigInput["outages"]> => {
  let from = now + draw.int(-30, 60) * HOUR
  return Array.from({ length: draw.int(1, 2) }, (_, index) => {
    const to = from + draw.int(1, 80) * HOUR
    const written = {
      provider: id,
      from: text(from),
      ...((index === 0 || draw.chance(0.7)) && { to: text(to) }),
      ...(draw.chance(0.3) && { methods: [draw.one(["card", "upi"] as const)] })
    }
    from = to + draw.int(0, 30) * HOUR
    return written
  })
}

const text = (time: number): string => new Date(time).toISOString().replace(".000Z", "Z")
