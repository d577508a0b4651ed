import { Outcome } from "@paymux/core"
import type { PaymentId } from "@paymux/core"
import { firstPaymentId, PaymentStore } from "@paymux/core/store"
import type { InboxEntry, KeyBinding } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { aBinding, anInboxEntry, aRecord, tenant } from "./records.ts"

/** A payment as of a time (ms UTC), as its id says it, with the key that it was made under. */
const madeAt = Effect.fnUntraced(function* (time: number, n: number, answer: string | null) {
  const store = yield* PaymentStore
  const id = `${firstPaymentId(time).slice(0, -1)}${n}` as PaymentId
  const { payment, ...rest } = aRecord(n)
  const operations = rest.operations.map((operation) => ({ ...operation, paymentId: id }))
  const binding = aBinding(n, { paymentId: id, createdAt: time })
  yield* store.begin({ record: { ...rest, operations, payment: { ...payment, id, createdAt: time } }, binding })
  if (answer !== null) yield* store.keepAnswer({ ...binding, body: answer })
  return binding
})

const answerOf = ({ endpoint, key }: KeyBinding) =>
  PaymentStore.use((store) => Effect.map(store.findKey(tenant, endpoint, key), (kept) => kept?.answer ?? null))

export const retentionChecks = (check: StoreCheck): void => {
  check(
    "answers to requests of before are forgotten, and their keys stay bound",
    Effect.gen(function* () {
      const { begin, retention } = yield* PaymentStore
      const old = yield* madeAt(5_000, 1, "old")
      const young = yield* madeAt(9_000, 2, "young")
      const edge = yield* madeAt(7_000, 3, "edge")
      const unanswered = yield* madeAt(4_000, 4, null)
      const query = { before: 7_000, after: null, limit: 10 }
      assert.deepStrictEqual(yield* retention.pruneAnswers(query), { pruned: 1, next: null })
      assert.deepStrictEqual(yield* Effect.forEach([old, young, edge, unanswered], answerOf), [
        null,
        "young",
        "edge",
        null
      ])
      assert.deepStrictEqual(yield* retention.pruneAnswers(query), { pruned: 0, next: null })
      const again = yield* begin({ record: aRecord(8), binding: aBinding(8, { key: old.key }) })
      assert.deepStrictEqual(again, { _tag: "KeyTaken", kept: { ...old, answer: null } })
    })
  )

  check(
    "a young answer about an old payment is kept: a refund that was asked for lately is replayed byte for byte",
    Effect.gen(function* () {
      const { keepAnswer, retention } = yield* PaymentStore
      const store = yield* PaymentStore
      const create = yield* madeAt(5_000, 1, "payment")
      const refund = { ...create, endpoint: "POST refunds", key: "refund", createdAt: 8_000 }
      const record = yield* store.get(create.paymentId)
      if (record === null) return assert.fail("the payment is there")
      const after = { ...record, payment: { ...record.payment, version: 2 } }
      yield* store.advance({ before: record, after, events: [], evidence: null, binding: refund, answer: null })
      yield* keepAnswer({ ...refund, body: "refund" })
      yield* retention.pruneAnswers({ before: 7_000, after: null, limit: 10 })
      assert.deepStrictEqual(yield* Effect.forEach([create, refund], answerOf), [null, "refund"])
    })
  )

  check(
    "answers are looked at in stretches, each from where the one before ended",
    Effect.gen(function* () {
      const { retention } = yield* PaymentStore
      const bindings = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => madeAt(n * 1_000, n, `answer ${n}`))
      const seen: Array<number> = []
      let after: PaymentId | null = null
      do {
        const stretch: { readonly pruned: number; readonly next: PaymentId | null } = yield* retention.pruneAnswers({
          before: 60_000,
          after,
          limit: 2
        })
        seen.push(stretch.pruned)
        after = stretch.next
      } while (after !== null)
      assert.deepStrictEqual(seen, [2, 2, 1])
      assert.deepStrictEqual(yield* Effect.forEach(bindings, answerOf), [null, null, null, null, null])
    })
  )

  check(
    "the content of applied events is forgotten, up to the limit; received again, they are still applied",
    Effect.gen(function* () {
      const { inbox, retention } = yield* PaymentStore
      const as = (n: number, change: Partial<InboxEntry>) => anInboxEntry(n, { nextTryAt: null, ...change })
      const old = [1, 2, 3].map((n) => as(n, { status: "applied", receivedAt: n }))
      const rest = [
        as(4, { status: "applied", receivedAt: 5_000 }),
        as(5, { status: "parked", receivedAt: 1 }),
        anInboxEntry(6, { receivedAt: 1 })
      ]
      yield* inbox.keep([...old, ...rest])
      assert.strictEqual(yield* retention.pruneInbox({ before: 5_000, limit: 2 }), 2)
      assert.strictEqual(yield* retention.pruneInbox({ before: 5_000, limit: 2 }), 1)
      assert.strictEqual(yield* retention.pruneInbox({ before: 5_000, limit: 2 }), 0)
      const outcome = Outcome.canceled()
      const again = [...old, ...rest].map((entry) => ({
        ...entry,
        evidence: { ...entry.evidence, outcome },
        status: "waiting" as const,
        nextTryAt: 1_000
      }))
      const standing = yield* inbox.keep(again)
      assert.deepStrictEqual(
        standing.slice(0, 3),
        old.map((entry) => ({ ...entry, evidence: { ...entry.evidence, outcome } }))
      )
      assert.deepStrictEqual(standing.slice(3), rest)
      const due = yield* inbox.claimDue({ provider: "acme", owner: "engine-1", now: 90_000, until: 99_000, limit: 10 })
      assert.deepStrictEqual(
        due.map(({ eventKey }) => eventKey),
        ["event-6"]
      )
    })
  )

  check(
    "with what is applied stays the evidence that is given then; what waits keeps its own",
    Effect.gen(function* () {
      const { inbox } = yield* PaymentStore
      const nextAction = { type: "redirect", url: "https://pay.example.com/asha", expiresAt: null } as const
      const outcome = Outcome.pending({ nextAction })
      const entries = [1, 2].map((n) => {
        const entry = anInboxEntry(n)
        return { ...entry, evidence: { ...entry.evidence, outcome } }
      })
      yield* inbox.keep(entries)
      const settled = entries.map((entry, index) => ({
        ...entry,
        evidence: { ...entry.evidence, outcome: Outcome.pending() },
        status: index === 0 ? ("applied" as const) : ("waiting" as const),
        tries: 1,
        nextTryAt: index === 0 ? null : 2_000
      }))
      for (const entry of settled) yield* inbox.settle(entry)
      const kept = yield* inbox.keep(entries)
      assert.deepStrictEqual(
        kept.map(({ evidence }) => evidence.outcome),
        [Outcome.pending(), outcome]
      )
    })
  )
}
