/** Success rates at a past moment, read back from the stored rows. */
import type { Facts, Health, Lens } from "@paymux/routing"
import type { AttemptCount, AttemptCountQuery, OutcomeStatus } from "@paymux/core/store"
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { amount } from "../../../../test/support/amount.ts"
import { learning } from "../../../routing/src/learn/Learning.ts"
import { lensKey } from "../../../routing/src/learn/Lens.ts"
import { asked as aPayment, declined, row, start } from "../../../routing/test/learn/rows.ts"
import { successRatesAt } from "../../src/rules/successRatesAt.ts"

const { aCard, aRecord, currency } = PaymentRecords

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const store = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:", busyTimeoutMs: 0 }))
)

const everything: Lens = { windowMs: null, learnFrom: "all", segments: [] }
const lenses: ReadonlyArray<Lens> = [
  everything,
  { windowMs: 5 * MINUTE, learnFrom: "all", segments: [] },
  { windowMs: 2 * HOUR, learnFrom: "account", segments: ["amount"] },
  { windowMs: null, learnFrom: "rule", segments: ["metadata.shop"] }
]
const learnedBy = (lens: Lens, expired = 1) => ({
  lens,
  lensKey: lensKey(lens),
  rule: "default",
  providers: ["a", "b"],
  expected: new Map<string, number>(),
  weights: { expired, authenticationFailed: 1 },
  strength: 40
})

/** Equal in every run: between 0 and 1. */
const sequence = (seed: number) => {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

interface Made {
  readonly record: PaymentRecord
  /** ms UTC */
  readonly startedAt: number
  readonly endedAt: number
  readonly status: OutcomeStatus
}

/** `startedAt` and every end are at a ms of their own, so that nothing happens at the moment of a decision. */
const made = (n: number, startedAt: number, random: () => number): Made => {
  const isCard = random() < 0.5
  const isTaken = random() < (random() < 0.5 ? 0.9 : 0.6)
  // Some take hours, and some are open at the end of all.
  const took = isTaken ? random() * 40_000 : random() < 0.8 ? 15 * MINUTE : random() * 9 * HOUR
  const method = isCard
    ? aCard({ network: random() < 0.7 ? "visa" : "mastercard", country: "DE", funding: "debit", bin: "411111" })
    : ({ rail: "upi", flow: "intent", vpa: null } as const)
  const record = aRecord(n, {
    account: random() < 0.7 ? "default" : "other",
    amount: { minorUnits: random() < 0.5 ? 900 : 12_000, currency: currency(isCard ? "EUR" : "INR") },
    method,
    metadata: random() < 0.5 ? { shop: "one" } : {},
    provider: random() < 0.5 ? "a" : "b",
    createdAt: startedAt,
    updatedAt: startedAt
  })
  const attempts = record.attempts.map((one) => ({ ...one, status: "pending" as const, startedAt }))
  return {
    record: { ...record, attempts },
    startedAt,
    endedAt: startedAt + 2 * Math.floor(took / 2) + 1,
    status: isTaken ? "succeeded" : random() < 0.5 ? "expired" : "declined"
  }
}

const ended = ({ endedAt, record, status }: Made): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, version: record.payment.version + 1, updatedAt: endedAt },
  attempts: record.attempts.map((one) => ({
    ...one,
    status,
    code: status === "declined" ? ("do_not_honor" as const) : null,
    endedAt
  }))
})

const factsOf = ({ record: { payment }, startedAt }: Made): Facts => {
  const { amount, method } = payment
  const card = method.rail === "card" ? method : null
  return {
    payment_method: method.rail,
    flow: card === null ? "intent" : "hosted",
    currency: amount.currency,
    amount: amount.minorUnits,
    capture_method: "automatic",
    "customer.email": "asha@example.com",
    "customer.phone_country": null,
    "card.bin": card?.bin ?? null,
    "card.network": card?.network ?? null,
    "card.country": card?.country ?? null,
    "card.funding": card?.funding ?? null,
    "stablecoin.asset": null,
    "stablecoin.network": null,
    livemode: false,
    account: payment.account,
    time: startedAt,
    metadata: payment.metadata,
    draw: "0".repeat(16),
    issuer: card?.bin ?? null
  }
}

const count = amount({ part: 150, all: 1_000 })

