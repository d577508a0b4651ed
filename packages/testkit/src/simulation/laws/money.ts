/** I1, I5, I13 and P6: what is believed of money, held against the providers' own ledgers. */
import { isInFlight, isOpen } from "@paymux/core"
import type { PaymentRecord } from "@paymux/core"
import { kept } from "../Ledger.ts"
import { only, withLedger } from "./Law.ts"
import type { Fault, Law } from "./Law.ts"

/** Captured at most once, reversals aside; or an operator looks. */
export const i1CapturedOnce: Law = ({ charges, records }) => {
  const captures = charges.filter((charge) => kept(charge) > 0)
  const looks = records.some(({ payment }) => payment.review !== null)
  return captures.length > 1 && !looks
    ? [{ elapsed: null, text: `captured ${captures.length} times: ${captures.map(({ id }) => id).join(", ")}` }]
    : []
}

/** Σ captured − Σ given back is what the payment says, once nothing is open; and no step believes more than is true. */
export const i5Conserved: Law = ({ charges, entries, records }) => {
  const faults: Array<Fault> = []
  withLedger(entries, (entry, ledger) => {
    if (entry.kind !== "committed") return
    const { payment } = entry.after
    const told = (text: string) => faults.push({ elapsed: entry.elapsed, text })
    const captured = sum(
      [...ledger.values()].map(({ amount, status }) => (status === "captured" ? amount.minorUnits : 0))
    )
    const refunded = sum([...ledger.values()].map((charge) => charge.refunded))
    if (payment.amountCaptured > captured) told(`says ${payment.amountCaptured} captured of ${captured} that were`)
    if (payment.amountRefunded > payment.amountCaptured) told(`refunded more than captured`)
    if (payment.amountRefunded > refunded) told(`says ${payment.amountRefunded} refunded of ${refunded} that were`)
    const asked = sum(refundsOf(entry.after).map(({ minorUnits }) => minorUnits))
    if (payment.amountRefunded !== asked) told(`says ${payment.amountRefunded} refunded, its refunds are ${asked}`)
  })
  const [record] = records
  if (record === undefined || record.payment.review !== null || isOpenRecord(record)) return faults
  const { payment } = record
  const really = sum(charges.map(kept))
  const believed = payment.amountCaptured - payment.amountRefunded
  // More than asked is noted where the payer alone decides what to send.
  const over = payment.amountReceived === null ? 0 : payment.amountReceived - payment.amount.minorUnits
  return really === believed || really === believed + over
    ? faults
    : [...faults, { elapsed: null, text: `the payer is without ${really}, the payment says ${believed}` }]
}

const refundsOf = ({ operations }: PaymentRecord) =>
  operations.filter(
    ({ kind, purpose, status }) => kind === "refund" && purpose === "requested" && status === "succeeded"
  )

const isOpenRecord = ({ attempts, operations, payment }: PaymentRecord): boolean =>
  payment.state.status === "pending" || attempts.some(({ status }) => isInFlight(status)) || operations.some(isOpen)

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

/** Every request asks for the amount and currency of the payment; what else moved, an operator looks at. */
export const i13Amounts: Law = ({ charges, entries, records }) => {
  const faults: Array<Fault> = only(entries, "called")
    .filter(({ amount, call, record }) => {
      if (record === null) return false
      const { minorUnits, currency } = record.payment.amount
      return amount.currency !== currency || (call === "create" && amount.minorUnits !== minorUnits)
    })
    .map(({ amount, elapsed, provider }) => ({
      elapsed,
      text: `${provider} was asked for ${amount.minorUnits} ${amount.currency}`
    }))
  const [record] = records
  if (record === undefined || record.payment.review !== null || isOpenRecord(record)) return faults
  const { amount, amountCaptured, amountReceived } = record.payment
  const wrong = charges.filter(
    (charge) =>
      kept(charge) > 0 &&
      (charge.amount.currency !== amount.currency || charge.amount.minorUnits !== amountCaptured) &&
      charge.amount.minorUnits !== amountReceived
  )
  return [
    ...faults,
    ...wrong.map((charge) => ({
      elapsed: null,
      text: `${charge.id} took ${charge.amount.minorUnits} ${charge.amount.currency}, and nobody looks`
    }))
  ]
}

/** Failed only when every attempt is proven not captured, as known where the deciding evidence was taken. */
export const p6FailedIsProven: Law = ({ entries }) => {
  const faults: Array<Fault> = []
  /** Captured or held without having been closed before, and when. */
  const taken = new Map<string, number>()
  const closed = new Set<string>()
  let lastAnswer = 0
  for (const entry of entries) {
    if (entry.kind === "answered") lastAnswer = entry.elapsed
    if (entry.kind === "charge") {
      if (entry.status === "declined" || entry.status === "expired" || entry.status === "canceled") {
        closed.add(entry.charge)
        taken.delete(entry.charge)
      } else if (entry.status !== "waiting" && !closed.has(entry.charge)) taken.set(entry.charge, entry.elapsed)
    }
    if (entry.kind !== "committed" || entry.event?.type !== "payment.failed") continue
    const open = entry.after.attempts.filter(({ status }) => isInFlight(status))
    for (const { provider, seq, status } of open) {
      faults.push({ elapsed: entry.elapsed, text: `failed while attempt ${seq} at ${provider} is ${status}` })
    }
    for (const [charge, since] of taken) {
      if (since < lastAnswer) faults.push({ elapsed: entry.elapsed, text: `failed while ${charge} holds its money` })
    }
  }
  return faults
}
