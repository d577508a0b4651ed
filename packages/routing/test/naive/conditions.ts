/** Whether the `when` of a rule holds, read straight off what is written: nothing is prepared, nothing is remembered. */
import type { NewPayment, Tenant } from "@paymux/core"

/** A payment that is to be routed, and when. */
export interface Asking {
  readonly payment: NewPayment
  readonly tenant: Tenant
  readonly id: string
  /** ms UTC */
  readonly now: number
}

export type Value = string | number | boolean

/** A mapping as it is written; the Schema has its own idea of its type, which is not needed here. */
export type Written = { readonly [key: string]: unknown }

export const entriesOf = (written: object): ReadonlyArray<readonly [key: string, asked: unknown]> =>
  Object.entries(written)

export interface Operators {
  readonly starts_with?: string
  readonly ends_with?: string
  readonly in_prefixes?: ReadonlyArray<string>
  readonly exists?: boolean
}

/** Boundary: the Schema has looked at what stands behind each operator. */
export const operatorsOf = (asked: unknown): Operators =>
  typeof asked === "object" && asked !== null && !Array.isArray(asked) ? asked : {}

/** `asked` is what stands behind the operator. */
export type Operator = (value: Value, asked: never) => boolean

export interface Language {
  readonly operators: { readonly [operator: string]: Operator }
  /** Minutes of the day: `from` included, `to` excluded. */
  readonly inWindow: (minute: number, from: number, to: number) => boolean
  readonly negate: (holds: boolean) => boolean
}

export const language: Language = {
  operators: {
    gt: (value: Value, asked: number) => Number(value) > asked,
    gte: (value: Value, asked: number) => Number(value) >= asked,
    lt: (value: Value, asked: number) => Number(value) < asked,
    lte: (value: Value, asked: number) => Number(value) <= asked,
    between: (value: Value, asked: readonly [number, number]) => Number(value) >= asked[0] && Number(value) <= asked[1],
    starts_with: (value: Value, asked: string) => String(value).startsWith(asked),
    ends_with: (value: Value, asked: string) => String(value).endsWith(asked),
    in_prefixes: (value: Value, asked: ReadonlyArray<string>) => asked.some((one) => String(value).startsWith(one))
  },
  inWindow: (minute, from, to) => (from < to ? minute >= from && minute < to : minute >= from || minute < to),
  negate: (holds) => !holds
}

/** Called with every condition that was evaluated: `amount gte`, `any`, … */
export type Witness = (kind: string, held: boolean) => void

export const whenHolds = (when: object, asking: Asking, language: Language, witness: Witness): boolean => {
  const seen = (kind: string, held: boolean): boolean => {
    witness(kind, held)
    return held
  }
  const nested = (inner: unknown) => whenHolds(inner as object, asking, language, witness)
  return entriesOf(when).every(([key, asked]) => {
    switch (key) {
      case "all":
        return seen("all", (asked as ReadonlyArray<unknown>).every(nested))
      case "any":
        return seen("any", (asked as ReadonlyArray<unknown>).some(nested))
      case "not":
        return seen("not", language.negate(nested(asked)))
      case "time":
        return seen("time", timeHolds(asked as Time, asking.now, language))
      default:
        return factHolds(key, asked, factOf(key, asking), language, seen)
    }
  })
}

const factHolds = (
  name: string,
  asked: unknown,
  value: Value | null,
  { operators }: Language,
  seen: (kind: string, held: boolean) => boolean
): boolean => {
  if (Array.isArray(asked)) return seen(`${name} any of`, value !== null && asked.includes(value))
  if (typeof asked !== "object" || asked === null) return seen(`${name} equals`, value === asked)
  return entriesOf(asked).every(([operator, operand]) => {
    if (operator === "exists") return seen(`${name} exists ${operand === true}`, (value !== null) === operand)
    const holds = operators[operator]
    if (holds === undefined) throw new Error(`There is no operator ${operator}`)
    return seen(`${name} ${operator}`, value !== null && holds(value, operand as never))
  })
}

interface Time {
  readonly between: readonly [string, string]
  readonly zone?: string
}

const timeHolds = ({ between: [from, to], zone = "UTC" }: Time, now: number, { inWindow }: Language): boolean =>
  inWindow(wallMinute(now, zone), minuteOf(from), minuteOf(to))

export const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Minutes since midnight that a clock on the wall shows. */
export const wallMinute = (now: number, zone: string): number => {
  const clock = clocks.get(zone) ?? newClock(zone)
  return minuteOf(clock.format(now))
}

const clocks = new Map<string, Intl.DateTimeFormat>()

const newClock = (timeZone: string): Intl.DateTimeFormat => {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
  clocks.set(timeZone, clock)
  return clock
}

/** `null`: absent. */
export const factOf = (name: string, { payment, tenant }: Asking): Value | null => {
  const { amount, captureMethod, customer, metadata, method } = payment
  if (name.startsWith("metadata.")) {
    const entry = Object.entries(metadata).find(([key]) => `metadata.${key}` === name)
    return entry === undefined ? null : entry[1]
  }
  switch (name) {
    case "payment_method":
      return method.rail
    case "flow":
      if (method.rail === "upi") return method.flow
      if (method.rail === "stablecoin") return "transfer"
      return method.token === null && Object.keys(method.tokens).length === 0 ? "hosted" : "token"
    case "currency":
      return amount.currency
    case "amount":
      return amount.minorUnits
    case "capture_method":
      return captureMethod
    case "customer.email":
      return customer.email
    case "customer.phone_country":
      return countryCode(customer.phone)
    case "card.bin":
      return method.rail === "card" ? method.bin : null
    case "card.network":
      return method.rail === "card" ? method.network : null
    case "card.country":
      return method.rail === "card" ? method.country : null
    case "card.funding":
      return method.rail === "card" ? method.funding : null
    case "stablecoin.asset":
      return method.rail === "stablecoin" ? method.asset : null
    case "stablecoin.network":
      return method.rail === "stablecoin" ? method.network : null
    case "livemode":
      return tenant.livemode
    case "account":
      return tenant.account
    default:
      throw new Error(`There is no fact ${name}`)
  }
}

/** ITU-T E.164: no code begins another. */
const countryCode = (phone: string): string | null =>
  phone.length < 5
    ? null
    : (/^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(phone)?.[0] ?? null)
