import type { Flow, PaymentMethod, PaymentRecord } from "@paymux/core"
import { longestOpen, PaymentStore } from "@paymux/core/store"
import type { Attempt, AttemptCount, AttemptCountQuery, OutcomeStatus } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aCard, aRecord, anAttempt, ended, nextVersion } from "./records.ts"
import { beginAll, byNothing, oddKeys } from "./routingSamples.ts"

export const attemptCountChecks = (check: StoreCheck): void => {
  check(
    "of the end of an attempt, `since` is inclusive and `before` is not; its slot is that of its start",
    Effect.gen(function* () {
      const { attemptCounts } = yield* PaymentStore
      yield* beginAll(
        [
          [29_999, 29_999],
          [29_999, 30_000],
          [30_000, 59_999],
          [59_999, 60_000]
        ].map(([startedAt = 0, endedAt = 0], index) => attempted(index + 1, { startedAt, endedAt }))
      )
      const slots = slotsOf(attemptCounts)
      assert.deepStrictEqual(yield* slots({ since: 30_000, slotMs: 30_000 }), [
        [0, 1],
        [30_000, 2]
      ])
      assert.deepStrictEqual(yield* slots({ since: 60_000, slotMs: 30_000 }), [[30_000, 1]])
      assert.deepStrictEqual(yield* slots({ since: 30_000, before: 60_000, slotMs: 10_000 }), [
        [20_000, 1],
        [30_000, 1]
      ])
      assert.deepStrictEqual(yield* slots({ since: 60_001, slotMs: 1 }), [])
    })
  )

  check(
    "a duration is rounded down, to the second below a minute, to ten seconds below ten minutes, else to the minute",
    Effect.gen(function* () {
      const { attemptCounts } = yield* PaymentStore
      const rounded = new Map([
        [-100_000, 0],
        [-1, 0],
        [0, 0],
        [999, 0],
        [1_000, 1_000],
        [59_999, 59_000],
        [60_000, 60_000],
        [69_999, 60_000],
        [70_000, 70_000],
        [599_999, 590_000],
        [600_000, 600_000],
        [659_999, 600_000],
        [660_000, 660_000],
        [1_000_000_000_000, 999_999_960_000]
      ])
      const startedAt = 500_000
      yield* beginAll(
        [...rounded.keys()].map((duration, index) =>
          attempted(index + 1, { provider: `lasted ${duration}`, startedAt, endedAt: startedAt + duration })
        )
      )
      const counts = yield* attemptCounts({ since: 0, slotMs: 1_000, by: byNothing })
      assert.deepStrictEqual(
        Object.fromEntries(counts.map(({ durationMs, provider }) => [provider, durationMs])),
        Object.fromEntries([...rounded].map(([duration, durationMs]) => [`lasted ${duration}`, durationMs]))
      )
    })
  )

  check(
    "an attempt that followed another is not counted, whenever the first ended",
    Effect.gen(function* () {
      const { attemptCounts, openAttemptCounts } = yield* PaymentStore
      const failedOver = (n: number, first: Partial<Attempt>, second: Partial<Attempt>): PaymentRecord => ({
        ...aRecord(n),
        attempts: [anAttempt(1, first), anAttempt(2, { provider: "other", startedAt: 4_500, ...second })]
      })
      const declined = { status: "declined", code: "do_not_honor", endedAt: 4_000 } as const
      yield* beginAll([
        failedOver(1, declined, { status: "succeeded", endedAt: 5_000 }),
        failedOver(2, { status: "unknown" }, { status: "succeeded", endedAt: 5_000 }),
        failedOver(3, declined, { status: "unknown" })
      ])
      const query = { since: 0, slotMs: 1_000, by: byNothing }
      const seen = (counts: ReadonlyArray<AttemptCount>) =>
        counts.map(({ count, provider, status }) => ({ count, provider, status }))
      assert.deepStrictEqual(seen(yield* attemptCounts(query)), [{ count: 2, provider: "acme", status: "declined" }])
      const open = { count: 1, provider: "acme", status: "unknown" as const }
      assert.deepStrictEqual(seen(yield* openAttemptCounts(query)), [open])
      assert.deepStrictEqual(seen(yield* openAttemptCounts({ ...query, before: 4_600 })), [open])
      // At 3,000 the two were open as well that were declined at 4,000.
      assert.deepStrictEqual(totalCount(yield* openAttemptCounts({ ...query, before: 3_000 })), 3)
    })
  )

  check(
    "an attempt is open until the commit that ends it, and counted with its end from then on",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const query = { since: 0, slotMs: 1_000, by: byNothing }
      const inFlight: ReadonlyArray<OutcomeStatus> = ["sending", "pending", "unknown"]
      // An end does not count while money may still be on its way.
      yield* beginAll(inFlight.map((status, index) => attempted(index + 1, { status, code: null, endedAt: 2_000 })))
      const before = aRecord(9)
      yield* beginAll([before])
      assert.deepStrictEqual(yield* store.attemptCounts(query), [])
      const open: AttemptCount = {
        slot: 1_000,
        durationMs: null,
        provider: "acme",
        rail: "upi",
        flow: "intent",
        currency: "INR",
        network: null,
        country: null,
        funding: null,
        issuer: null,
        account: null,
        rule: null,
        amountDigits: null,
        metadata: {},
        status: "sending",
        code: null,
        count: 2
      }
      assert.deepStrictEqual(
        (yield* store.openAttemptCounts(query)).toSorted((a, b) => b.status.localeCompare(a.status)),
        [{ ...open, status: "unknown", count: 1 }, open, { ...open, status: "pending", count: 1 }]
      )
      const after = ended(before, "succeeded")
      yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
      assert.deepStrictEqual(yield* store.attemptCounts(query), [
        { ...open, durationMs: 1_000, status: "succeeded", count: 1 }
      ])
      assert.strictEqual(totalCount(yield* store.openAttemptCounts(query)), 3)
    })
  )

  check(
    "of the start of an open attempt, `since` is inclusive and `before` is not, with any open status",
    Effect.gen(function* () {
      const { openAttemptCounts } = yield* PaymentStore
      const started = (n: number, startedAt: number, status: OutcomeStatus): PaymentRecord =>
        attempted(n, { startedAt, status, code: null, endedAt: null })
      yield* beginAll([
        started(1, 2_999, "unknown"),
        started(2, 3_000, "sending"),
        started(3, 3_999, "unknown"),
        started(4, 4_000, "pending"),
        started(5, 9_000, "unknown")
      ])
      const slots = slotsOf(openAttemptCounts)
      assert.deepStrictEqual(yield* slots({ since: 3_000, before: 9_000, slotMs: 1_000 }), [
        [3_000, 2],
        [4_000, 1]
      ])
      assert.deepStrictEqual(yield* slots({ since: 3_000, slotMs: 5_000 }), [
        [0, 3],
        [5_000, 1]
      ])
    })
  )

  check(
    "an attempt that ended at `before` or within a day after it was open then; without `before` it is not open",
    Effect.gen(function* () {
      const { openAttemptCounts } = yield* PaymentStore
      const before = 9_000
      yield* beginAll(
        [before - 1, before, before + 1, before + longestOpen - 1, before + longestOpen].map((endedAt, index) =>
          attempted(index + 1, { provider: `${endedAt - before}`, startedAt: 8_999, endedAt })
        )
      )
      // Started too early and too late.
      yield* beginAll([7_999, 9_000].map((startedAt, index) => attempted(index + 8, { startedAt, endedAt: 9_500 })))
      const query = { since: 8_000, before, slotMs: 1_000, by: byNothing }
      assert.deepStrictEqual(
        (yield* openAttemptCounts(query))
          .map(({ code, count, durationMs, provider, slot, status }) => ({
            code,
            count,
            durationMs,
            provider,
            slot,
            status
          }))
          .toSorted((a, b) => Number(a.provider) - Number(b.provider)),
        ["0", "1", String(longestOpen - 1)].map((provider) => ({
          code: null,
          count: 1,
          durationMs: null,
          provider,
          slot: 8_000,
          status: "pending"
        }))
      )
      assert.deepStrictEqual(yield* openAttemptCounts({ since: 8_000, slotMs: 1_000, by: byNothing }), [])
    })
  )

  check(
    "attempts are counted by the flow of their payment: a card with any token by `token`",
    Effect.gen(function* () {
      const { attemptCounts } = yield* PaymentStore
      const flows: ReadonlyArray<readonly [Flow, PaymentMethod]> = [
        ["intent", { rail: "upi", flow: "intent", vpa: null }],
        ["qr", { rail: "upi", flow: "qr", vpa: null }],
        ["collect", { rail: "upi", flow: "collect", vpa: "asha@upi" }],
        ["hosted", aCard()],
        ["hosted", aCard({ network: "token", bin: "411111" })],
        ["token", aCard({ token: "tok_1" })],
        ["token", aCard({ token: "" })],
        ["token", aCard({ tokens: { acme: "tok_1" } })],
        ["token", aCard({ tokens: { acme: { id: null } } })],
        ["transfer", { rail: "stablecoin", asset: null, network: "base" }]
      ]
      yield* beginAll(flows.map(([, method], index) => attemptedBy(index + 1, method)))
      const counts = yield* attemptCounts({ since: 0, slotMs: 1_000, by: byNothing })
      assert.deepStrictEqual(
        Object.fromEntries(counts.map(({ flow, provider }) => [provider, flow])),
        Object.fromEntries(flows.map(([flow], index) => [`acme ${index + 1}`, flow]))
      )
    })
  )

  check(
    "attempts are counted by any key of metadata, with any characters",
    Effect.gen(function* () {
      const { attemptCounts, openAttemptCounts } = yield* PaymentStore
      const metadata = Object.fromEntries(oddKeys.map((key) => [key, `of ${key}`]))
      const by = (...keys: ReadonlyArray<string>) => ({ since: 0, slotMs: 1_000, by: { ...byNothing, metadata: keys } })
      yield* beginAll([
        { ...aRecord(1, { metadata }), attempts: [anAttempt(1, { status: "succeeded", endedAt: 2_000 })] },
        aRecord(2, { metadata }),
        aRecord(3)
      ])
      for (const key of oddKeys) {
        const own = Object.fromEntries([[key, `of ${key}`]])
        assert.deepStrictEqual(metadataIn(yield* attemptCounts(by(key))), [own])
        assert.sameDeepMembers(metadataIn(yield* openAttemptCounts(by(key))), [own, {}])
      }
      assert.deepStrictEqual(metadataIn(yield* attemptCounts(by(...oddKeys, "absent"))), [metadata])
      assert.deepStrictEqual(metadataIn(yield* attemptCounts(by("absent", "SHOP", "hasOwnProperty"))), [{}])
    })
  )

  check(
    "an erased payment is counted as before, without its metadata, and under the handle of the address that stands there now",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const query = { since: 0, slotMs: 1_000, by: { account: true, rule: true, amount: true, metadata: ["shop"] } }
      const card = aCard({ network: "visa", country: "IN", funding: "debit", bin: "411111", fingerprint: "fp_1" })
      const methods: ReadonlyArray<readonly [PaymentMethod, PaymentMethod]> = [
        [card, { ...card, fingerprint: null }],
        [
          { ...card, token: "tok_1" },
          { ...card, token: "erased", fingerprint: null }
        ],
        [
          { ...card, tokens: { acme: { id: "1" } } },
          { ...card, tokens: { acme: "erased" }, fingerprint: null }
        ],
        [
          { rail: "upi", flow: "collect", vpa: "asha@upi" },
          { rail: "upi", flow: "collect", vpa: "erased@invalid" }
        ]
      ]
      const records = methods.map(([method], index) => {
        const record = attemptedBy(index + 1, method)
        return { ...record, payment: { ...record.payment, metadata: { shop: "north" } } }
      })
      yield* beginAll(records)
      const counts = byProvider(yield* store.attemptCounts(query))
      for (const [index, before] of records.entries()) {
        const method = methods[index]?.[1] ?? before.payment.method
        assert.isTrue(
          yield* store.erasure.erase({ before, after: nextVersion(before, { method, metadata: {} }), events: [] })
        )
      }
      assert.deepStrictEqual(
        byProvider(yield* store.attemptCounts(query)),
        counts.map((count) => ({ ...count, metadata: {}, issuer: count.rail === "upi" ? "invalid" : count.issuer }))
      )
      assert.deepStrictEqual(
        counts.map(({ flow, metadata: { shop } }) => [flow, shop]),
        [
          ["hosted", "north"],
          ["token", "north"],
          ["token", "north"],
          ["collect", "north"]
        ]
      )
    })
  )
}

