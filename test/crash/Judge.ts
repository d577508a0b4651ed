/**
 * Holds the database against the vendor's ledger and the merchant's notes, once everything has settled. Each fault is a
 * sentence; none is what the run has to show. The numbers are those of the invariants in the domain document.
 */
import type { PaymentRecord } from "@paymux/core"
import { isOpen } from "@paymux/core/store"
import type { EventRow, Findings } from "./Findings.ts"
import type { Answered } from "./Merchant.ts"
import type { LedgerEntry } from "./vendor/Ledger.ts"

export interface Evidence extends Findings {
  readonly ledger: ReadonlyArray<LedgerEntry>
  readonly answers: ReadonlyMap<string, Answered>
}

export interface Verdict {
  readonly payments: number
  readonly acknowledged: number
  /** Acknowledged, and not there or not as acknowledged. */
  readonly lost: ReadonlyArray<string>
  /** More than one capture without a refund, and no review that names it. */
  readonly double: ReadonlyArray<string>
  readonly unresolved: ReadonlyArray<string>
  readonly inReview: number
  /** Anything else that must not be. */
  readonly broken: ReadonlyArray<string>
  /** Orders made under a key whose payment was on its way: an engine that stalls may make one, a restart must not. */
  readonly secondOrders: ReadonlyArray<string>
}

export const judge = ({ answers, events, ledger, records }: Evidence): Verdict => {
  const byId = new Map(records.map((record) => [record.payment.id as string, record]))
  const byPayment = Map.groupBy(ledger, paymentsOf(records))
  const eventsOf = Map.groupBy(events, ({ payment_id }) => payment_id)
  const accepted = [...answers].filter(([, { status }]) => status < 300)
  return {
    payments: records.length,
    acknowledged: accepted.length,
    lost: accepted.flatMap(([key, answered]) => lostOf(key, answered, byId)),
    double: records.flatMap((record) => doubleOf(record, byPayment.get(record.payment.id) ?? [])),
    unresolved: records.flatMap(unresolvedOf),
    inReview: records.filter(({ payment }) => payment.reviews.length > 0).length,
    broken: [
      ...records.flatMap((record) => moneyFaults(record, byPayment.get(record.payment.id) ?? [])),
      ...records.flatMap((record) => eventFaults(record, eventsOf.get(record.payment.id) ?? [])),
      ...strangers(ledger, byId)
    ],
    secondOrders: secondOrders(ledger)
  }
}

/** A payment whose commit was lost has another id after its request was repeated, and the same keys. */
const paymentsOf = (records: Findings["records"]) => {
  const byKey = new Map(
    records.flatMap(({ operations, payment }) => operations.map(({ key }) => [key as string, payment.id as string]))
  )
  return ({ key, payment }: LedgerEntry) => byKey.get(key) ?? payment
}

/** I2: what was acknowledged is there, and did not go back on its word. */
const lostOf = (
  key: string,
  { body, path }: Answered,
  byId: ReadonlyMap<string, PaymentRecord>
): ReadonlyArray<string> => {
  const reported: Reported = JSON.parse(body)
  const id = reported.object === "refund" ? (reported.payment ?? "") : reported.id
  const record = byId.get(id)
  if (record === undefined) return [`${key}: ${path} was answered ${id}, which is not there`]
  const { status } = record.payment.state
  if (reported.object === "refund") {
    const operation = record.operations.find((each) => each.id === reported.id.replace(/^re_/, "op_"))
    if (operation === undefined) return [`${key}: refund ${reported.id} is not there`]
    return reported.status === "succeeded" && operation.status !== "succeeded"
      ? [`${key}: refund ${reported.id} was answered succeeded and is ${operation.status}`]
      : []
  }
  const kept: { readonly [status: string]: ReadonlyArray<string> } = {
    succeeded: ["succeeded"],
    canceled: ["canceled"],
    // A success may come late, and a hold is captured or released.
    failed: ["failed", "succeeded"],
    authorized: ["authorized", "succeeded", "canceled", "failed"]
  }
  return kept[reported.status]?.includes(status) === false
    ? [`${key}: ${id} was answered ${reported.status} and is ${status}`]
    : []
}

interface Reported {
  readonly id: string
  readonly object: string
  readonly status: string
  readonly payment?: string
}

