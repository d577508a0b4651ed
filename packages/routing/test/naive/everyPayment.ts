/** Payments that between them give every answer that a ruleset can give, or nearly: its values, their neighbors, another. */
import { Currency } from "@paymux/core"
import type { PaymentMethod } from "@paymux/core"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { entriesOf, minuteOf, operatorsOf, wallMinute } from "./conditions.ts"
import type { Asking, Time, Value } from "./conditions.ts"
import type { Draw } from "./Draw.ts"
import { phones } from "./words.ts"

/** Calls `visit` with each of them until it answers `true`. Each is one that a request could make. */
export const everyPayment = (config: RoutingConfigInput, visit: (asking: Asking) => boolean): void => {
  const { choices, flows, times } = choicesFor(config)
  const made: { [fact: string]: Value | null } = {}
  const go = (index: number, flow: Flow): boolean => {
    const choice = choices[index]
    if (choice === undefined) return times.some((now) => visit(askingFor(flow, made, now)))
    const { fact, values } = choice
    const belongs = belongsTo(fact, flow)
    return (belongs ? values : [null]).some((value) => {
      if (fact === "currency" && railOf[flow] === "upi" && value !== "INR") return false
      made[fact] = value
      return go(index + 1, flow)
    })
  }
  for (const flow of flows) if (go(0, flow)) return
}

/** The same if they are at most `most`; else so many of them, drawn. */
export const somePayments = (
  config: RoutingConfigInput,
  most: number,
  draw: Draw,
  visit: (asking: Asking) => boolean
): void => {
  const { choices, flows, times } = choicesFor(config)
  const all = choices.reduce((product, { values }) => product * values.length, flows.length * times.length)
  if (all <= most) return everyPayment(config, visit)
  for (let i = 0; i < most; i++) {
    const flow = draw.one(flows)
    const made = Object.fromEntries(
      choices.map(({ fact, values }) => {
        if (fact === "currency" && railOf[flow] === "upi") return [fact, "INR"]
        return [fact, belongsTo(fact, flow) ? draw.one(values) : null]
      })
    )
    if (visit(askingFor(flow, made, draw.one(times)))) return
  }
}

const choicesFor = (config: RoutingConfigInput) => {
  const mentions = mentionedIn((config.rules ?? []).map(({ when }) => when))
  const facts = [...mentions.keys()].filter((fact) => fact !== "time" && fact !== "payment_method" && fact !== "flow")
  return {
    flows: flowsFor([...mentions.keys()]),
    choices: facts.map((fact) => ({ fact, values: valuesOf(fact, mentions.get(fact) ?? []) })),
    times: timesOf(mentions.get("time") ?? [])
  }
}

const belongsTo = (fact: string, flow: Flow): boolean =>
  !/^(?:card|stablecoin)\./.test(fact) || fact.startsWith(`${railOf[flow]}.`)

const railOf = {
  hosted: "card",
  token: "card",
  intent: "upi",
  qr: "upi",
  collect: "upi",
  transfer: "stablecoin"
} as const
type Flow = keyof typeof railOf

/** Flows differ only if a condition distinguishes them. */
const flowsFor = (facts: ReadonlyArray<string>): ReadonlyArray<Flow> => {
  if (facts.includes("flow")) return ["hosted", "token", "intent", "qr", "collect", "transfer"]
  const byRail = facts.some((fact) => /^(?:payment_method$|card\.|stablecoin\.)/.test(fact))
  return byRail ? ["hosted", "intent", "transfer"] : ["hosted"]
}

/** What is asked of each fact, however deep. */
const mentionedIn = (whens: ReadonlyArray<object>): Map<string, Array<unknown>> => {
  const found = new Map<string, Array<unknown>>()
  const look = (when: object): void => {
    for (const [key, asked] of entriesOf(when)) {
      if (key === "all" || key === "any") for (const inner of asked as ReadonlyArray<object>) look(inner)
      else if (key === "not") look(asked as object)
      else found.set(key, [...(found.get(key) ?? []), asked])
    }
  }
  for (const when of whens) look(when)
  return found
}

const valuesOf = (fact: string, asked: ReadonlyArray<unknown>): ReadonlyArray<Value | null> => {
  switch (fact) {
    case "amount":
      return amountsOf(asked)
    case "livemode":
      return [false, true]
    case "capture_method":
      return ["automatic", "manual"]
    case "currency":
      return [...new Set(["INR", "EUR", "USD", "JPY", ...listedIn(asked)])]
    case "customer.phone_country":
      return [...new Set(["+91", "+1", "+44", ...listedIn(asked)]), null]
    default:
      return [...(neverAbsent.includes(fact) ? [] : [null]), ...textsOf(fact, asked)]
  }
}

const neverAbsent = ["account"]

const amountsOf = (asked: ReadonlyArray<unknown>): ReadonlyArray<number> => {
  const mentioned = asked.flatMap((one) =>
    typeof one === "object" && one !== null ? Object.values(one).flat() : [one]
  )
  const near = mentioned.flatMap((value) => (typeof value === "number" ? [value - 1, value, value + 1] : []))
  return [...new Set(near)].filter((value) => value >= 1 && value <= Number.MAX_SAFE_INTEGER)
}

