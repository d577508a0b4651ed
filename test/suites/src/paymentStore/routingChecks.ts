import type { PaymentId, PaymentMethod, PaymentRecord, Tenant } from "@paymux/core"
import { failureCodes, isInFlight, PaymentStore } from "@paymux/core/store"
import type {
  Attempt,
  AttemptCount,
  AttemptCountQuery,
  OutcomeStatus,
  RoutedPayment,
  RoutedQuery
} from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aRecord, anAttempt, anOperation, currency, ended, tenant } from "./records.ts"

export const routingChecks = (check: StoreCheck): void => {
  check(
    "first attempts are counted by slot, provider, rail, currency, network, country, issuer, status and code, over all accounts",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const records = range(1, 400).map(randomRecord(sequence(7)))
      yield* beginAll(records)
      for (const query of [
        { since: 0, slotMs: 1_000 },
        { since: 12_000, slotMs: 1_000 },
        { since: 12_000, slotMs: 4_000 },
        { since: 8_000, before: 12_000, slotMs: 2_000 },
        { since: 60_000, slotMs: 60_000 }
      ]) {
        const expected = endedSince(records, query)
        const counts = yield* store.attemptCounts(query)
        for (const group of [...counts, ...expected]) {
          const same = (other: Group) => isSameGroup(group, other)
          assert.strictEqual(total(counts.filter(same)), expected.filter(same).length, JSON.stringify(group))
        }
      }
    })
  )

  check(
    "an attempt that ends at the boundary of two slots is in the later one; `since` is inclusive, `before` is not",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* beginAll([29_999, 30_000, 59_999, 60_000].map((endedAt, index) => endedAtOnce(index + 1, endedAt)))
      const slots = (query: AttemptCountQuery) =>
        Effect.map(store.attemptCounts(query), (counts) =>
          counts.map(({ count, slot }) => [slot, count]).sort(([a = 0], [b = 0]) => a - b)
        )
      assert.deepStrictEqual(yield* slots({ since: 30_000, slotMs: 30_000 }), [
        [30_000, 2],
        [60_000, 1]
      ])
      assert.deepStrictEqual(yield* slots({ since: 60_000, slotMs: 60_000 }), [[60_000, 1]])
      assert.deepStrictEqual(yield* slots({ since: 0, before: 60_000, slotMs: 30_000 }), [
        [0, 1],
        [30_000, 2]
      ])
      assert.deepStrictEqual(yield* slots({ since: 60_001, slotMs: 1 }), [])
    })
  )

  check(
    "an attempt that followed another is not counted, whenever the first ended",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const failedOver = (n: number, first: Partial<Attempt>): PaymentRecord => ({
        ...aRecord(n),
        attempts: [anAttempt(1, first), anAttempt(2, { provider: "other", status: "succeeded", endedAt: 5_000 })]
      })
      yield* beginAll([
        failedOver(1, { status: "declined", code: "do_not_honor", endedAt: 4_000 }),
        failedOver(2, { status: "unknown", endedAt: null })
      ])
      const counts = yield* store.attemptCounts({ since: 0, slotMs: 1_000 })
      assert.deepStrictEqual(
        counts.map(({ count, provider, slot }) => ({ count, provider, slot })),
        [{ count: 1, provider: "acme", slot: 4_000 }]
      )
    })
  )

  check(
    "an attempt is counted from the commit that ends it, and not while money may still be on its way",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const query = { since: 0, slotMs: 1_000 }
      const open: ReadonlyArray<OutcomeStatus> = ["sending", "pending", "unknown"]
      yield* beginAll(open.map((status, index) => endedAtOnce(index + 1, 2_000, { status })))
      const before = aRecord(9)
      yield* beginAll([before])
      assert.deepStrictEqual(yield* store.attemptCounts(query), [])
      const after = ended(before, "succeeded")
      yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
      assert.deepStrictEqual(yield* store.attemptCounts(query), [
        {
          slot: 2_000,
          provider: "acme",
          rail: "upi",
          currency: "INR",
          network: null,
          country: null,
          issuer: null,
          status: "succeeded",
          code: null,
          count: 1
        }
      ])
    })
  )

  check(
    "first attempts whose outcome is unknown are counted by when they were started, until it is known",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const started = (n: number, startedAt: number, status: OutcomeStatus): PaymentRecord => ({
        ...aRecord(n),
        attempts: [anAttempt(1, { startedAt, status, endedAt: null })]
      })
      const settled = started(1, 3_500, "unknown")
      yield* beginAll([
        settled,
        started(2, 3_999, "unknown"),
        started(3, 4_000, "unknown"),
        started(4, 2_999, "unknown"),
        started(5, 9_000, "unknown"),
        started(6, 4_000, "pending"),
        started(7, 4_000, "sending")
      ])
      const counts = Effect.map(store.unknownAttemptCounts({ since: 3_000, before: 9_000, slotMs: 1_000 }), (rows) =>
        rows
          .map(({ count, provider, slot, status }) => ({ count, provider, slot, status }))
          .toSorted((a, b) => a.slot - b.slot)
      )
      const unknown = { provider: "acme", status: "unknown" }
      assert.deepStrictEqual(yield* counts, [
        { count: 2, ...unknown, slot: 3_000 },
        { count: 1, ...unknown, slot: 4_000 }
      ])
      const after = ended(settled, "succeeded")
      yield* store.advance({ before: settled, after, events: [], evidence: null, binding: null, answer: null })
      assert.deepStrictEqual(yield* counts, [
        { count: 1, ...unknown, slot: 3_000 },
        { count: 1, ...unknown, slot: 4_000 }
      ])
      yield* beginAll([
        {
          ...aRecord(8),
          attempts: [
            anAttempt(1, { status: "not_executed", endedAt: 3_000 }),
            anAttempt(2, { status: "unknown", startedAt: 3_000, endedAt: null })
          ]
        }
      ])
      assert.lengthOf(yield* counts, 2, "an attempt that followed another is not counted")
    })
  )

  check(
    "pages of routed payments show each of the tenant's once, oldest first, in the time asked for, with its attempts",
    Effect.gen(function* () {
      const records = range(1, 300).map(randomRecord(sequence(11)))
      yield* beginAll(records)
      const everything = { createdFrom: 0, createdBefore: Number.MAX_SAFE_INTEGER }
      // The time at which each of these begins is one of a payment's.
      const times = [
        everything,
        ...range(1_100, 1_110).map((from) => ({ createdFrom: from, createdBefore: from + 100 }))
      ]
      for (const own of tenants) {
        for (const time of times) {
          for (const limit of [1_000, 7]) {
            assert.deepStrictEqual(
              yield* everyPage(own, { ...time, limit }),
              records.filter((record) => isRouted(own, time, record)).map(toRouted)
            )
          }
        }
      }
    })
  )
}

