/**
 * Extracts the facts to count from one event: the payment, its attempts and a refund. Pure.
 *
 * A fact belongs to the hour in which its object was created, and has the object's state after the event. The
 * statistics are the facts of the latest event of each payment, and of the latest event of each refund: an event adds
 * its facts and removes those of the event before it. An event row never changes, except if a customer is erased, and
 * no fact contains customer data.
 */

const factKinds = ["payment", "attempt", "refund"] as const
export type FactKind = (typeof factKinds)[number]

export interface Fact {
  readonly kind: FactKind
  /** The time at which the payment was created, the attempt started or the refund was requested, ms UTC. */
  readonly at: number
  readonly provider: string
  readonly method: string
  readonly currency: string
  /** The status of the payment, attempt or refund. */
  readonly outcome: string
  /** The failure code; empty: no failure. */
  readonly code: string
  /** The amount, minor units. */
  readonly amount: number
  /** The captured amount of a payment, minor units. */
  readonly captured: number
  /** The time from the start to the end of an attempt, ms. */
  readonly duration: number | null
}

/**
 * The facts in the public JSON of a payment: the payment and its attempts. JSON that cannot be parsed has no facts, at
 * every reading, so that one damaged row does not stop the count.
 */
export const paymentFacts = (text: string | null): ReadonlyArray<Fact> => {
  const payment = parsed(text)
  const common = {
    method: word(payment["payment_method"]),
    currency: word(payment["currency"]),
    amount: whole(payment["amount"])
  }
  const code = codeOf(payment["failure"])
  const own = factOf("payment", payment, "created_at", { ...common, code, captured: whole(payment["amount_captured"]) })
  const { attempts } = payment
  if (own.length === 0 || !Array.isArray(attempts)) return own
  return [...own, ...attempts.filter(isFields).flatMap((attempt) => attemptFact(attempt, common))]
}

const attemptFact = (attempt: Fields, common: Pick<Fact, "method" | "currency" | "amount">): ReadonlyArray<Fact> => {
  const [startedAt, endedAt] = [timeOf(attempt["started_at"]), timeOf(attempt["ended_at"])]
  const duration = startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt)
  return factOf("attempt", attempt, "started_at", { ...common, code: word(attempt["code"]), duration })
}

/** The facts in the public JSON of a refund. `payment`: the facts of its payment. */
export const refundFacts = (text: string | null, payment: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const refund = parsed(text)
  return factOf("refund", refund, "created_at", {
    method: payment[0]?.method ?? "",
    currency: word(refund["currency"]),
    code: codeOf(refund["failure"]),
    amount: whole(refund["amount"])
  })
}

/** The fact of an object with these fields; no fact if its time cannot be read. */
const factOf = (
  kind: FactKind,
  fields: Fields,
  time: string,
  own: Pick<Fact, "method" | "currency" | "code" | "amount"> & Partial<Fact>
): ReadonlyArray<Fact> => {
  const at = timeOf(fields[time])
  if (at === null) return []
  const provider = word(fields["provider"])
  return [{ captured: 0, duration: null, ...own, kind, at, provider, outcome: word(fields["status"]) }]
}

interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const parsed = (text: string | null): Fields => {
  try {
    const value: unknown = JSON.parse(text ?? "null")
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

const word = (value: unknown): string => (typeof value === "string" ? value : "")

const whole = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0)

const codeOf = (failure: unknown): string => (isFields(failure) ? word(failure["code"]) : "")

const timeOf = (value: unknown): number | null => {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
