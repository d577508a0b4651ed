/**
 * Whether one state of a payment is an earlier one of another. A database that went back to an earlier moment shows such a state
 * to a process that still knows the later one. Pure.
 */
import { isClosedWithoutMoney } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord, PaymentState } from "./Payment.ts"
import { canonicalJson } from "./sha256.ts"

/** `true`: `later` has everything that `record` has, and nothing of `record` was decided in another way since. */
export const isEarlier = (record: PaymentRecord, later: PaymentRecord): boolean => {
  const { attempts, entries, operations, payment } = record
  const to = later.payment
  return (
    payment.id === to.id &&
    payment.version <= to.version &&
    payment.updatedAt <= to.updatedAt &&
    (payment.disputedAt === null || payment.disputedAt === to.disputedAt) &&
    isStart(payment.resolutions, to.resolutions) &&
    isStart(entries, later.entries) &&
    stateMayBecome(payment.state, to.state) &&
    attempts.every(({ provider, seq, status }) => {
      const known = later.attempts.find((each) => each.seq === seq && each.provider === provider)
      return known !== undefined && mayBecome(status, known.status)
    }) &&
    operations.every(({ id, status }) => {
      const known = later.operations.find((each) => each.id === id)
      return known !== undefined && mayBecome(status, known.status)
    })
  )
}

const isStart = <A>(start: ReadonlyArray<A>, all: ReadonlyArray<A>): boolean =>
  start.every((each, place) => canonicalJson(each) === canonicalJson(all[place] ?? null))

/** What was closed without money may have taken it after all. */
const mayBecome = (status: Operation["status"] | Attempt["status"], later: Operation["status"]): boolean => {
  if (status === later) return true
  if (status === "planned" || status === "succeeded") return status === "planned"
  return !isClosedWithoutMoney(status) || later === "succeeded" || later === "authorized"
}

const stateMayBecome = ({ status }: PaymentState, later: PaymentState): boolean =>
  status === later.status ||
  status === "pending" ||
  status === "authorized" ||
  (status === "failed" && later.status === "succeeded")