const everyPage = Effect.fnUntraced(function* (own: Tenant, query: Omit<RoutedQuery, "after">) {
  const store = yield* PaymentStore
  const seen: Array<RoutedPayment> = []
  let after: PaymentId | null = null
  while (true) {
    const page: ReadonlyArray<RoutedPayment> = yield* store.routed(own, { ...query, after })
    assert.isAtMost(page.length, query.limit)
    seen.push(...page)
    const last = page.at(-1)
    if (last === undefined) return seen
    after = last.payment.id
  }
})

const toRouted = ({ attempts, payment }: PaymentRecord): RoutedPayment => ({ payment, attempts })

const isRouted = (
  own: Tenant,
  { createdBefore, createdFrom }: Pick<RoutedQuery, "createdFrom" | "createdBefore">,
  { payment }: PaymentRecord
): boolean =>
  payment.account === own.account &&
  payment.livemode === own.livemode &&
  payment.createdAt >= createdFrom &&
  payment.createdAt < createdBefore

const beginAll = Effect.fnUntraced(function* (records: ReadonlyArray<PaymentRecord>) {
  const store = yield* PaymentStore
  yield* Effect.forEach(records, (record) => store.begin({ record, binding: null }), {
    concurrency: "unbounded",
    discard: true
  })
})

type Group = Omit<AttemptCount, "count">