const textsOf = (fact: string, asked: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const operators = asked.map(operatorsOf)
  const starts = ["", ...operators.flatMap(({ in_prefixes = [], starts_with = [] }) => in_prefixes.concat(starts_with))]
  const ends = ["", ...operators.flatMap(({ ends_with }) => ends_with ?? [])]
  const made = starts.flatMap((start) => ends.flatMap((end) => fillers(fact).map((fill) => `${start}${fill}${end}`)))
  return [...new Set([...listedIn(asked), ...made])].filter(shapes[fact] ?? (() => true))
}

const listedIn = (asked: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  asked.flatMap((one) => (typeof one === "string" || Array.isArray(one) ? [one].flat().map(String) : []))

const isText = (pattern: RegExp) => (text: string) => pattern.test(text)

/** What a request may say. */
const shapes: { readonly [fact: string]: (text: string) => boolean } = {
  "customer.email": isText(/^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,63}$/),
  "card.bin": isText(/^\d{6,8}$/),
  "card.network": isText(/^[a-z][a-z_]{1,31}$/),
  "stablecoin.asset": isText(/^[A-Z][A-Z0-9]{1,11}$/)
}

/** What stands between a prefix and a suffix: nothing, or what neither has. */
const fillers = (fact: string): ReadonlyArray<string> => {
  switch (fact) {
    case "customer.email":
      return ["", "z", "z@", "@z.", "z@z.", "z@z.zz", "z.zz", "@z.zz", ".zz"]
    case "card.bin":
      return Array.from({ length: 9 }, (_, length) => "0".repeat(length))
    case "card.network":
      return ["", "z", "zz", "_z_"]
    case "stablecoin.asset":
      return ["", "0", "Z0"]
    default:
      return ["", "~"]
  }
}

/** About the ends of every window and list of days, on its own wall, in winter and in summer, and on every weekday. */
const timesOf = (asked: ReadonlyArray<unknown>): ReadonlyArray<number> => {
  const winterAndSummer = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]
  const windows = asked.map((one) => one as Time)
  const days = windows.some(({ dates, weekdays }) => dates !== undefined || weekdays !== undefined)
    ? [...weekFrom(Date.UTC(2026, 0, 15)), ...windows.flatMap(({ dates = [] }) => dates.flatMap(aroundDate))]
    : winterAndSummer
  const times = windows.flatMap(({ between = ["00:00", "12:00"], zone = "UTC" }) =>
    [...new Set(days)].flatMap((day) =>
      between.flatMap((clock) => {
        const at = day + (minuteOf(clock) - wallMinute(day, zone)) * 60_000
        return [at - 60_000, at]
      })
    )
  )
  return asked.length === 0 ? winterAndSummer.slice(0, 1) : [...new Set(times)]
}

const DAY = 86_400_000

const weekFrom = (day: number): ReadonlyArray<number> => Array.from({ length: 7 }, (_, index) => day + index * DAY)

/** From the day before to two days after, and a week within. */
const aroundDate = (date: NonNullable<Time["dates"]>[number]): ReadonlyArray<number> => {
  const { from, to } = typeof date === "string" ? { from: date, to: date } : date
  const [first, last] = [new Date(from).getTime(), new Date(to).getTime()]
  return [first - DAY, first, first + DAY, last, last + DAY, last + 2 * DAY]
}

const askingFor = (flow: Flow, made: { readonly [fact: string]: Value | null }, now: number): Asking => {
  const text = (fact: string): string | null => {
    const value = made[fact]
    return typeof value === "string" ? value : null
  }
  const currency = text("currency") ?? (railOf[flow] === "upi" ? "INR" : "USD")
  if (!Currency.isCurrency(currency)) throw new Error(`${currency} is not a currency`)
  const metadata = Object.entries(made).flatMap(([fact, value]) =>
    fact.startsWith("metadata.") && typeof value === "string" ? [[fact.slice("metadata.".length), value]] : []
  )
  const { amount, livemode } = made
  const code = made["customer.phone_country"]
  return {
    payment: {
      amount: { minorUnits: typeof amount === "number" ? amount : 1000, currency },
      method: methodFor(flow, text),
      captureMethod: text("capture_method") === "manual" ? "manual" : "automatic",
      description: null,
      customer: {
        email: made["customer.email"] === undefined ? "payer@example.com" : text("customer.email"),
        phone: typeof code === "string" ? (phones[code] ?? "") : code === null ? null : "+919999999999",
        name: null,
        address: null
      },
      metadata: Object.fromEntries(metadata),
      client: null,
      returnUrl: null,
      order: null
    },
    tenant: { account: text("account") ?? "default", livemode: livemode === true },
    id: "pay_00000000000000000000000001",
    now
  }
}

const methodFor = (flow: Flow, text: (fact: string) => string | null): PaymentMethod => {
  switch (flow) {
    case "intent":
    case "qr":
    case "collect":
      return { rail: "upi", flow, vpa: flow === "collect" ? "payer@bank" : null }
    case "transfer":
      return { rail: "stablecoin", asset: text("stablecoin.asset"), network: text("stablecoin.network") }
    case "hosted":
    case "token":
      return {
        rail: "card",
        token: flow === "token" ? "tok_any" : null,
        tokens: {},
        network: text("card.network"),
        country: text("card.country"),
        funding: text("card.funding"),
        bin: text("card.bin"),
        fingerprint: null
      }
  }
}
