/** Payments that are asked for by a ruleset: their facts are drawn from what its rules mention, and from just beside it. */
import { Currency } from "@paymux/core"
import type { Client, Customer, NewPayment, PaymentMethod } from "@paymux/core"
import type { Ruleset } from "./arbitraryRules.ts"
import { entriesOf, minuteOf, operatorsOf, wallMinute } from "./conditions.ts"
import type { Asking, Time, Value } from "./conditions.ts"
import type { Draw } from "./Draw.ts"
import type { Vitals } from "./rates.ts"
import { amounts, codesOf, currencies, phones, providerNames, railsWithFlows, textsOf } from "./words.ts"

export interface Question {
  readonly asking: Asking
  readonly vitals: Vitals
}

export const question = (draw: Draw, { config }: Ruleset): Question => {
  const rules = config.rules ?? []
  const requested = new RequestedFacts()
  if (rules.length > 0 && draw.chance(0.92)) satisfy(draw, draw.one(rules).when, requested)
  return {
    asking: {
      payment: payment(draw, requested),
      tenant: {
        account: requestedText(draw, requested, "account") ?? "default",
        livemode: (requested.get("livemode") ?? draw.chance(0.15)) === true
      },
      id: `pay_${draw.int(0, 0x7fffffff).toString(36).padStart(26, "0")}`,
      now: requested.now ?? someTime(draw)
    },
    vitals: vitals(draw)
  }
}

/** What the payment should be: a value by fact, `null` for absent. */
class RequestedFacts extends Map<string, Value | null> {
  now: number | null = null
}

const satisfy = (draw: Draw, when: object, requested: RequestedFacts): void => {
  for (const [key, asked] of entriesOf(when)) {
    // Now and then one condition is left to chance.
    if (draw.chance(0.05)) continue
    if (key === "all") for (const inner of asked as ReadonlyArray<object>) satisfy(draw, inner, requested)
    else if (key === "any") satisfy(draw, draw.one(asked as ReadonlyArray<object>), requested)
    else if (key === "not") {
      if (draw.chance(0.3)) satisfy(draw, asked as object, requested)
    } else if (key === "time") requested.now = timeIn(draw, asked as Time)
    else if (!requested.has(key)) requested.set(key, valueFor(draw, key, asked))
  }
}

const valueFor = (draw: Draw, fact: string, asked: unknown): Value | null => {
  const operators = operatorsOf(asked)
  if (operators.exists === false) return null
  if (fact === "amount") return amountFor(draw, asked, operators)
  const { ends_with: end = "", in_prefixes = [], starts_with } = operators
  if (in_prefixes.length > 0 || starts_with !== undefined || end !== "") {
    const start = in_prefixes.length > 0 ? draw.one(in_prefixes) : (starts_with ?? "")
    const exact = (textsOf[fact] ?? []).filter((text) => text.startsWith(start) && text.endsWith(end))
    if (exact.length > 0 && draw.chance(0.6)) return draw.one(exact)
    const other = (): string => (draw.chance(0.2) ? "x" : "")
    return `${other()}${start}${draw.one(["", "1", "11", "@x"])}${end}${other()}`
  }
  if (operators.exists === true) return draw.one(textsOf[fact] ?? codesOf[fact] ?? ["x"])
  const value: unknown = Array.isArray(asked) ? draw.one(asked) : asked
  if (typeof value === "string") return draw.chance(0.04) ? `${value}1` : value
  return typeof value === "boolean" ? value : null
}

const isNumber = (value: unknown): value is number => typeof value === "number"

const amountFor = (draw: Draw, asked: unknown, operators: object): number => {
  const mentioned = [asked, ...entriesOf(operators).map(([, operand]) => operand)].flat().filter(isNumber)
  const [low, high] = [Math.min(...mentioned), Math.max(...mentioned)]
  if (mentioned.length === 2 && draw.chance(0.2)) return draw.int(low, high)
  const near = draw.one(mentioned.length === 0 ? amounts : mentioned) + draw.one([-1, 0, 0, 0, 1])
  return Math.min(Math.max(near, 0), Number.MAX_SAFE_INTEGER)
}

/** At or about an end of the window, on the wall of its zone. */
const timeIn = (draw: Draw, { between = ["00:00", "12:00"], dates = [], zone = "UTC" }: Time): number => {
  const near = dates.length > 0 && draw.chance(0.5) ? nearDate(draw, draw.one(dates)) : someTime(draw)
  const start = Math.floor(near / 60_000) * 60_000
  const target = minuteOf(draw.one(between)) + draw.int(-1, 90) * draw.int(0, 1)
  return start + (target - wallMinute(start, zone)) * 60_000 + draw.one([-1, 0, 0, 1, 59_999])
}

const nearDate = (draw: Draw, date: NonNullable<Time["dates"]>[number]): number => {
  const day = typeof date === "string" ? date : draw.one([date.from, date.to])
  return new Date(day).getTime() + draw.int(-1, 1) * 86_400_000 + 43_200_000
}

/** Half of them within three days of when clocks are set. */
const someTime = (draw: Draw): number => {
  const year = draw.int(2024, 2034)
  const [month, day] = draw.one([
    [2, 8],
    [2, 25],
    [3, 1],
    [8, 24],
    [9, 25],
    [10, 1]
  ] as const)
  const begin = draw.chance(0.5) ? Date.UTC(year, month, day) : Date.UTC(year, draw.int(0, 11), draw.int(1, 28))
  return begin + draw.int(0, 7 * 86_400_000)
}

