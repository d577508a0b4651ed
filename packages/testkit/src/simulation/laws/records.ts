/** I4, I9, I12, I15: how a payment's record may change, and what is told of it. */
import { isClosedWithoutMoney } from "@paymux/core"
import type { Attempt, EventType, PaymentStatus } from "@paymux/core"
import { only } from "./Law.ts"
import type { Fault, Law, Of } from "./Law.ts"

/** Terminal states change only by a row marked `late`. */
export const i4TerminalStates: Law = ({ entries }) =>
  only(entries, "committed").flatMap(({ after, before, elapsed }): ReadonlyArray<Fault> => {
    if (before === null) return []
    const [from, to] = [before.payment.state, after.payment.state]
    const late = from.status === "failed" && to.status === "succeeded" && to.late
    const payment =
      from.status === to.status || late || isAllowed(from.status, to.status)
        ? []
        : [{ elapsed, text: `went from ${from.status} to ${to.status}` }]
    const attempts = before.attempts.flatMap((was) => {
      const is = after.attempts.find(({ seq }) => seq === was.seq)
      return is !== undefined && mayBecome(was, is)
        ? []
        : [{ elapsed, text: `attempt ${was.seq} went from ${was.status} to ${is?.status ?? "nothing"}` }]
    })
    return [...payment, ...attempts]
  })

const isAllowed = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from === "pending" || (from === "authorized" && to !== "pending")

const mayBecome = (was: Attempt, is: Attempt): boolean => {
  if (was.status === is.status) return true
  if (isClosedWithoutMoney(was.status)) return (is.status === "succeeded" || is.status === "authorized") && is.late
  if (was.status === "succeeded") return false
  return was.status === "authorized" ? is.status !== "sending" && is.status !== "unknown" : is.status !== "sending"
}

/** Each change of status tells exactly its event; nothing else is told but what may be. */
export const i9Events: Law = ({ entries }) =>
  only(entries, "committed").flatMap(({ after, before, elapsed, event }): ReadonlyArray<Fault> => {
    const status = after.payment.state.status
    const told = event?.type ?? null
    if (before === null) return told === null ? [] : [{ elapsed, text: `commit 1 told ${told}` }]
    const faults: Array<Fault> = []
    if (before.payment.state.status === status) {
      if (told !== null && !besides.has(told)) faults.push({ elapsed, text: `told ${told} while it stays ${status}` })
    } else if (told !== `payment.${status}`) faults.push({ elapsed, text: `became ${status} and told ${told}` })
    if (told === "payment.pending" && before.payment.pendingAnnounced)
      faults.push({ elapsed, text: "told pending twice" })
    if (event !== null && !event.payment.includes(`"status":"${status}"`)) {
      faults.push({ elapsed, text: `the row of ${event.type} does not say ${status}` })
    }
    return faults
  })

const besides: ReadonlySet<EventType> = new Set([
  "payment.pending",
  "payment.disputed",
  "payment.capture_failed",
  "payment.late_reversed",
  "refund.pending",
  "refund.succeeded",
  "refund.failed"
])

/** 1, 2, 3 … */
export const i12Sequence: Law = ({ entries }) => {
  let last = 0
  return only(entries, "committed").flatMap(({ after, elapsed, event }) => {
    if (event !== null) last++
    return event !== null && (event.sequence !== last || after.payment.eventSequence !== last)
      ? [{ elapsed, text: `event ${event.sequence} (${event.type}) comes where ${last} should` }]
      : []
  })
}

/** Every commit stands on the one before it, and no process writes once it is dead. */
export const i15CompareAndSet: Law = ({ entries }) => {
  let version = 0
  return only(entries, "committed").flatMap((entry) => {
    const fault = wrongStep(entry, version)
    version = entry.after.payment.version
    return fault
  })
}

const wrongStep = ({ after, before, elapsed, process }: Of<"committed">, version: number): ReadonlyArray<Fault> =>
  (before?.payment.version ?? 0) === version && after.payment.version === version + 1
    ? []
    : [{ elapsed, text: `${process} wrote version ${after.payment.version} over ${version}` }]
