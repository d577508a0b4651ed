/** Payments for the checks of lists, which of them a query matches, and queries: the same in every run. */
import { rails } from "@paymux/core"
import type { Payment, PaymentId, PaymentMethod, PaymentRecord, PaymentState } from "@paymux/core"
import { failure, firstPaymentId, normalEmail, paymentStatuses } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { aRecord, aReview, currency, paymentId } from "./records.ts"

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Payments that differ in every filtered field, in cycles of different lengths. */
export const various = (n: number): PaymentRecord => withReference(n, variousPayment(n))

/** Of two thirds of the payments. */
const withReference = (n: number, record: PaymentRecord): PaymentRecord => ({
  ...record,
  operations: record.operations.map((operation) => ({ ...operation, reference: n % 3 === 0 ? null : referenceOf(n) }))
})

const referenceOf = (n: number): string => `ord_${n}`

const variousPayment = (n: number): PaymentRecord =>
  aRecord(n, {
    state: cycle(states, n),
    method: methodOf(n),
    amount: { minorUnits: n, currency: currency(cycle(currencies, n)) },
    provider: cycle(providers, n),
    customer: { email: emailOf(n), phone: "+15550100", name: null, address: null },
    reviews: n % 11 === 0 ? [aReview(n)] : [],
    metadata: n % 3 === 0 ? {} : { [cycle(metadataKeys, n)]: String(n % 4), other: "x" },
    order: orderOf(n),
    createdAt: 1_000 + n - (n % 10) * 2
  })

/** One is open, and what came before it failed or was canceled. */
const orderOf = (n: number): string | null => {
  if (n === 0) return "order 2"
  return n % 6 < 3 || n % 4 === 0 ? null : `order ${n % 2 === 0 ? 1 : 2}`
}

/** One of 17 payments has none. */
const emailOf = (n: number): string | null => {
  if (n % 17 === 0) return null
  return n % 7 === 0 ? "payer@example.com" : `payer${n}@example.com`
}

const methodOf = (n: number): PaymentMethod => {
  const method = cycle(methods, n)
  return method.rail === "card" ? { ...method, fingerprint: cycle(fingerprints, n) } : method
}

const cycle = <A>(values: readonly [A, ...ReadonlyArray<A>], n: number): A => values[n % values.length] ?? values[0]

const states: readonly [PaymentState, ...ReadonlyArray<PaymentState>] = [
  { status: "pending", reason: "processing", nextAction: null },
  { status: "authorized" },
  { status: "succeeded", late: false },
  { status: "failed", failure: failure("do_not_honor", false) },
  { status: "canceled" },
  { status: "failed", failure: failure("expired_card", false) }
]
const methods: readonly [PaymentMethod, ...ReadonlyArray<PaymentMethod>] = [
  { rail: "upi", flow: "qr", vpa: null },
  { rail: "stablecoin", asset: null, network: null },
  {
    rail: "card",
    token: "tok",
    tokens: {},
    network: null,
    country: null,
    funding: null,
    bin: null,
    fingerprint: null
  }
]
const fingerprints = ["fp_1", "fp_\u0000", 'fp_"\ud800', null] as const
const currencies = ["INR", "USD", "JPY", "KWD"] as const
const providers = ["acme", "other", "third"] as const
const metadataKeys = ["order_id", "a.b", 'quo"te'] as const

export const matches = (query: ListQuery, { operations, payment }: PaymentRecord): boolean =>
  any(query.status, payment.state.status) &&
  any(query.rail, payment.method.rail) &&
  any(query.currency, payment.amount.currency) &&
  any(query.provider, payment.provider) &&
  any(
    query.customerEmail.map(normalEmail),
    payment.customer.email === null ? null : normalEmail(payment.customer.email)
  ) &&
  (query.providerReference.length === 0 ||
    operations.some(({ reference }) => query.providerReference.some((each) => each === reference))) &&
  (query.failureCode.length === 0 ||
    (payment.state.status === "failed" && any(query.failureCode, payment.state.failure.code))) &&
  (query.order.length === 0 || query.order.some((each) => each === payment.order)) &&
  (query.cardFingerprint.length === 0 ||
    (payment.method.rail === "card" && query.cardFingerprint.some((each) => each === fingerprintOf(payment)))) &&
  (query.amountMin ?? 0) <= payment.amount.minorUnits &&
  payment.amount.minorUnits <= (query.amountMax ?? Infinity) &&
  (query.createdAfter ?? -1) < payment.createdAt &&
  payment.createdAt < (query.createdBefore ?? Infinity) &&
  (!query.inReview || payment.reviews.length > 0) &&
  Object.entries(query.metadata).every(([key, values]) => any(values, payment.metadata[key] ?? "absent"))

