/** I6, I7, I8: what is committed before a send, and what is proven before another provider is tried. */
import { isInFlight } from "@paymux/core"
import type { OperationId } from "@paymux/core"
import { only, withLedger } from "./Law.ts"
import type { Fault, Law } from "./Law.ts"

/** No provider is called without the operation, in flight and under this very key, committed before. */
export const i6CommittedFirst: Law = ({ entries }) =>
  only(entries, "called").flatMap(({ call, committed, elapsed, key, provider }): ReadonlyArray<Fault> => {
    if (committed === null) return [{ elapsed, text: `${provider} was asked to ${call} before that was committed` }]
    if (committed.key !== key) return [{ elapsed, text: `${provider} was asked to ${call} under another key` }]
    const mayBeSent = committed.status === "sending" || (committed.status === "unknown" && call === committed.kind)
    return call === "inquire" || mayBeSent
      ? []
      : [{ elapsed, text: `${provider} was asked to ${call}, which is ${committed.status}` }]
  })

/** An operation keeps its key, and no two share one. */
export const keysAreTheirOwn: Law = ({ entries }) => {
  const keys = new Map<string, OperationId>()
  const operations = new Map<OperationId, string>()
  return only(entries, "called").flatMap(({ elapsed, key, operation, provider }) => {
    const owner = keys.get(key) ?? operation
    const own = operations.get(operation) ?? key
    keys.set(key, owner)
    operations.set(operation, own)
    return owner === operation && own === key
      ? []
      : [{ elapsed, text: `${provider} got key ${key} for ${operation}: it is ${owner}'s` }]
  })
}

/** What an adapter checkpointed is handed back with every later call: no second order after a crash. */
export const checkpointsAreKept: Law = ({ entries }) => {
  const left = new Map<OperationId, string>()
  return entries.flatMap((entry): ReadonlyArray<Fault> => {
    if (entry.kind === "checkpointed") left.set(entry.operation, entry.reference)
    if (entry.kind !== "called" || !left.has(entry.operation) || entry.reference !== null) return []
    return [{ elapsed: entry.elapsed, text: `${entry.provider} was asked to ${entry.call} without its checkpoint` }]
  })
}

/** One attempt in flight. */
export const i7OneInFlight: Law = ({ entries }) =>
  only(entries, "committed").flatMap(({ after, elapsed }) => {
    const open = after.attempts.filter(({ status }) => isInFlight(status))
    return open.length > 1 ? [{ elapsed, text: `${open.length} attempts are in flight` }] : []
  })

/** Attempt n + 1 only if attempt n is proven not captured, or declared final; and it never is captured afterwards. */
export const i8ProvenFirst: Law = ({ entries, plan }) => {
  const faults: Array<Fault> = []
  const left = new Set<OperationId>()
  withLedger(entries, (entry, charges) => {
    if (entry.kind === "charge" && left.has(entry.operation) && movesMoney(entry)) {
      faults.push({
        elapsed: entry.elapsed,
        text: `${entry.charge} is ${entry.status} after another provider was tried`
      })
    }
    if (entry.kind !== "committed" || entry.before === null) return
    const { after, before } = entry
    if (after.attempts.length === before.attempts.length) return
    for (const attempt of after.attempts.slice(0, -1)) {
      const provider = plan.providers.find(({ id }) => id === attempt.provider)
      const final = provider?.declineIsFinal === true && after.payment.method.rail !== "upi" && !attempt.actionShown
      if (attempt.status !== "not_executed" && !(attempt.status === "declined" && final)) {
        faults.push({ elapsed: entry.elapsed, text: `tried another while attempt ${attempt.seq} is ${attempt.status}` })
      }
    }
    for (const operation of before.operations) if (operation.kind === "create") left.add(operation.id)
    for (const charge of charges.values()) {
      if (left.has(charge.operation) && (movesMoney(charge) || charge.status === "waiting")) {
        faults.push({ elapsed: entry.elapsed, text: `tried another while ${charge.charge} is ${charge.status}` })
      }
    }
  })
  return faults
}

const movesMoney = ({ brokeItsWord, status }: { readonly brokeItsWord: boolean; readonly status: string }): boolean =>
  !brokeItsWord && (status === "captured" || status === "held")
