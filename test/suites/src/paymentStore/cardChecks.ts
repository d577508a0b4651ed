import type { PaymentMethod, PaymentRecord, PaymentState, Tenant } from "@paymux/core"
import { failure, PaymentStore } from "@paymux/core/store"
import type { Attempt, CardDecline, CardDeclineQuery, FailureCode, OutcomeStatus } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aCard, aRecord, anAttempt, anOperation, nextVersion, paymentId, tenant } from "./records.ts"
import { byNothing } from "./routingSamples.ts"

export const cardChecks = (check: StoreCheck): void => {
  check(
    "the declines of a card are listed for one account and mode, the latest first, from `since` on, at most `limit`",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const records = randomRecords(400)
      yield* beginAll(records)
      let reported = 0
      for (const own of tenants) {
        for (const fingerprint of [...words, "fp_unknown", ""]) {
          for (const query of [
            { fingerprint, since: 0, limit: 1_000 },
            { fingerprint, since: 500, limit: 1_000 },
            { fingerprint, since: 0, limit: 2 },
            { fingerprint, since: 0, limit: 0 }
          ]) {
            const expected = declinesIn(records, own, query)
            assert.deepStrictEqual(yield* store.cardDeclines(own, query), expected, JSON.stringify(query))
            reported += expected.length
          }
        }
      }
      assert.isAbove(reported, 100)
    })
  )

  check(
    "of declines of a card, `since` is inclusive, and the limit leaves out the oldest",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const ends = [29_999, 30_000, 30_001]
      yield* beginAll(ends.map((endedAt, index) => aDecline(index + 1, { endedAt })))
      const times = (query: Omit<CardDeclineQuery, "fingerprint">) =>
        Effect.map(store.cardDeclines(tenant, { fingerprint: "fp_1", ...query }), (declines) =>
          declines.map(({ endedAt }) => endedAt)
        )
      assert.deepStrictEqual(yield* times({ since: 30_000, limit: 9 }), [30_001, 30_000])
      assert.deepStrictEqual(yield* times({ since: 0, limit: 2 }), [30_001, 30_000])
      assert.deepStrictEqual(yield* times({ since: 30_002, limit: 9 }), [])
    })
  )

  check(
    "a decline is final where its payment failed for the same reason and said that it cannot be retried",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const ofState = (state: PaymentState, index: number) => {
        const record = aDecline(index + 1, { code: "lost_or_stolen", endedAt: 9_000 - index })
        return { ...record, payment: { ...record.payment, state } }
      }
      const states: ReadonlyArray<readonly [PaymentState, boolean]> = [
        [{ status: "failed", failure: failure("lost_or_stolen", false) }, true],
        [{ status: "failed", failure: failure("lost_or_stolen", true) }, false],
        [{ status: "failed", failure: failure("expired_card", false) }, false],
        [{ status: "succeeded", late: false }, false],
        [{ status: "pending", reason: "processing", nextAction: null }, false],
        [{ status: "canceled" }, false]
      ]
      yield* beginAll(states.map(([state], index) => ofState(state, index)))
      const declines = yield* store.cardDeclines(tenant, { fingerprint: "fp_1", since: 0, limit: 9 })
      assert.deepStrictEqual(
        declines.map(({ isFinal }) => isFinal),
        states.map(([, isFinal]) => isFinal)
      )
    })
  )

  check(
    "a decline of a card is listed from the commit that makes it, and no longer once its attempt was paid late",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const query = { fingerprint: "fp_1", since: 0, limit: 9 }
      const open = aDecline(1, { status: "sending", code: null, endedAt: null })
      yield* beginAll([open])
      assert.deepStrictEqual(yield* store.cardDeclines(tenant, query), [])
      const attempt = anAttempt(1, { status: "declined", code: "do_not_honor", endedAt: 9_000 })
      const failed = nextVersion(
        { ...open, attempts: [attempt] },
        { state: { status: "failed", failure: failure("do_not_honor", false) } }
      )
      yield* advance(open, failed)
      assert.deepStrictEqual(yield* store.cardDeclines(tenant, query), [
        { code: "do_not_honor", isFinal: true, endedAt: 9_000 }
      ])
      const late: Attempt = { ...attempt, status: "succeeded", code: null, late: true }
      yield* advance(
        failed,
        nextVersion({ ...failed, attempts: [late] }, { state: { status: "succeeded", late: true } })
      )
      assert.deepStrictEqual(yield* store.cardDeclines(tenant, query), [])
    })
  )

  check(
    "a payment is kept and its attempt counted, however the tokens of its card are written and nested",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const records = [{ "odd \u0000": "\ud800" }, { nested: nested(2_000) }].map((token, index) =>
        aDecline(index + 1, {}, aCard({ fingerprint: "fp_1", tokens: { acme: token } }))
      )
      yield* beginAll(records)
      for (const [index, record] of records.entries()) {
        assert.deepStrictEqual((yield* store.get(paymentId(index + 1)))?.payment.method, record.payment.method)
      }
      const counts = yield* store.attemptCounts({ since: 0, slotMs: 1_000, by: byNothing })
      assert.strictEqual(
        counts.reduce((sum, { count }) => sum + count, 0),
        records.length
      )
    })
  )
}