const fingerprintOf = ({ method }: Payment): string | null => (method.rail === "card" ? method.fingerprint : null)

export const isBeyond = ({ position }: ListQuery, id: PaymentId): boolean =>
  position === null || (position.side === "after" ? id < position.id : id > position.id)

export const october = Date.UTC(2026, 9, 1)

/** A clock that was set, or payments that came from elsewhere: most ids are of the time of their payment. */
const skews = [0, 0, 0, 3, -1, 1_500, -1_500, 2_047, 2_048, -2_049, 5_000, -5_000, 3_600_000, -3_600_000, -october]

export const atAnotherTime = (n: number): Payment => {
  const createdAt = october + n * 200
  const time = Math.max(0, createdAt + cycle([0, ...skews], n))
  return { ...various(n).payment, ...atTime(n, time, createdAt) }
}

export const slice = 2 ** 25

/** Every so many hours: none, one or several in a slice of time; one of eight was made at another time than its id says. */
export const inAnotherSlice = (n: number): Payment => {
  const createdAt = october + Math.floor((n * n * slice) / 8)
  const time = n % 8 === 3 ? createdAt - 700 * slice : createdAt
  const amount = { minorUnits: (n * 37) % 101, currency: currency(n % 5 === 0 ? "EUR" : "USD") }
  return { ...various(n).payment, ...atTime(n, time, createdAt), amount }
}

// Boundary: it has the shape of an id; a decimal digit is one of its letters.
const atTime = (n: number, time: number, createdAt: number): Pick<Payment, "id" | "createdAt"> => ({
  id: `${firstPaymentId(time).slice(0, -4)}${String(n).padStart(4, "0")}` as PaymentId,
  createdAt
})

/** More payments than a walk passes at once, near in time to some of the former, with amounts from 0 to 100 or of 500. */
export const inOneOfThreeSlices = (n: number): Payment => {
  const createdAt = october + (n % 3) * 200 * slice + n * 10_000
  const minorUnits = n % 4 === 0 ? 500 : (n * 37) % 101
  return { ...inAnotherSlice(n), ...atTime(n, createdAt, createdAt), amount: { minorUnits, currency: currency("USD") } }
}

export const aRecordOf = (payment: Payment): PaymentRecord => {
  const record = aRecord(Number(payment.id.slice(-4)))
  return {
    ...record,
    payment,
    operations: record.operations.map((operation) => ({ ...operation, paymentId: payment.id }))
  }
}

const any = (values: ReadonlyArray<string>, value: string | null) =>
  values.length === 0 || (value !== null && values.includes(value))

/** 400 queries, the same in every run, of which each filter is in about every third. */
export const queries = (): ReadonlyArray<ListQuery> => {
  let seed = 7
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  const some = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
    below(3) === 0 ? values.filter(() => below(2) === 0) : []
  const sides = ["after", "before"] as const
  return range(1, 400).map(() => ({
    limit: 1 + below(40),
    position: below(2) === 0 ? null : { side: sides[below(2)] ?? "after", id: paymentId(below(320)) },
    status: some(paymentStatuses),
    rail: some(rails),
    currency: some(currencies),
    provider: some([...providers, "unknown"]),
    customerEmail: some(["payer@example.com", "payer1@example.com", "payer2@example.com", ""]),
    providerReference: below(8) === 0 ? range(0, below(30)).map((n) => referenceOf(n * 7)) : [],
    failureCode: below(6) === 0 ? cycle([["do_not_honor"], ["expired_card", "do_not_honor"]], below(2)) : [],
    cardFingerprint: below(6) === 0 ? ["fp_1", "fp_\u0000", "fp_unknown"].filter(() => below(2) === 0) : [],
    order: below(6) === 0 ? ["order 1", "order 2", "order x"].filter(() => below(2) === 0) : [],
    amountMin: below(3) === 0 ? below(300) : null,
    amountMax: below(3) === 0 ? below(400) : null,
    createdAfter: below(4) === 0 ? 1_000 + below(300) : null,
    createdBefore: below(4) === 0 ? 1_000 + below(300) : null,
    metadata: Object.fromEntries(some(metadataKeys).map((key) => [key, some(["0", "1", "2", "3"])])),
    inReview: below(4) === 0
  }))
}