const totalCount = (counts: ReadonlyArray<AttemptCount>): number => counts.reduce((sum, { count }) => sum + count, 0)

const slotsOf =
  <E>(counts: (query: AttemptCountQuery) => Effect.Effect<ReadonlyArray<AttemptCount>, E>) =>
  (query: Omit<AttemptCountQuery, "by">) =>
    Effect.map(counts({ ...query, by: byNothing }), (rows) => {
      const slots = new Map<number, number>()
      for (const { count, slot } of rows) slots.set(slot, (slots.get(slot) ?? 0) + count)
      return [...slots].toSorted(([a], [b]) => a - b)
    })

const metadataIn = (counts: ReadonlyArray<AttemptCount>) => counts.map(({ metadata }) => metadata)

const byProvider = (counts: ReadonlyArray<AttemptCount>) =>
  counts.toSorted((a, b) => a.provider.localeCompare(b.provider))

/** A first attempt that was declined, unless `change` says otherwise. */
const attempted = (n: number, change: Partial<Attempt>): PaymentRecord => ({
  ...aRecord(n),
  attempts: [anAttempt(1, { status: "declined", code: "do_not_honor", endedAt: 2_000, ...change })]
})

/** At a provider of its own, by which it is found. */
const attemptedBy = (n: number, method: PaymentMethod): PaymentRecord => ({
  ...attempted(n, { provider: `acme ${n}` }),
  payment: aRecord(n, { method }).payment
})
