import type { Evidence } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { Claim } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { anInboxEntry } from "./records.ts"

const together = { concurrency: "unbounded" } as const

const claim = (change: Partial<Claim> = {}): Claim => ({
  provider: "acme",
  owner: "engine-1",
  now: 10_000,
  until: 20_000,
  limit: 100,
  ...change
})

const claimedKeys = (change: Partial<Claim> = {}) =>
  Effect.gen(function* () {
    const { inbox } = yield* PaymentStore
    return (yield* inbox.claimDue(claim(change))).map(({ eventKey }) => eventKey)
  })

export const inboxChecks = (check: StoreCheck): void => {
  check(
    "what is kept is read back exactly, in the order given",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const nextAction = { type: "upi_intent", uri: "upi://pay?pa=a\u0000", expiresAt: null } as const
      const evidence: Evidence = {
        source: "observed",
        about: { provider: "acme", providerReference: "ref \ud800" },
        outcome: { _tag: "Pending", nextAction, awaitingFinality: true, reference: "r", vendorCode: "é" },

        eventId: null,
        occurredAt: 4_000
      }
      const due = anInboxEntry(2, { evidence, document: "sha256:ab", tries: 3 })
      const parked = anInboxEntry(1, { nextTryAt: null, status: "parked" })
      const strange = anInboxEntry(3, { eventKey: "nul \u0000" })
      const entries = [due, parked, strange]
      assert.deepStrictEqual(yield* inbox.keep(entries), entries)
      assert.deepStrictEqual(yield* inbox.keep([]), [])
      assert.deepStrictEqual(yield* inbox.claimDue(claim()), [due, strange])
      assert.deepStrictEqual(yield* inbox.parked(10), [parked])
    })
  )

  check(
    "an event that is received again is stored once: the stored entry is returned, whatever became of it",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const first = anInboxEntry(1)
      yield* inbox.keep([first])
      const settled = { ...first, status: "applied" as const, tries: 1, nextTryAt: null }
      yield* inbox.settle(settled)
      const again = anInboxEntry(1, { document: "other", receivedAt: 9_000 })
      const fresh = anInboxEntry(2)
      const elsewhere = anInboxEntry(1, { provider: "other" })
      assert.deepStrictEqual(yield* inbox.keep([again, fresh, elsewhere, fresh]), [settled, fresh, elsewhere, fresh])
      assert.deepStrictEqual(yield* claimedKeys(), ["event-2"])
      assert.deepStrictEqual(yield* claimedKeys({ provider: "other" }), ["event-1"])
    })
  )

  check(
    "a report of more entries than a statement takes is kept, and the entries that were kept before are returned unchanged",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const entries = Array.from({ length: 4_000 }, (_, n) => anInboxEntry(n))
      const second = anInboxEntry(1)
      yield* inbox.keep([second])
      const settled = { ...second, status: "applied" as const, tries: 1, nextTryAt: null }
      yield* inbox.settle(settled)
      const kept = yield* inbox.keep(entries)
      assert.deepStrictEqual(kept, [anInboxEntry(0), settled, ...entries.slice(2)])
    })
  )

  check(
    "of many who keep the same events at once every one is answered, and each event is there once",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const entries = Array.from({ length: 8 }, (_, n) => anInboxEntry(n))
      const answers = yield* Effect.forEach(
        Array.from({ length: 32 }, (_, n) => (n % 2 === 0 ? entries : entries.toReversed())),
        (given) => Effect.map(inbox.keep(given), (kept) => ({ given, kept })),
        together
      )
      for (const { given, kept } of answers) assert.deepStrictEqual(kept, given)
      assert.sameMembers(
        [...(yield* claimedKeys())],
        entries.map(({ eventKey }) => eventKey)
      )
    })
  )

  check(
    "what is due is claimed by one, the oldest try first, up to the limit; what is not due or not waiting stays",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      yield* inbox.keep([
        anInboxEntry(1, { nextTryAt: 9_000 }),
        anInboxEntry(2, { nextTryAt: 2_000 }),
        anInboxEntry(3, { nextTryAt: 10_000 }),
        anInboxEntry(4, { nextTryAt: 10_001 }),
        anInboxEntry(5, { nextTryAt: null, status: "applied" })
      ])
      assert.deepStrictEqual(yield* claimedKeys({ limit: 2 }), ["event-2", "event-1"])
      assert.deepStrictEqual(yield* claimedKeys({ owner: "engine-2" }), ["event-3"])
      assert.deepStrictEqual(yield* claimedKeys({ now: 19_999, until: 30_000 }), ["event-4"])
      assert.deepStrictEqual(yield* claimedKeys({ now: 20_000, until: 30_000 }), ["event-2", "event-1", "event-3"])
    })
  )

  check(
    "entries of each instance are claimed on their own, and an instance is listed while one can be claimed",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      assert.deepStrictEqual(yield* inbox.dueProviders(10_000), [])
      yield* inbox.keep([
        anInboxEntry(1, { provider: "busy" }),
        anInboxEntry(2, { provider: "busy" }),
        anInboxEntry(3, { nextTryAt: 9_000 }),
        anInboxEntry(4, { provider: "zero", nextTryAt: 10_001 }),
        anInboxEntry(5, { provider: "ended", nextTryAt: null, status: "applied" })
      ])
      assert.sameMembers([...(yield* inbox.dueProviders(10_000))], ["acme", "busy"])
      assert.deepStrictEqual(yield* claimedKeys(), ["event-3"])
      assert.deepStrictEqual(yield* claimedKeys({ provider: "busy", limit: 1 }), ["event-1"])
      assert.deepStrictEqual(yield* inbox.dueProviders(10_000), ["busy"])
      assert.deepStrictEqual(yield* claimedKeys({ provider: "busy" }), ["event-2"])
      assert.deepStrictEqual(yield* inbox.dueProviders(10_000), [])
      assert.sameMembers([...(yield* inbox.dueProviders(20_000))], ["acme", "busy", "zero"])
    })
  )

  check(
    "of many concurrent claimers each entry goes to one",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      yield* inbox.keep(Array.from({ length: 100 }, (_, n) => anInboxEntry(n)))
      const claims = yield* Effect.forEach(
        Array.from({ length: 32 }, (_, n) => `engine-${n}`),
        (owner) => claimedKeys({ owner, limit: 10 }),
        together
      )
      assert.strictEqual(claims.flat().length, 100)
      assert.strictEqual(new Set(claims.flat()).size, 100)
    })
  )

  check(
    "settling ends the claim: what still waits is due at its next try",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const entry = anInboxEntry(1)
      yield* inbox.keep([entry])
      yield* claimedKeys({ until: 90_000 })
      const waiting = { ...entry, tries: 1, nextTryAt: 12_000 }
      yield* inbox.settle(waiting)
      assert.deepStrictEqual(yield* inbox.claimDue(claim({ now: 11_999 })), [])
      assert.deepStrictEqual(yield* inbox.claimDue(claim({ now: 12_000 })), [waiting])
      yield* inbox.settle({ ...waiting, status: "parked", nextTryAt: null })
      assert.deepStrictEqual(yield* claimedKeys({ now: 1_000_000 }), [])
    })
  )

  check(
    "what was applied stays applied, and what was parked can be claimed again; only status and tries are written",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const entries = [1, 2, 3].map((n) => anInboxEntry(n))
      yield* inbox.keep(entries)
      const as = (status: "waiting" | "applied" | "parked", n: number) =>
        anInboxEntry(n, { status, tries: 1, nextTryAt: status === "waiting" ? 1_000 : null })
      yield* inbox.settle(as("applied", 1))
      yield* inbox.settle(as("waiting", 1))
      yield* inbox.settle({ ...as("parked", 2), document: "another", receivedAt: 77 })
      yield* inbox.settle(as("parked", 3))
      yield* inbox.settle(as("waiting", 3))
      yield* inbox.settle(as("parked", 9))
      assert.deepStrictEqual(yield* inbox.keep(entries), [as("applied", 1), as("parked", 2), as("waiting", 3)])
      assert.deepStrictEqual(yield* inbox.parked(10), [as("parked", 2)])
      assert.deepStrictEqual(yield* claimedKeys(), ["event-3"])
    })
  )

  check(
    "an entry that an operator has matched is settled only with the match, and keeps its disposition",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const matched = anInboxEntry(1, { disposition: "matched", tries: 2 })
      yield* inbox.keep([matched])
      yield* inbox.settle({ ...matched, disposition: "foreign", status: "applied", nextTryAt: null })
      yield* inbox.settle({ ...matched, disposition: null, tries: 9, nextTryAt: 99_000 })
      assert.deepStrictEqual(yield* inbox.keep([matched]), [matched])
      const parked = { ...matched, status: "parked" as const, nextTryAt: null }
      yield* inbox.settle(parked)
      assert.deepStrictEqual(yield* inbox.parked(10), [parked])
    })
  )

  check(
    "an entry that is settled as foreign stays foreign",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const entry = anInboxEntry(1)
      yield* inbox.keep([entry])
      const foreign = { ...entry, disposition: "foreign" as const, status: "applied" as const, nextTryAt: null }
      yield* inbox.settle(foreign)
      yield* inbox.settle({ ...entry, status: "waiting" })
      assert.deepStrictEqual(yield* inbox.keep([entry]), [foreign])
    })
  )

  check(
    "parked entries are listed oldest first, up to the limit",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      for (const n of [3, 1, 2]) yield* inbox.keep([anInboxEntry(n, { status: "parked", nextTryAt: null })])
      const parked = (limit: number) =>
        Effect.map(inbox.parked(limit), (entries) => entries.map(({ eventKey }) => eventKey))
      assert.deepStrictEqual(yield* parked(10), ["event-3", "event-1", "event-2"])
      assert.deepStrictEqual(yield* parked(1), ["event-3"])
    })
  )
}
