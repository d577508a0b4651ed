/** How a payment's record may change from commit to commit. */
import type { PaymentStatus } from "@paymux/core"
import { isClosedWithoutMoney, paymentStatuses } from "@paymux/core/store"
import type { Attempt, EventType } from "@paymux/core/store"
import { each, unchecked, withLedger } from "./Invariant.ts"
import type { Fault, Invariant, Of } from "./Invariant.ts"

/** Terminal states change only by a row marked `late`. */
export const transitionsAreAllowed: Invariant = (one) =>
  each(one, "committed", ({ after, before, elapsed }): ReadonlyArray<Fault> => {
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

/** Each change of status writes exactly its event; without one, only the events that need none. Those of reviews follow. */
export const eventsMatchCommits: Invariant = (one) =>
  each(one, "committed", ({ after, before, elapsed, events }): ReadonlyArray<Fault> => {
    const status = after.payment.state.status
    const [first] = events
    const written = first === undefined || first.review !== null ? null : first.type
    if (before === null) return written === null ? [] : [{ elapsed, text: `commit 1 wrote ${written}` }]
    const faults: Array<Fault> = []
    if (before.payment.state.status === status) {
      if (written !== null && !needsNoChange(written)) {
        faults.push({ elapsed, text: `wrote ${written} while it stays ${status}` })
      }
    } else if (written !== `payment.${status}`) {
      faults.push({ elapsed, text: `became ${status} and wrote ${String(written)}` })
    }
    if (written === "payment.pending" && before.payment.pendingAnnounced) {
      faults.push({ elapsed, text: "wrote payment.pending twice" })
    }
    for (const { review, type } of events.slice(written === null ? 0 : 1)) {
      if (review === null) faults.push({ elapsed, text: `wrote ${type} besides ${String(written)}` })
    }
    for (const { payment, type } of events) {
      if (!payment.includes(`"status":"${status}"`)) {
        faults.push({ elapsed, text: `the row of ${type} does not say ${status}` })
      }
    }
    return faults
  })

/** `payment.pending` comes with the first answer, and refunds, disputes and the like change no status of the payment. */
const needsNoChange = (type: EventType): boolean =>
  type === "payment.pending" || !paymentStatuses.some((status) => type === `payment.${status}`)

/** Every commit stands on the one before it, and no process writes once it is dead. */
export const commitsFollowEachOther: Invariant = (one) => {
  if (one.isRolledBack) return unchecked
  let version = 0
  return each(one, "committed", (entry) => {
    const faults = wrongStep(entry, version)
    version = entry.after.payment.version
    return faults
  })
}

const wrongStep = ({ after, before, elapsed, process }: Of<"committed">, version: number): ReadonlyArray<Fault> =>
  (before?.payment.version ?? 0) === version && after.payment.version === version + 1
    ? []
    : [{ elapsed, text: `${process} wrote version ${after.payment.version} over ${version}` }]

/** No commit says that more was captured or refunded than the vendors' ledgers hold at that moment. */
export const amountsAreBacked: Invariant = (one) => {
  const faults: Array<Fault> = []
  let judged = 0
  withLedger(one.entries, (entry, ledger) => {
    if (entry.kind !== "committed") return
    const { amountCaptured, amountRefunded } = entry.after.payment
    if (amountCaptured === 0) return
    judged++
    const charges = [...ledger.values()]
    if (charges.some(({ breaksPromises }) => breaksPromises)) return
    const captured = charges.reduce((sum, charge) => sum + charge.captured, 0)
    const refunded = charges.reduce((sum, charge) => sum + charge.refunded, 0)
    const fault = (text: string) => faults.push({ elapsed: entry.elapsed, text })
    if (amountCaptured > captured) fault(`says ${amountCaptured} captured of ${captured} that were`)
    if (amountRefunded > refunded) fault(`says ${amountRefunded} refunded of ${refunded} that were`)
  })
  return { judged, faults }
}
