/** What has to be proven before another provider is tried, and before a payment fails. */
import type { OperationId } from "@paymux/core"
import { isInFlight } from "@paymux/core/store"
import { each, only, withLedger } from "./Invariant.ts"
import type { Fault, Invariant, Of } from "./Invariant.ts"

/** One attempt in flight. */
export const oneAttemptInFlight: Invariant = (one) =>
  each(one, "committed", ({ after, elapsed }) => {
    const open = after.attempts.filter(({ status }) => isInFlight(status))
    return open.length > 1 ? [{ elapsed, text: `${open.length} attempts are in flight` }] : []
  })

/**
 * Attempt n + 1 only if attempt n is proven not captured, or declared final; and it is never captured afterwards, unless
 * its vendor broke a promise.
 */
export const provenBeforeFailover: Invariant = ({ entries, plan }) => {
  const faults: Array<Fault> = []
  /** The creates of all attempts but the last. A database that lost the failover has lost that another was tried. */
  let left: ReadonlySet<string> = new Set()
  let judged = 0
  withLedger(entries, (entry, charges) => {
    if (entry.kind === "charge" && left.has(entry.operation) && movesMoney(entry)) {
      faults.push({
        elapsed: entry.elapsed,
        text: `${entry.charge} is ${entry.status} after another provider was tried`
      })
    }
    if (entry.kind !== "committed" || entry.before === null) return
    const { after, before } = entry
    left = new Set(
      after.operations
        .filter(({ attemptSeq, kind }) => kind === "create" && attemptSeq < after.attempts.length)
        .map(({ id }) => id)
    )
    if (after.attempts.length === before.attempts.length) return
    judged++
    for (const attempt of after.attempts.slice(0, -1)) {
      const vendor = plan.vendors.find(({ id }) => id === attempt.provider)
      const final = vendor?.declineIsFinal === true && after.payment.method.rail !== "upi" && !attempt.actionShown
      if (attempt.status !== "not_executed" && !(attempt.status === "declined" && final)) {
        faults.push({ elapsed: entry.elapsed, text: `tried another while attempt ${attempt.seq} is ${attempt.status}` })
      }
    }
    for (const charge of charges.values()) {
      if (
        left.has(charge.operation) &&
        (movesMoney(charge) || (charge.status === "waiting" && !charge.breaksPromises))
      ) {
        faults.push({ elapsed: entry.elapsed, text: `tried another while ${charge.charge} is ${charge.status}` })
      }
    }
  })
  return { judged, faults }
}

const movesMoney = ({ breaksPromises, captured, held, refunded }: Of<"charge">): boolean =>
  !breaksPromises && (held > 0 || captured > refunded)

/**
 * Failed only when every attempt is proven not captured, as known where the deciding evidence was taken. What the database
 * has lost with every trace of its operation no row can know of: the judge looks for its money among the reports that
 * operators are shown.
 */
export const failedIsProven: Invariant = ({ entries, isRolledBack }) => {
  const faults: Array<Fault> = []
  /** Captured or held without having been closed before. */
  const taken = new Map<string, Of<"charge">>()
  const closed = new Set<string>()
  let lastAnswer = 0
  let judged = 0
  for (const entry of entries) {
    if (entry.kind === "answered") lastAnswer = entry.elapsed
    if (entry.kind === "charge") {
      if (entry.status === "declined" || entry.status === "expired" || entry.status === "canceled") {
        closed.add(entry.charge)
        taken.delete(entry.charge)
      } else if (!movesMoney(entry)) taken.delete(entry.charge)
      else if (!closed.has(entry.charge)) taken.set(entry.charge, entry)
    }
    // An operator gives back by hand what the word says was given back.
    if (entry.kind !== "committed" || entry.source === "operator") continue
    if (!entry.events.some(({ type }) => type === "payment.failed")) continue
    judged++
    const open = entry.after.attempts.filter(({ status }) => isInFlight(status))
    for (const { provider, seq, status } of open) {
      faults.push({ elapsed: entry.elapsed, text: `failed while attempt ${seq} at ${provider} is ${status}` })
    }
    for (const { charge, elapsed, operation } of taken.values()) {
      const isLost = isRolledBack && !entry.after.operations.some(({ id }) => id === operation)
      if (elapsed < lastAnswer && !isLost) {
        faults.push({ elapsed: entry.elapsed, text: `failed while ${charge} holds its money` })
      }
    }
  }
  return { judged, faults }
}

/** An idempotency key begins one payment, and a wanted refund is committed once. */
export const oneWinnerForEachKey: Invariant = ({ entries, isRolledBack, payment, records }) => {
  const begun = only(entries, "committed").filter(({ before }) => before === null)
  const refunds = new Set<OperationId>(
    records.flatMap(({ operations }) =>
      operations.filter(({ kind, purpose }) => kind === "refund" && purpose === "requested").map(({ id }) => id)
    )
  )
  const wanted = payment.actions.filter(({ kind }) => kind === "refund").length
  return {
    judged: begun.length,
    faults: [
      ...(begun.length > 1 && payment.key !== null && !isRolledBack
        ? [{ elapsed: begun[1]?.elapsed ?? null, text: `its key began ${begun.length} payments` }]
        : []),
      ...(refunds.size > wanted ? [{ elapsed: null, text: `${wanted} refunds were wanted, ${refunds.size} made` }] : [])
    ]
  }
}
