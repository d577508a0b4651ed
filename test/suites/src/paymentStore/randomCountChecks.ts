import type { Flow, PaymentMethod, PaymentRecord } from "@paymux/core"
import { isInFlight, PaymentStore } from "@paymux/core/store"
import type { Attempt, AttemptCount, AttemptCountBy, AttemptCountQuery } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aCard } from "./records.ts"
import { beginAll, byNothing, oddKeys, randomRecord, range, sequence } from "./routingSamples.ts"

/** Random payments, against a plain count of them. */
export const randomCountChecks = (check: StoreCheck): void => {
  check(
    "first attempts that ended in a range of time are grouped by slot of start, duration, segment, status, code and the requested columns",
    Effect.gen(function* () {
      const { attemptCounts } = yield* PaymentStore
      const records = range(1, 400).map(randomRecord(sequence(7)))
      yield* beginAll(records)
      for (const time of times) {
        for (const by of everyBy) {
          const query = { ...time, by }
          const isCounted = ({ endedAt, status }: Attempt) =>
            !isInFlight(status) && endedAt !== null && isWithin(query, endedAt)
          const expected = records.flatMap((record) =>
            groupOf(record, query, (first) =>
              isCounted(first) ? { status: first.status, code: first.code, durationMs: durationOf(first) } : null
            )
          )
          assert.deepStrictEqual(totals(yield* attemptCounts(query)), totals(expected), JSON.stringify(query))
        }
      }
    })
  )

  check(
    "first attempts that are open, or were at the end of a range of time, are grouped by slot of start, segment, status and the requested columns",
    Effect.gen(function* () {
      const { openAttemptCounts } = yield* PaymentStore
      const records = range(1, 400).map(randomRecord(sequence(13)))
      yield* beginAll(records)
      for (const time of times) {
        for (const by of everyBy) {
          const query = { ...time, by }
          const wasOpen = (endedAt: number | null) =>
            query.before !== undefined && endedAt !== null && endedAt >= query.before
          const expected = records.flatMap((record) =>
            groupOf(record, query, ({ code, endedAt, startedAt, status }) => {
              if (!isWithin(query, startedAt)) return null
              if (isInFlight(status)) return { status, code, durationMs: null }
              return wasOpen(endedAt) ? { status: "pending", code: null, durationMs: null } : null
            })
          )
          assert.deepStrictEqual(totals(yield* openAttemptCounts(query)), totals(expected), JSON.stringify(query))
        }
      }
    })
  )
}

const everyBy: ReadonlyArray<AttemptCountBy> = [
  byNothing,
  { ...byNothing, account: true },
  { ...byNothing, rule: true },
  { ...byNothing, amount: true },
  { ...byNothing, metadata: ["shop", "order", "absent"] },
  { account: true, rule: true, amount: true, metadata: oddKeys }
]

const times: ReadonlyArray<Omit<AttemptCountQuery, "by">> = [
  { since: 0, slotMs: 1_000 },
  { since: 12_000, slotMs: 4_000 },
  { since: 8_000, before: 12_000, slotMs: 2_000 },
  { since: 20_000, before: 100_000, slotMs: 60_000 },
  { since: 0, before: 30_000, slotMs: 7 },
  { since: 9_000_000, slotMs: 60_000 }
]

const isWithin = ({ before = Infinity, since }: Pick<AttemptCountQuery, "before" | "since">, time: number): boolean =>
  time >= since && time < before

/** The first attempt of a payment as a count of one, or none. */
const groupOf = (
  { attempts, payment: { account, amount, metadata, method, routing } }: PaymentRecord,
  { by, slotMs }: AttemptCountQuery,
  countedAs: (first: Attempt) => Pick<AttemptCount, "code" | "durationMs" | "status"> | null
): ReadonlyArray<AttemptCount> => {
  const [first] = attempts
  const counted = first === undefined ? null : countedAs(first)
  if (first === undefined || counted === null) return []
  const card = method.rail === "card" ? method : aCard()
  return [
    {
      slot: Math.floor(first.startedAt / slotMs) * slotMs,
      provider: first.provider,
      rail: method.rail,
      flow: flowOf(method),
      currency: amount.currency,
      network: method.rail === "stablecoin" ? method.network : card.network,
      country: card.country,
      funding: card.funding,
      issuer: method.rail === "upi" ? handleOf(method.vpa ?? "") : card.bin,
      account: by.account ? account : null,
      rule: by.rule ? routing.rule : null,
      amountDigits: by.amount ? Math.floor(Math.log10(amount.minorUnits)) + 1 : null,
      metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => by.metadata.includes(key))),
      ...counted,
      count: 1
    }
  ]
}

const flowOf = (method: PaymentMethod): Flow => {
  if (method.rail === "upi") return method.flow
  if (method.rail === "stablecoin") return "transfer"
  return method.token !== null || Object.keys(method.tokens).length > 0 ? "token" : "hosted"
}

const handleOf = (vpa: string): string | null => {
  const [, ...parts] = vpa.split("@")
  return parts.length === 0 ? null : parts.join("@")
}

const durationOf = ({ endedAt, startedAt }: Attempt): number => {
  const seconds = Math.max(0, ((endedAt ?? 0) - startedAt) / 1_000)
  if (seconds < 60) return Math.floor(seconds) * 1_000
  return seconds < 600 ? Math.floor(seconds / 10) * 10_000 : Math.floor(seconds / 60) * 60_000
}

/** The size of each group, over all of its rows. */
const totals = (counts: ReadonlyArray<AttemptCount>): ReadonlyArray<readonly [string, number]> => {
  const found = new Map<string, number>()
  for (const { count, metadata, ...group } of counts) {
    const key = JSON.stringify([Object.entries(group).toSorted(byName), Object.entries(metadata).toSorted(byName)])
    found.set(key, (found.get(key) ?? 0) + count)
  }
  return [...found].toSorted(byName)
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : Number(a > b)