const endedSince = (records: ReadonlyArray<PaymentRecord>, { before = Infinity, since, slotMs }: AttemptCountQuery) =>
  records.flatMap(({ attempts, payment: { amount, method } }) =>
    attempts.flatMap(({ code, endedAt, provider, seq, status }): ReadonlyArray<Group> => {
      if (seq !== 1 || endedAt === null || endedAt < since || endedAt >= before || isInFlight(status)) return []
      const { country, network } = method.rail === "card" ? method : { country: null, network: null }
      const slot = Math.floor(endedAt / slotMs) * slotMs
      return [
        {
          slot,
          provider,
          rail: method.rail,
          currency: amount.currency,
          network,
          country,
          issuer: issuerOf(method),
          status,
          code
        }
      ]
    })
  )

const issuerOf = (method: PaymentMethod): string | null => {
  if (method.rail === "card") return method.bin
  const [, handle = null] = method.rail === "upi" ? (method.vpa ?? "").split("@") : []
  return handle
}

const isSameGroup = (a: Group, b: Group): boolean =>
  a.slot === b.slot &&
  a.provider === b.provider &&
  a.rail === b.rail &&
  a.currency === b.currency &&
  a.network === b.network &&
  a.country === b.country &&
  a.issuer === b.issuer &&
  a.status === b.status &&
  a.code === b.code

const total = (counts: ReadonlyArray<AttemptCount>): number => counts.reduce((sum, { count }) => sum + count, 0)

const endedAtOnce = (n: number, endedAt: number, change: Partial<Attempt> = {}): PaymentRecord => ({
  ...aRecord(n),
  attempts: [anAttempt(1, { status: "declined", code: "do_not_honor", endedAt, ...change })]
})

/** One to three attempts in slots that they share, some still open, in either mode of two accounts. */
const randomRecord =
  (below: (limit: number) => number) =>
  (n: number): PaymentRecord => {
    const one = <A>(values: readonly [A, ...ReadonlyArray<A>]): A => values[below(values.length)] ?? values[0]
    const { payment } = aRecord(n, {
      ...one(tenants),
      method: one(methods),
      amount: { minorUnits: n, currency: currency(one(["INR", "USD"])) },
      createdAt: 1_000 + n - below(20)
    })
    const attempts = range(1, 1 + below(3)).map((seq, index, all) => {
      const status = one(index === all.length - 1 ? statuses : closed)
      return anAttempt(seq, {
        provider: one(["acme", "other", "third"]),
        status,
        code: status === "declined" || status === "not_executed" ? one(codes) : null,
        endedAt: isInFlight(status) ? null : below(90) * 250
      })
    })
    return { payment, attempts, operations: [anOperation(n, 1)], entries: [] }
  }

const tenants: readonly [Tenant, ...ReadonlyArray<Tenant>] = [
  tenant,
  { ...tenant, livemode: true },
  { ...tenant, account: "merchant 2" }
]

const card = {
  rail: "card",
  token: null,
  tokens: { acme: { network: "not the card's", odd: "\u0000\ud800" } },
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
} as const

const methods: readonly [PaymentMethod, ...ReadonlyArray<PaymentMethod>] = [
  { rail: "upi", flow: "intent", vpa: null },
  { rail: "upi", flow: "collect", vpa: "asha@upi" },
  { rail: "upi", flow: "collect", vpa: "asha@okbank" },
  { rail: "upi", flow: "collect", vpa: "without a handle" },
  { rail: "stablecoin", asset: "USDC", network: "base" },
  card,
  { ...card, network: "visa" },
  { ...card, network: "visa", country: "IN", bin: "411111" },
  { ...card, network: "visa", country: "IN", bin: "41111199" },
  { ...card, country: "IN" },
  { ...card, network: 'quo"te \u0000\u001a茶' }
]

const closed: readonly [OutcomeStatus, ...ReadonlyArray<OutcomeStatus>] = [
  "declined",
  "not_executed",
  "expired",
  "canceled"
]
const statuses: readonly [OutcomeStatus, ...ReadonlyArray<OutcomeStatus>] = [
  ...closed,
  "succeeded",
  "authorized",
  "sending",
  "pending",
  "unknown"
]
const codes: readonly [(typeof failureCodes)[number], ...ReadonlyArray<(typeof failureCodes)[number]>] = [
  "do_not_honor",
  ...failureCodes.slice(-4)
]

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Whole numbers below a limit, the same in every run. */
const sequence = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