const payment = (draw: Draw, requested: RequestedFacts): NewPayment => {
  const method = methodFor(draw, requested)
  const currency = requestedText(
    draw,
    requested,
    "currency",
    method.rail === "upi" && draw.chance(0.9) ? ["INR"] : currencies
  )
  const amount = requested.get("amount")
  if (currency === null || !Currency.isCurrency(currency)) return payment(draw, new RequestedFacts())
  const code = requestedText(draw, requested, "customer.phone_country")
  return {
    amount: { minorUnits: typeof amount === "number" ? amount : draw.one(amounts), currency },
    method,
    captureMethod: requestedText(draw, requested, "capture_method") === "manual" ? "manual" : "automatic",
    description: draw.chance(0.6) ? "Order 1" : null,
    customer: {
      email: requestedText(draw, requested, "customer.email"),
      phone: (code === null ? undefined : phones[code]) ?? draw.one([null, "+49", "9999999999", "+4915112345678"]),
      name: draw.chance(0.6) ? "A Payer" : null,
      address: draw.chance(0.6) ? address : null
    },
    metadata: metadataFor(draw, requested),
    client: client(draw),
    returnUrl: draw.chance(0.6) ? "https://shop.example/done" : null,
    order: null
  }
}

/** A requested value, else one of the values of the fact, or `null` if it may be absent. */
const requestedText = (
  draw: Draw,
  requested: RequestedFacts,
  fact: string,
  words = textsOf[fact] ?? codesOf[fact] ?? []
): string | null => {
  const requestedFact = requested.get(fact)
  if (requestedFact === undefined) return words !== currencies && draw.chance(0.2) ? null : draw.one(words)
  return typeof requestedFact === "string" ? requestedFact : null
}

const methodFor = (draw: Draw, requested: RequestedFacts): PaymentMethod => {
  const flow = requested.get("flow")
  switch (railFor(draw, requested)) {
    case "upi":
      return {
        rail: "upi",
        flow: draw.one(
          railsWithFlows.upi.some((own) => own === flow)
            ? railsWithFlows.upi.filter((own) => own === flow)
            : railsWithFlows.upi
        ),
        vpa: null
      }
    case "card": {
      const withToken = flow === "token" || (flow !== "hosted" && draw.chance(0.4))
      const shared = draw.chance(0.3)
      return {
        rail: "card",
        token: withToken && shared ? "tok_any" : null,
        tokens: withToken
          ? Object.fromEntries((shared ? draw.some : draw.few)(providerNames, 0.5).map((name) => [name, `tok_${name}`]))
          : {},
        network: requestedText(draw, requested, "card.network"),
        country: requestedText(draw, requested, "card.country"),
        funding: requestedText(draw, requested, "card.funding"),
        bin: requestedText(draw, requested, "card.bin"),
        fingerprint: null
      }
    }
    case "stablecoin":
      return {
        rail: "stablecoin",
        asset: requestedText(draw, requested, "stablecoin.asset"),
        network: requestedText(draw, requested, "stablecoin.network")
      }
  }
}

type Rail = PaymentMethod["rail"]
const rails: ReadonlyArray<Rail> = ["upi", "card", "stablecoin"]

const railFor = (draw: Draw, requested: RequestedFacts): Rail => {
  const wanted = requested.get("payment_method")
  const flow = requested.get("flow")
  return (
    rails.find((rail) => rail === wanted) ??
    rails.find((rail) => railsWithFlows[rail].some((own) => own === flow)) ??
    rails.find((rail) =>
      [...requested].some(([fact, requestedFact]) => requestedFact !== null && fact.startsWith(`${rail}.`))
    ) ??
    draw.one(rails)
  )
}

/** Own entries only, whatever they are called. */
const metadataFor = (draw: Draw, requested: RequestedFacts): NewPayment["metadata"] => {
  const facts = new Set([...Object.keys(textsOf), ...requested.keys()])
  return Object.fromEntries(
    [...facts].flatMap((fact) => {
      if (!fact.startsWith("metadata.")) return []
      const value = requested.has(fact) || draw.chance(0.4) ? requestedText(draw, requested, fact) : null
      return value === null ? [] : [[fact.slice("metadata.".length), value]]
    })
  )
}

const client = (draw: Draw): Client | null =>
  draw.chance(0.2)
    ? null
    : {
        ip: draw.chance(0.8) ? "192.0.2.1" : null,
        userAgent: draw.chance(0.8) ? "test" : null,
        referer: draw.chance(0.8) ? "https://shop.example" : null,
        acceptHeader: draw.chance(0.8) ? "text/html" : null,
        language: draw.chance(0.8) ? "en" : null,
        timeZone: draw.chance(0.8) ? "UTC" : null,
        screen: draw.chance(0.8) ? { width: 1, height: 1, colorDepth: 24 } : null
      }

const address: Customer["address"] = {
  line1: "1 Main Road",
  line2: null,
  city: null,
  state: null,
  postalCode: null,
  country: "IN"
}

const vitals = (draw: Draw): Vitals => ({
  demoted: new Map(
    (draw.chance(0.4) ? draw.some(providerNames, 0.5) : []).map((name) => [
      name,
      draw.one(["breaker_open", "account_not_enabled"])
    ])
  ),
  seed: draw.int(0, 0x7fffffff)
})