describe("success rates at a moment", () => {
  // An attempt whose outcome was unknown then and is known now is read as pending: this is the only difference, and none is here.
  it.effect(
    `equal those by which a server decided ${count} payments, read back afterwards`,
    () =>
      Effect.gen(function* () {
        const payments = yield* PaymentStore
        const random = sequence(49)
        const learner = learning(lenses, payments, null)
        const ending: Array<Made> = []
        const known = new Map<Made, ReadonlyArray<Estimated>>()
        let now = start
        for (let n = 1; n <= count; n++) {
          // Bursts, and hours without a payment.
          now += 2 * (1 + Math.floor(random() * (random() < 0.05 ? HOUR : MINUTE)))
          for (const one of ending.splice(0).toSorted((x, y) => x.endedAt - y.endedAt)) {
            if (one.endedAt > now) {
              ending.push(one)
              continue
            }
            yield* TestClock.setTime(one.endedAt)
            const commit = {
              before: one.record,
              after: ended(one),
              events: [],
              evidence: null,
              binding: null,
              answer: null
            }
            assert.strictEqual((yield* payments.advance(commit))._tag, "Advanced")
          }
          yield* TestClock.setTime(now)
          const one = made(n, now, random)
          yield* learner.refresh
          known.set(
            one,
            asked((learned, facts) => {
              const rates = learner.byLens.get(learned.lensKey)?.rates
              return rates?.estimates(learned, facts) ?? new Map()
            }, one)
          )
          yield* payments.begin({ record: one.record, binding: null })
          ending.push(one)
        }
        let informed = 0
        for (const [one, then] of known) {
          const health = yield* successRatesAt(lenses, one.startedAt, payments)
          const found = asked(health.estimates, one)
          assert.lengthOf(found, then.length)
          for (const [index, each] of found.entries()) assertAlike(each, then[index], one)
          if (then.some(({ basis }) => Number.parseInt(basis, 10) >= 20)) informed++
        }
        assert.isAbove(ending.length, 0, "some are still open")
        assert.isAbove(informed, count / 2, "much was known of most")
      }).pipe(Effect.provide(store)),
    600_000
  )

  it("count attempts that had ended before it, to the ms", async () => {
    const ends = [-1, 0, 1, MINUTE]
    const basis = async (now: number) => {
      const ended = ends.map((at) => row({ at, count: 30 }))
      return basisOf(await ratesAt([everything], now, { ended }), everything)
    }
    assert.match(await basis(start - 1), /^0 /)
    assert.match(await basis(start), /^30 /)
    assert.match(await basis(start + 1), /^60 /)
    assert.match(await basis(start + 2 * MINUTE), /^120 /)
  })

  it("are those of each lens alone; of one that no rule has, nothing is known", async () => {
    const ended = [row({ at: -1_000, count: 30 }), row({ at: -20 * MINUTE, count: 30, ...declined })]
    const short: Lens = { ...everything, windowMs: 5 * MINUTE }
    const health = await ratesAt([everything, short], start, { ended })
    assert.match(basisOf(health, everything), /^60 /)
    assert.match(basisOf(health, short), /^30 /)
    assert.match(basisOf(health, { ...everything, learnFrom: "rule" }), /^0 /)
    assert.match(basisOf(await ratesAt([], start, { ended }), everything), /^0 /)
  })

  it("take what is still unknown for a failure", async () => {
    const open = [row({ at: -20 * MINUTE, took: null, status: "unknown", count: 30 })]
    const health = await ratesAt([everything], start, { open })
    assert.match(basisOf(health, everything), /^30 /)
    assert.isBelow(health.estimates(learnedBy(everything), aPayment()).get("a")?.rate ?? 1, 0.3)
  })

  it("are read in stretches of ten minutes, from the newest to a day ago; open attempts as of the moment", async () => {
    const queries: Array<AttemptCountQuery> = []
    const askedOpen: Array<AttemptCountQuery> = []
    const now = start + 123_456
    await ratesAt([everything], now, { queries, askedOpen })
    let at = now
    for (const { before = Number.NaN, since } of queries) {
      assert.strictEqual(before, at)
      assert.isAtMost(before - since, 10 * MINUTE)
      at = since
    }
    assert.isAtLeast(queries.length, 144)
    assert.isAtMost(at, now - 24 * HOUR)
    assert.isAbove(at, now - 24 * HOUR - 10 * MINUTE)
    assert.deepStrictEqual(
      askedOpen.map(({ before, since, slotMs }) => ({ before, since, slotMs })),
      [{ before: now, since: at, slotMs: 1_000 }]
    )
  })
})

interface Stored {
  readonly ended?: ReadonlyArray<AttemptCount>
  readonly open?: ReadonlyArray<AttemptCount>
  readonly queries?: Array<AttemptCountQuery>
  readonly askedOpen?: Array<AttemptCountQuery>
}

/** The rows of attempts that end at once are counted by their start. */
const ratesAt = (
  all: ReadonlyArray<Lens>,
  now: number,
  { askedOpen = [], ended = [], open = [], queries = [] }: Stored
) =>
  Effect.runPromise(
    successRatesAt(all, now, {
      attemptCounts: (query) =>
        Effect.sync(() => {
          queries.push(query)
          return ended.filter(({ slot }) => slot >= query.since && slot < (query.before ?? Infinity))
        }),
      openAttemptCounts: (query) =>
        Effect.sync(() => {
          askedOpen.push(query)
          return open
        })
    })
  )

const basisOf = ({ estimates }: Health, lens: Lens): string =>
  estimates(learnedBy(lens), aPayment()).get("a")?.basis ?? "none"

interface Estimated {
  readonly provider: string
  readonly rate: number
  readonly known: number
  readonly basis: string
}

type Estimates = (
  learned: ReturnType<typeof learnedBy>,
  facts: Facts
) => ReadonlyMap<string, Omit<Estimated, "provider">>

/** Of every lens, with expired attempts in full and in part. */
const asked = (estimates: Estimates, one: Made): ReadonlyArray<Estimated> =>
  lenses.flatMap((lens) =>
    [1, 0.25].flatMap((expired) =>
      [...estimates(learnedBy(lens, expired), factsOf(one))].map(([provider, found]) => ({ provider, ...found }))
    )
  )

const assertAlike = (actual: Estimated, other: Estimated | undefined, { startedAt }: Made): void => {
  const when = `${actual.provider} at ${new Date(startedAt).toISOString()}`
  assert.strictEqual(actual.provider, other?.provider)
  assert.closeTo(actual.rate, other?.rate ?? -1, 1e-9, when)
  assert.closeTo(actual.known, other?.known ?? -1, 1e-6, when)
  assert.strictEqual(actual.basis, other?.basis, when)
}