const beginAll = Effect.fnUntraced(function* (records: ReadonlyArray<PaymentRecord>) {
  const store = yield* PaymentStore
  yield* Effect.forEach(records, (record) => store.begin({ record, binding: null }), {
    concurrency: "unbounded",
    discard: true
  })
})

const advance = Effect.fnUntraced(function* (before: PaymentRecord, after: PaymentRecord) {
  const store = yield* PaymentStore
  const done = yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
  assert.strictEqual(done._tag, "Advanced")
})

const declinesIn = (
  records: ReadonlyArray<PaymentRecord>,
  own: Tenant,
  { fingerprint, limit, since }: CardDeclineQuery
): ReadonlyArray<CardDecline> =>
  records
    .filter(
      ({ payment: { account, livemode, method } }) =>
        account === own.account &&
        livemode === own.livemode &&
        method.rail === "card" &&
        method.fingerprint === fingerprint
    )
    .flatMap(({ attempts, payment: { state } }) =>
      attempts.flatMap(({ code, endedAt, status }) =>
        status === "declined" && code !== null && endedAt !== null && endedAt >= since
          ? [{ code, isFinal: isFinal(state, code), endedAt }]
          : []
      )
    )
    .sort((a, b) => b.endedAt - a.endedAt)
    .slice(0, limit)

const isFinal = (state: PaymentState, code: FailureCode): boolean =>
  state.status === "failed" && state.failure.code === code && !state.failure.retryable

const aDecline = (
  n: number,
  change: Partial<Attempt>,
  method: PaymentMethod = aCard({ fingerprint: "fp_1" })
): PaymentRecord => ({
  ...aRecord(n, { method }),
  attempts: [anAttempt(1, { status: "declined", code: "do_not_honor", endedAt: 9_000, ...change })]
})

const nested = (depth: number): unknown => (depth === 0 ? null : [nested(depth - 1)])

/** Words that an index, JSON or a database could take for each other, or not hold. */
const words = [
  "fp_1",
  "FP_1",
  "fp_1 ",
  "null",
  '"fp_1"',
  'quo"te \u0000',
  'quo"te \\u0000',
  "\u0000",
  "\\u0000",
  "\\\u0000",
  "/u0000",
  "\ud800",
  "\u001ad800",
  "\u001a001ad800",
  "Zoë 茶",
  "x".repeat(128)
]

const oddTokens = { fingerprint: "fp_1", odd: { "\u0000": "\\\ud800" } }

const methods: ReadonlyArray<PaymentMethod> = [
  ...words.map((fingerprint) => aCard({ fingerprint })),
  ...words.map((fingerprint) => aCard({ fingerprint, tokens: oddTokens })),
  aCard({ tokens: { acme: { fingerprint: "fp_1" }, fingerprint: "fp_1" }, network: "fp_1" }),
  aCard(),
  { rail: "upi", flow: "collect", vpa: "fp_1" },
  { rail: "stablecoin", asset: "fp_1", network: '"fingerprint":"fp_1"' }
]

const tenants: ReadonlyArray<Tenant> = [tenant, { ...tenant, livemode: true }, { ...tenant, account: "merchant 2" }]

const codes: ReadonlyArray<FailureCode> = ["do_not_honor", "lost_or_stolen", "provider_unavailable"]

const states: ReadonlyArray<PaymentState> = [
  ...codes.flatMap((code): ReadonlyArray<PaymentState> => [
    { status: "failed", failure: failure(code, false) },
    { status: "failed", failure: failure(code, true) }
  ]),
  { status: "succeeded", late: true },
  { status: "pending", reason: "outcome_unknown", nextAction: null }
]

const statuses: ReadonlyArray<OutcomeStatus> = [
  "declined",
  "declined",
  "declined",
  "not_executed",
  "expired",
  "succeeded"
]

/** One to three attempts each; no two of all end at the same time. */
const randomRecords = (count: number): ReadonlyArray<PaymentRecord> => {
  const below = sequence(13)
  const one = <A>(values: ReadonlyArray<A>, otherwise: A): A => values[below(values.length)] ?? otherwise
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1
    const { payment } = aRecord(n, {
      ...one(tenants, tenant),
      method: one(methods, aCard()),
      state: one(states, { status: "canceled" })
    })
    const attempts = Array.from({ length: 1 + below(3) }, (_, before) =>
      anAttempt(before + 1, {
        status: one(statuses, "declined"),
        code: below(5) === 0 ? null : one(codes, "do_not_honor"),
        // Three ends for each payment, scattered by a number that has no factor with all of them.
        endedAt: ((3 * index + before) * 1_009) % (3 * count)
      })
    )
    return { payment, attempts, operations: [anOperation(n, 1)], entries: [] }
  })
}

/** Whole numbers below a limit, the same in every run. */
const sequence = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
