/**
 * Detects whether one state of a payment is an earlier version of another state, and merges the two. After a database
 * restore, the database has the earlier state, while a process may still have the later one. Pure.
 */
import type { Attempt } from "../../domain/Attempt.ts"
import { isErased } from "../../domain/erasure.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord, PaymentState } from "../../domain/Payment.ts"
import { canonicalJson } from "../../domain/sha256.ts"

/**
 * Whether the state `later` contains all of `record`, without a contradiction. Versions and times of changes are not
 * compared, because announcements change them and the clocks of servers differ.
 */
export const isEarlier = (record: PaymentRecord, later: PaymentRecord): boolean => {
  const { attempts, entries, operations, payment } = record
  const to = later.payment
  return (
    payment.id === to.id &&
    !isErased(payment) &&
    (payment.disputedAt === null || payment.disputedAt === to.disputedAt) &&
    isStart(payment.resolutions, to.resolutions) &&
    isStart(entries, later.entries) &&
    stateMayBecome(payment.state, to.state) &&
    attempts.every((each) => {
      const known = later.attempts.find(({ seq }) => seq === each.seq)
      return known !== undefined && isSameAttempt(each, known) && mayBecome(each.status, known.status)
    }) &&
    operations.every((each) => {
      const known = later.operations.find(({ id }) => id === each.id)
      return known !== undefined && isSameOperation(each, known) && mayBecome(each.status, known.status)
    })
  )
}

/**
 * Whether both are the same attempt. Equal attempt numbers are not enough: another attempt may have the number by now.
 */
const isSameAttempt = (one: Attempt, other: Attempt): boolean =>
  one.provider === other.provider && one.startedAt === other.startedAt

const isSameOperation = (one: Operation, other: Operation): boolean =>
  one.createdAt === other.createdAt && one.minorUnits === other.minorUnits

const isStart = <A>(start: ReadonlyArray<A>, all: ReadonlyArray<A>): boolean =>
  start.every((each, place) => canonicalJson(each) === canonicalJson(all[place] ?? null))

/** The open statuses, in the order in which an operation can pass through them. */
const open: ReadonlyArray<Operation["status"]> = ["planned", "sending", "unknown", "pending", "authorized"]

/**
 * Whether an operation can go from `status` to the status `later`. An operation that was closed without money may still
 * succeed.
 */
const mayBecome = (status: Operation["status"], later: Operation["status"]): boolean => {
  if (status === later) return true
  if (status === "succeeded") return false
  if (!open.includes(status)) return later === "succeeded" || later === "authorized"
  return !open.includes(later) || open.indexOf(status) < open.indexOf(later)
}

/** Whether a payment's state can become the state `later`. A final state that was announced does not change. */
const stateMayBecome = ({ status }: PaymentState, later: PaymentState): boolean =>
  status === later.status || status === "pending" || status === "authorized"

/**
 * Merges the later state `known`, which this process has, with the writes that the stored earlier state `stored`
 * received since the restore: announcements, reviews, checkpoints, inquiries, and next actions that were shown.
 */
export const laterState = (stored: PaymentRecord, known: PaymentRecord): PaymentRecord => {
  const { eventSequence, pendingAnnounced, reviews, version } = stored.payment
  const { payment } = known
  return {
    payment: {
      ...payment,
      eventSequence,
      version,
      pendingAnnounced: pendingAnnounced || payment.pendingAnnounced,
      reviews: [...payment.reviews, ...reviews.filter(({ id }) => !payment.reviews.some((each) => each.id === id))]
    },
    attempts: known.attempts.map((attempt) => {
      const before = stored.attempts.find(({ seq }) => seq === attempt.seq)
      return { ...attempt, actionShown: attempt.actionShown || before?.actionShown === true }
    }),
    operations: known.operations.map((operation) => laterOperation(stored, operation)),
    entries: [...stored.entries, ...known.entries.slice(stored.entries.length)]
  }
}

const laterOperation = ({ operations }: PaymentRecord, known: Operation): Operation => {
  const before = operations.find(({ id }) => id === known.id)
  if (before === undefined) return known
  const named = { ...known, reference: known.reference ?? before.reference }
  if (before.status !== known.status) return named
  const { checks, nextCheckAt, unsettled } = before
  return { ...named, checks, nextCheckAt, unsettled: unsettled || known.unsettled }
}
