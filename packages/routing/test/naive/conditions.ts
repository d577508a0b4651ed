/** Whether the `when` of a rule holds, read straight off what is written: nothing is prepared, nothing is remembered. */
import type { NewPayment, Tenant } from "@paymux/core"

/** A payment that is to be routed, and when. */
export interface Asking {
  readonly payment: NewPayment
  readonly tenant: Tenant
  readonly id: string
  /** ms UTC */
  readonly now: number
  /** Of the rules. */
  readonly holidays?: Holidays
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
type Operator = (value: Value, asked: never) => boolean

export interface Language {
  readonly operators: { readonly [operator: string]: Operator }
  /** Minutes of the day: `from` included, `to` excluded. */
  readonly inWindow: (minute: number, from: number, to: number) => boolean
  /** The day to which the hours after midnight belong. */
  readonly nightOf: (day: string) => string
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
  nightOf: (day) => dayBefore(day),
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
        return seenTime(asked as Time, timeHolds(asked as Time, asking.now, language, asking.holidays ?? {}), witness)
      default:
        return factHolds(key, asked, factOf(key, asking), language, seen)
    }
  })
}

/** Each kind of condition on the time is seen. */
const seenTime = (time: Time, held: boolean, witness: Witness): boolean => {
  for (const kind of Object.keys(time)) if (kind !== "zone") witness(`time ${kind}`, held)
  return held
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

type WrittenDate = string | { readonly from: string; readonly to: string }

export interface Time {
  readonly between?: readonly [string, string]
  readonly zone?: string
  readonly weekdays?: ReadonlyArray<string>
  readonly dates?: ReadonlyArray<WrittenDate>
  readonly holidays?: string | ReadonlyArray<string>
}

/** Calendars by name, as they are written. */
type Holidays = { readonly [name: string]: ReadonlyArray<WrittenDate> }

const timeHolds = (time: Time, now: number, { inWindow, nightOf }: Language, holidays: Holidays): boolean => {
  const { between, dates, zone = "UTC" } = time
  const minute = wallMinute(now, zone)
  const [from, to] = between === undefined ? [0, 1440] : [minuteOf(between[0]), minuteOf(between[1])]
  if (!inWindow(minute, from, to)) return false
  if (time.weekdays === undefined && dates === undefined && time.holidays === undefined) return true
  const today = wallDate(now, zone)
  const day = from > to && minute < to ? nightOf(today) : today
  const calendars = time.holidays === undefined ? null : [time.holidays].flat()
  return (
    (time.weekdays === undefined || time.weekdays.some((one) => one === weekdayOf(day))) &&
    (dates === undefined || isListed(dates, day)) &&
    (calendars === null || calendars.some((name) => isListed(holidays[name] ?? [], day)))
  )
}

/** Texts of this form are ordered as the days are. */
const isListed = (dates: ReadonlyArray<WrittenDate>, day: string): boolean =>
  dates.some((date) => (typeof date === "string" ? date === day : date.from <= day && day <= date.to))

const weekdayOf = (day: string): string | undefined =>
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][new Date(day).getUTCDay()]

const dayBefore = (day: string): string => new Date(new Date(day).getTime() - 86_400_000).toISOString().slice(0, 10)

/** `2026-01-15`, as a calendar on the wall shows. */
const wallDate = (now: number, timeZone: string): string => {
  const made = calendarsOnWalls.get(timeZone) ?? new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short" })
  calendarsOnWalls.set(timeZone, made)
  return made.format(now).split("/").toReversed().join("-")
}

const calendarsOnWalls = new Map<string, Intl.DateTimeFormat>()

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
const countryCode = (phone: string | null): string | null =>
  phone === null || phone.length < 5
    ? null
    : (/^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(phone)?.[0] ?? null)
