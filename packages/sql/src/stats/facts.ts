/**
 * The facts of one event: the payment, its attempts and a refund, each as a fact to count. Pure.
 *
 * A fact belongs to the hour in which its object was created and has the object's state at the event. The statistics are
 * the facts of the latest event of each payment, and the latest event of each refund: an event adds its facts and removes those
 * of the event before it. An event row never changes, except where a customer is erased, which no fact is about.
 */

const factKinds = ["payment", "attempt", "refund"] as const
export type FactKind = (typeof factKinds)[number]

export interface Fact {
  readonly kind: FactKind
  /** ms UTC: when the payment was created, the attempt started, the refund was requested. */
  readonly at: number
  readonly provider: string
  readonly method: string
  readonly currency: string
  /** The status. */
  readonly outcome: string
  /** The failure code; empty: none. */
  readonly code: string
  /** Minor units. */
  readonly amount: number
  /** Minor units, of a payment. */
  readonly captured: number
  /** ms from the start to the end of an attempt. */
  readonly duration: number | null
}

/**
 * The facts in the public JSON of a payment: the payment and its attempts. JSON that cannot be read counts as nothing, the same
 * at every reading: one damaged row must not stop the rest.
 */
export const paymentFacts = (text: string | null): ReadonlyArray<Fact> => {
  const payment = parsed(text)
  if (payment === null) return []
  const at = timeOf(payment["created_at"])
  if (at === null) return []
  const common = { method: word(payment["payment_method"]), currency: word(payment["currency"]) }
  const amount = whole(payment["amount"])
  const { attempts } = payment
  return [
    {
      ...common,
      kind: "payment",
      at,
      provider: word(payment["provider"]),
      outcome: word(payment["status"]),
      code: codeOf(payment["failure"]),
      amount,
      captured: whole(payment["amount_captured"]),
      duration: null
    },
    ...(Array.isArray(attempts) ? attempts.flatMap((attempt) => attemptFact(attempt, common, amount)) : [])
  ]
}

type Common = Pick<Fact, "method" | "currency">

const attemptFact = (attempt: unknown, common: Common, amount: number): ReadonlyArray<Fact> => {
  if (!isFields(attempt)) return []
  const at = timeOf(attempt["started_at"])
  if (at === null) return []
  const endedAt = timeOf(attempt["ended_at"])
  return [
    {
      ...common,
      kind: "attempt",
      at,
      provider: word(attempt["provider"]),
      outcome: word(attempt["status"]),
      code: word(attempt["code"]),
      amount,
      captured: 0,
      duration: endedAt === null ? null : Math.max(0, endedAt - at)
    }
  ]
}

/** The facts in the public JSON of a refund. `payment`: the facts of its payment. */
export const refundFacts = (text: string | null, payment: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const refund = parsed(text)
  const at = refund === null ? null : timeOf(refund["created_at"])
  if (refund === null || at === null) return []
  return [
    {
      kind: "refund",
      at,
      provider: word(refund["provider"]),
      method: payment[0]?.method ?? "",
      currency: word(refund["currency"]),
      outcome: word(refund["status"]),
      code: codeOf(refund["failure"]),
      amount: whole(refund["amount"]),
      captured: 0,
      duration: null
    }
  ]
}

interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const parsed = (text: string | null): Fields | null => {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

const word = (value: unknown): string => (typeof value === "string" ? value : "")

const whole = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0)

const codeOf = (failure: unknown): string => (isFields(failure) ? word(failure["code"]) : "")

const timeOf = (value: unknown): number | null => {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
