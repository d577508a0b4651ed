/** What is committed before a send, what is sent, and what may end it. */
import type { OperationId } from "@paymux/core"
import { each, unchecked } from "./Invariant.ts"
import type { Fault, Invariant } from "./Invariant.ts"

/** No provider is called without the operation, in flight and under this very key, committed before. */
export const committedBeforeSent: Invariant = (one) =>
  one.isRolledBack
    ? unchecked
    : each(one, "called", ({ call, committed, elapsed, key, provider }): ReadonlyArray<Fault> => {
        if (committed === null)
          return [{ elapsed, text: `${provider} was called to ${call} before that was committed` }]
        if (committed.key !== key) return [{ elapsed, text: `${provider} was called to ${call} under another key` }]
        const mayBeSent = committed.status === "sending" || (committed.status === "unknown" && call === committed.kind)
        return call === "inquire" || mayBeSent
          ? []
          : [{ elapsed, text: `${provider} was called to ${call}, which is ${committed.status}` }]
      })

/** An operation keeps its key, and no two share one. */
export const keysAreTheirOwn: Invariant = (one) => {
  const keys = new Map<string, OperationId>()
  const operations = new Map<OperationId, string>()
  return each(one, "called", ({ elapsed, key, operation, provider }) => {
    const owner = keys.get(key) ?? operation
    const own = operations.get(operation) ?? key
    keys.set(key, owner)
    operations.set(operation, own)
    return owner === operation && own === key
      ? []
      : [{ elapsed, text: `${provider} got key ${key} for ${operation}: it is the key of ${owner}` }]
  })
}

/** What an adapter checkpointed is handed back with every later call: no second order is made. */
export const checkpointsAreKept: Invariant = ({ entries, isRolledBack }) => {
  if (isRolledBack) return unchecked
  const left = new Map<OperationId, string>()
  let judged = 0
  const faults = entries.flatMap((entry): ReadonlyArray<Fault> => {
    if (entry.kind === "checkpointed") left.set(entry.operation, entry.reference)
    if ((entry.kind !== "called" && entry.kind !== "ordered") || !left.has(entry.operation)) return []
    judged++
    const { elapsed } = entry
    if (entry.kind === "ordered")
      return [{ elapsed, text: `${entry.reference} was made although one was checkpointed` }]
    return entry.reference === null
      ? [{ elapsed, text: `${entry.provider} was called to ${entry.call} without its checkpoint` }]
      : []
  })
  return { judged, faults }
}

/** A create asks for the payment's amount, every request for its operation's; and always in the payment's currency. */
export const amountsAreSentAsCommitted: Invariant = (one) =>
  each(one, "called", ({ amount, call, committed, elapsed, provider, record }) => {
    if (record === null || committed === null || call === "inquire") return []
    const { currency, minorUnits } = record.payment.amount
    const asked = call === "create" ? minorUnits : committed.minorUnits
    return amount.currency === currency && amount.minorUnits === asked
      ? []
      : [{ elapsed, text: `${provider} was called to ${call} ${amount.minorUnits} ${amount.currency}, not ${asked}` }]
  })

/** A capture, cancel or refund goes to the provider of its own attempt, and names the charge of that attempt. */
export const followUpsNameTheirCharge: Invariant = (one) =>
  each(one, "called", ({ call, committed, elapsed, originalKey, provider, record }) => {
    if (record === null || committed === null || committed.kind === "create") return []
    const { attemptSeq, kind } = committed
    const attempt = record.attempts.find(({ seq }) => seq === attemptSeq)
    const create = record.operations.find((each) => each.attemptSeq === attemptSeq && each.kind === "create")
    return attempt?.provider === provider && create?.key === originalKey
      ? []
      : [{ elapsed, text: `${provider} was called to ${call} a ${kind} of attempt ${attemptSeq} at another charge` }]
  })

/** No operation is committed under the id or the key of another one. */
export const operationsAreDistinct: Invariant = (one) =>
  each(one, "committed", ({ after: { operations }, elapsed }) => {
    const isDistinct = (name: "id" | "key") => new Set(operations.map((each) => each[name])).size === operations.length
    return isDistinct("id") && isDistinct("key")
      ? []
      : [{ elapsed, text: "two operations of the payment have one id or one key" }]
  })

/** The executor belongs to the engine: only a deadline, or the end of its engine, cuts a send short. */
export const sendsAreCarriedThrough: Invariant = (one) => ({
  judged: one.entries.filter(({ kind }) => kind === "called").length,
  faults: each(one, "abandoned", ({ after, call, elapsed, provider }) => {
    const isCut = call !== "inquire" && after < SHORTEST_DEADLINE
    return !isCut || one.endings.some(({ from, to }) => elapsed >= from && elapsed <= to)
      ? []
      : [{ elapsed, text: `the ${call} at ${provider} was abandoned after ${after} ms` }]
  }).faults
})

/** No send starts with less than 5 s left of its attempt; an adapter may have used some of it. */
const SHORTEST_DEADLINE = 4_500