/** I1: at most one capture that was not given back; any other is named by a review, with its amount. */
const doubleOf = ({ payment }: PaymentRecord, entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<string> => {
  const standing = [...Map.groupBy(entries, ({ object }) => object)].filter(
    ([object, of]) => keptOf(of) > 0 && !isNamed(payment, object, of)
  )
  return standing.length > 1 ? [`${payment.id}: taken by ${standing.map(([object]) => object).join(" and ")}`] : []
}

/** I10 */
const unresolvedOf = ({ operations, payment }: PaymentRecord): ReadonlyArray<string> => {
  const open = operations.filter(isOpen)
  const waits = open.length > 0 || payment.state.status === "pending"
  return waits && payment.reviews.length === 0
    ? [`${payment.id} is ${payment.state.status}: ${open.map(({ kind, status }) => `${kind} ${status}`).join(", ")}`]
    : []
}

/** I5, P6: the database and the ledger agree on what was taken and given back; what failed or was canceled took nothing. */
const moneyFaults = ({ payment }: PaymentRecord, entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<string> => {
  if (payment.reviews.length > 0) return []
  const { amountCaptured, amountRefunded, id, state } = payment
  const taken = sum(entries, "captured") - sum(entries, "refunded")
  const faults =
    taken === amountCaptured - amountRefunded
      ? []
      : [`${id} (${state.status}): the vendor has ${taken}, the database ${amountCaptured} - ${amountRefunded}`]
  const held = [...Map.groupBy(entries, ({ object }) => object).values()].filter(
    (of) => has(of, "held") && !has(of, "captured") && !has(of, "canceled")
  ).length
  return held === (state.status === "authorized" ? 1 : 0)
    ? faults
    : [...faults, `${id} (${state.status}): the vendor holds ${held}`]
}

/** I9, I12: as many events as were counted, without a gap, and the last word is the state. */
const eventFaults = ({ payment }: PaymentRecord, events: ReadonlyArray<EventRow>): ReadonlyArray<string> => {
  const { eventSequence, id, state } = payment
  const gap = events.findIndex(({ sequence }, index) => Number(sequence) !== index + 1)
  const reported = events.filter(({ type }) => type === `payment.${state.status}`).length
  return [
    ...(gap === -1 && events.length === eventSequence
      ? []
      : [`${id}: ${events.length} events of ${eventSequence}, gap at ${gap}`]),
    // `payment.pending` is written when an answer says so.
    ...(reported === 1 || state.status === "pending"
      ? []
      : [`${id}: payment.${state.status} was written ${reported} times`])
  ]
}

/** I6: nothing was asked of the vendor that is not written down. */
const strangers = (
  ledger: ReadonlyArray<LedgerEntry>,
  byId: ReadonlyMap<string, PaymentRecord>
): ReadonlyArray<string> => {
  const known = new Set([...byId.values()].flatMap(({ operations }) => operations.map(({ key }) => key as string)))
  return ledger
    .filter(({ key }) => !known.has(key))
    .map(({ key, kind, payment }) => `${payment}: ${kind} under ${key}, which was not requested`)
}

/** Once a payment was asked for on an order, no other order is made under its key. */
const secondOrders = (ledger: ReadonlyArray<LedgerEntry>): ReadonlyArray<string> => {
  const received = new Set<string>()
  return ledger.flatMap(({ account, key, kind, payment }) => {
    if (kind === "received") received.add(`${account} ${key}`)
    return kind === "order_made" && received.has(`${account} ${key}`) ? [`${payment}: a second order under ${key}`] : []
  })
}

const keptOf = (entries: ReadonlyArray<LedgerEntry>): number => sum(entries, "captured") - sum(entries, "refunded")

const isNamed = ({ reviews }: PaymentRecord["payment"], object: string, entries: ReadonlyArray<LedgerEntry>): boolean =>
  reviews.some(
    ({ minorUnits, provider, reference }) =>
      reference === object && minorUnits === keptOf(entries) && entries.every(({ account }) => account === provider)
  )

const sum = (entries: ReadonlyArray<LedgerEntry>, kind: LedgerEntry["kind"]): number =>
  entries.reduce((total, entry) => (entry.kind === kind ? total + entry.minorUnits : total), 0)

const has = (entries: ReadonlyArray<LedgerEntry>, kind: LedgerEntry["kind"]): boolean =>
  entries.some((entry) => entry.kind === kind)
