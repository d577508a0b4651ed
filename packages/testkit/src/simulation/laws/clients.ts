/** I2, I3, I11 and I14: what clients were promised; and that none of them can end a send. */
import { CANARY } from "../SimulatedProvider.ts"
import { only } from "./Law.ts"
import type { Fault, Law } from "./Law.ts"

const answers: (one: Parameters<Law>[0]) => ReadonlyArray<{
  readonly elapsed: number
  readonly request: string
  readonly name: string | null
  readonly payment: string
  readonly body: string
}> = ({ entries }) =>
  only(entries, "client").flatMap(({ answer, call, elapsed, key, request }) =>
    answer._tag === "Ok"
      ? [{ elapsed, request, name: key === null ? null : `${call} ${key}`, payment: answer.payment, body: answer.body }]
      : []
  )

/** What was acknowledged is there at the end: payments, and each refund. */
export const i2Durable: Law = (one) => {
  const gone = answers(one)
    .filter(({ payment }) => !one.records.some((record) => record.payment.id === payment))
    .map(({ elapsed, payment }) => ({ elapsed, text: `${payment} was acknowledged and is gone` }))
  const told = only(one.entries, "client").filter(
    ({ answer, call }) => call === "refund" && answer._tag === "Ok" && !answer.replayed
  ).length
  const made = refundsOf(one.records).length
  return told > made ? [...gone, { elapsed: null, text: `${told} refunds were acknowledged, ${made} are there` }] : gone
}

const refundsOf = (records: Parameters<Law>[0]["records"]) =>
  records.flatMap(({ operations }) =>
    operations.filter(({ kind, purpose }) => kind === "refund" && purpose === "requested")
  )

/** The same key answers the same bytes. */
export const i3SameBytes: Law = (one) => {
  const first = new Map<string, string>()
  return answers(one).flatMap(({ body, elapsed, name, request }) => {
    if (name === null) return []
    const bytes = first.get(name) ?? body
    first.set(name, bytes)
    return bytes === body ? [] : [{ elapsed, text: `${request} (${name}) got other bytes than the first answer` }]
  })
}

/** One winner for each key: one payment, and for each wish at most one operation. */
export const i11OneWinner: Law = ({ entries, payment, records }) => {
  const begun = only(entries, "committed").filter(({ before }) => before === null)
  const faults: Array<Fault> =
    begun.length > 1 && payment.key !== null
      ? [{ elapsed: begun[1]?.elapsed ?? null, text: `its key began ${begun.length} payments` }]
      : []
  const wishes = payment.wishes.filter(({ kind }) => kind === "refund").length
  const refunds = refundsOf(records).length
  return refunds > wishes
    ? [...faults, { elapsed: null, text: `${wishes} refunds were wanted, ${refunds} made` }]
    : faults
}

/** No secret of a provider in anything written or answered. */
export const i14NoSecret: Law = ({ entries, records }) =>
  [
    JSON.stringify(records),
    ...only(entries, "client").map(({ answer }) => JSON.stringify(answer)),
    ...only(entries, "committed").map(({ event }) => event?.payment ?? "")
  ].some((text) => text.includes(CANARY))
    ? [{ elapsed: null, text: "a provider's secret was written or answered" }]
    : []

/** The executor belongs to the engine: only a deadline, or the end of its engine, cuts a send short. */
export const sendsAreCarriedThrough: Law = ({ endings, entries }) =>
  only(entries, "let_go")
    .filter(({ after, call }) => call !== "inquire" && after < SHORTEST_DEADLINE)
    .filter(({ elapsed }) => !endings.some(({ from, to }) => elapsed >= from && elapsed <= to))
    .map(({ after, call, elapsed, provider }) => ({
      elapsed,
      text: `the ${call} at ${provider} was let go after ${after} ms`
    }))

/** No send starts with less than 5 s left of its attempt; an adapter may have used some of it. */
const SHORTEST_DEADLINE = 4_500
