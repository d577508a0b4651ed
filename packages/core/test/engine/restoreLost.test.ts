/** What is written again of a payment when the database has lost an operation that was being sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Ids from "../../src/domain/Ids.ts"
import type { OperationId, PaymentId } from "../../src/domain/Ids.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { restoreLost } from "../../src/execution/restore/restoreLost.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { StoreUnavailable } from "../../src/store/StoreUnavailable.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import type { AdvanceCommit, AdvanceResult } from "../../src/store/PaymentStore.ts"
import { paidBySecond, paidTwice, reversed, second } from "../domain/lostFailover.ts"
import { after, asked, begun, claims, failed, held, inReview, money, operation } from "../domain/records.ts"
import type { Store } from "./fixtures.ts"

const lost = "op_v" as OperationId

/** Disputed since in the database, so that it is no earlier state of what the process knows. */
const changedSince = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, disputedAt: 7 }
})

/** What is stored after the process has written what it `known` again, and the events of that. */
const restoring = Effect.fnUntraced(function* (
  stored: PaymentRecord | null,
  known: PaymentRecord = reversed,
  answer: ((store: Store, commit: AdvanceCommit, time: number) => ReturnType<Store["advance"]>) | null = null
) {
  const memory = MemoryStore.make()
  const commits: Array<AdvanceCommit> = []
  const store: Store = {
    ...memory,
    advance: (commit) => {
      commits.push(commit)
      return answer === null ? memory.advance(commit) : answer(memory, commit, commits.length)
    }
  }
  if (stored !== null) yield* memory.begin({ record: stored, binding: null })
  const services = { store, ids: Ids.make(randomBytes, () => 0), hostedUrl: () => null }
  const restored = yield* restoreLost(services, known, lost, null)
  return {
    isRestored: restored !== null,
    record: (yield* memory.get(known.payment.id)) ?? assert.fail("the payment is gone"),
    events: commits.at(-1)?.events.map(({ sequence, type }) => `${sequence} ${type}`) ?? [],
    commits: commits.length
  }
})

const operationsOf = ({ operations }: PaymentRecord) => operations.map(({ id }) => id)

describe("the refund of a charge that was not the payment's", () => {
  it.effect("is written again with the failover that was lost, and the payment is announced as paid", () =>
    Effect.gen(function* () {
      for (const stored of [begun, second]) {
        const { events, record } = yield* restoring(stored)
        const { payment } = record
        assert.deepStrictEqual(
          { ...record, payment: { ...payment, updatedAt: 0, version: 0 } },
          { ...reversed, payment: { ...reversed.payment, eventSequence: 1, updatedAt: 0, version: 0 } }
        )
        assert.strictEqual(payment.version, stored.payment.version + 1)
        assert.deepStrictEqual(events, ["1 payment.succeeded"])
      }
      assert.deepStrictEqual((yield* restoring(paidBySecond)).events, [])
    })
  )

  it.effect("is not written again if the charge may be the payment's by now: nothing would pay the payment", () =>
    Effect.gen(function* () {
      for (const stored of [begun, failed, second, paidBySecond]) {
        const { isRestored, record } = yield* restoring(changedSince(stored))
        assert.isFalse(isRestored)
        assert.deepStrictEqual(operationsOf(record), operationsOf(stored))
      }
    })
  )

  it.effect("is written again beside what has changed since, if the charge is still not the payment's", () =>
    Effect.gen(function* () {
      const { isRestored, record } = yield* restoring(changedSince(paidTwice))
      assert.isTrue(isRestored)
      assert.deepStrictEqual(operationsOf(record), [...operationsOf(paidTwice), lost])
    })
  )
})

describe("the refund of a further charge", () => {
  const charged = (reference: string) =>
    after(begun, [1, { _tag: "Succeeded", amount: money(100) }, { reference, source: "inquiry" }])
  const known = asked(charged("ch_1"), "v", { kind: "refund", purpose: "reversal", charge: "ch_2" })

  it.effect(
    "is written again if the payment still has the charge that it had, and not if it has another one by now",
    () =>
      Effect.gen(function* () {
        assert.isTrue((yield* restoring(changedSince(charged("ch_1")), known)).isRestored)
        for (const stored of [charged("ch_2"), charged("ch_3")]) {
          assert.isFalse((yield* restoring(changedSince(stored), known)).isRestored)
        }
      })
  )
})

describe("an operation of an attempt that was lost", () => {
  const known = asked(paidBySecond, "v", { kind: "refund", attemptSeq: 2 })

  it.effect("is written again with the attempt", () =>
    Effect.gen(function* () {
      const { isRestored, record } = yield* restoring(begun, known)
      assert.isTrue(isRestored)
      assert.deepStrictEqual([record.attempts.length, operationsOf(record)], [2, operationsOf(known)])
    })
  )

  it.effect("is not written again if the payment has gone another way since", () =>
    Effect.gen(function* () {
      const other = { ...second, operations: [...failed.operations, operation("9", { attemptSeq: 2 })] }
      for (const stored of [begun, failed, other]) {
        const { isRestored, record } = yield* restoring(changedSince(stored), known)
        assert.isFalse(isRestored)
        assert.deepStrictEqual(operationsOf(record), operationsOf(stored))
      }
      assert.isTrue((yield* restoring(changedSince(second), known)).isRestored)
    })
  )
})

describe("a payment whose order another one has", () => {
  const order = "1001"
  const ordered = (record: PaymentRecord): PaymentRecord => ({ ...record, payment: { ...record.payment, order } })
  const holding = (record: PaymentRecord, id: string): PaymentRecord => {
    // Boundary: these ids are compared only.
    const payment = { ...record.payment, id: id as PaymentId, order }
    const operations = record.operations.map((each) => ({
      ...each,
      id: `op_${id}` as OperationId,
      paymentId: payment.id
    }))
    return { ...record, payment, operations }
  }
  const writing = Effect.fnUntraced(function* (
    known: PaymentRecord,
    holder: PaymentRecord,
    id: OperationId | undefined
  ) {
    const store = MemoryStore.make()
    yield* store.begin({ record: holder, binding: null })
    const services = { store, ids: Ids.make(randomBytes, () => 0), hostedUrl: () => null }
    const restored = yield* restoreLost(services, known, id, null)
    return { restored, stored: yield* store.get(known.payment.id), events: yield* store.undispatchedEvents(10) }
  })
  const later = `${begun.payment.id}_later`

  it.effect("is written again as canceled, with all of its attempts, and announced", () =>
    Effect.gen(function* () {
      const known = ordered(second)
      const { events, restored, stored } = yield* writing(known, holding(begun, later), second.operations[1]?.id)
      assert.deepStrictEqual(restored, stored)
      assert.strictEqual(stored?.payment.state.status, "canceled")
      assert.deepStrictEqual(
        stored?.attempts.map(({ status }) => status),
        ["declined", "not_executed"]
      )
      assert.isNotNull(stored?.operations[1]?.nextCheckAt ?? null)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["payment.canceled"]
      )
    })
  )

  it.effect("has its money in excess if it was paid, and keeps the refund that is being sent", () =>
    Effect.gen(function* () {
      const known = ordered(asked(paidBySecond, "v", { kind: "refund", attemptSeq: 2 }))
      const { stored } = yield* writing(known, holding(begun, later), lost)
      assert.isTrue(stored?.attempts[1]?.isOverpayment)
      assert.strictEqual(stored?.payment.amountCaptured, 0)
      assert.strictEqual(stored?.operations.find(({ id }) => id === lost)?.status, "sending")
      assert.deepStrictEqual(
        stored?.payment.reviews.map(({ reason }) => reason),
        ["late_success"]
      )
    })
  )

  it.effect("is not written while an earlier payment has the order: that one had ended before", () =>
    Effect.gen(function* () {
      const { restored, stored } = yield* writing(ordered(second), holding(begun, "pay"), second.operations[1]?.id)
      assert.deepStrictEqual([restored, stored], [null, null])
    })
  )
})

describe("a payment that two fibers write again at the same time", () => {
  it.effect("has what the one knows that knows more, and its key once", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      const { account, id: paymentId, livemode } = reversed.payment
      const key = { endpoint: "payments", key: "once", fingerprint: "1", createdAt: 0 }
      const binding = { ...key, account, livemode, paymentId, operationId: null }
      let isGone = true
      const store: Store = {
        ...memory,
        // The other one begins it after this one has looked.
        get: (id) =>
          Effect.suspend(() => {
            if (!isGone) return memory.get(id)
            isGone = false
            return Effect.as(memory.begin({ record: begun, binding }), null)
          })
      }
      const services = { store, ids: Ids.make(randomBytes, () => 0), hostedUrl: () => null }
      const record = yield* restoreLost(services, reversed, lost, binding)
      assert.deepStrictEqual(record === null ? null : operationsOf(record), operationsOf(reversed))
    })
  )
})

describe("a payment that is changed while it is written again", () => {
  const result = (answered: AdvanceResult) => Effect.succeed(answered)

  it.effect("is read again", () =>
    Effect.gen(function* () {
      const { commits, isRestored } = yield* restoring(begun, reversed, (store, commit, time) =>
        time === 1 ? result({ _tag: "Conflict" }) : store.advance(commit)
      )
      assert.deepStrictEqual([commits, isRestored], [2, true])
    })
  )

  it.effect("stays as it is if a reference is that of another payment by now", () =>
    Effect.gen(function* () {
      const { commits, isRestored } = yield* restoring(begun, reversed, () => result({ _tag: "ReferenceTaken" }))
      assert.deepStrictEqual([commits, isRestored], [1, false])
    })
  )
})

describe("what was announced, and is lost with it", () => {
  const refunded = after(asked(paidBySecond, "r", { kind: "refund", attemptSeq: 2, minorUnits: 40 }), [
    "r",
    claims.refundSucceeded
  ])
  const known = asked(
    { ...refunded, payment: { ...refunded.payment, pendingAnnounced: true, disputedAt: 9, eventSequence: 5 } },
    "v",
    { kind: "refund", attemptSeq: 2, minorUnits: 20 }
  )

  it.effect("is announced again, each once and in order", () =>
    Effect.gen(function* () {
      // Those of disputes are derived with the first change, as those of reviews.
      const all = ["payment.pending", "payment.disputed", "payment.succeeded", "refund.succeeded"]
      const numbered = (names: ReadonlyArray<string>) => names.map((name, place) => `${place + 1} ${name}`)
      assert.deepStrictEqual((yield* restoring(begun, known)).events, numbered(all))
      assert.deepStrictEqual((yield* restoring(paidBySecond, known)).events, numbered(all.filter((_, n) => n !== 2)))
      const stored = { ...paidBySecond, payment: { ...paidBySecond.payment, pendingAnnounced: true, eventSequence: 3 } }
      const { events, record } = yield* restoring(stored, known)
      assert.deepStrictEqual([events, record.payment.eventSequence], [["4 refund.succeeded", "5 payment.disputed"], 5])
    })
  )

  it.effect("is announced again where the whole payment is lost", () =>
    Effect.gen(function* () {
      const { events, record } = yield* restoring(null, known)
      assert.deepStrictEqual(
        events,
        ["payment.pending", "payment.disputed", "payment.succeeded", "refund.succeeded"].map(
          (name, n) => `${n + 1} ${name}`
        )
      )
      assert.deepStrictEqual([record.payment.eventSequence, operationsOf(record)], [4, operationsOf(known)])
      assert.isEmpty((yield* restoring(null, asked(begun, "v", { kind: "cancel" }))).events)
    })
  )

  it.effect("is announced by the next try, where the commit of a lost payment fails", () =>
    Effect.gen(function* () {
      const memory = MemoryStore.make()
      let fails = true
      const store: Store = {
        ...memory,
        advance: (commit) =>
          Effect.suspend(() => {
            if (!fails) return memory.advance(commit)
            fails = false
            return Effect.fail(new StoreUnavailable({ cause: null }))
          })
      }
      const services = { store, ids: Ids.make(randomBytes, () => 0), hostedUrl: () => null }
      const restore = restoreLost(services, known, lost, null)
      assert.strictEqual((yield* Effect.exit(restore))._tag, "Failure")
      assert.strictEqual((yield* restore)?.payment.eventSequence, 4)
    })
  )

  it.effect("is announced once if a refund was pending before, and also if a capture failed", () =>
    Effect.gen(function* () {
      const refunding = (...outcomes: ReadonlyArray<Outcome>) =>
        after(
          asked(paidBySecond, "r", { kind: "refund", attemptSeq: 2 }),
          ...outcomes.map((outcome) => ["r", outcome] as const)
        )
      const pending = refunding(claims.unknown, claims.refundPending)
      const later = asked(pending, "v", { kind: "refund", attemptSeq: 2 })
      assert.isEmpty((yield* restoring(refunding(claims.unknown), later)).events)
      assert.deepStrictEqual((yield* restoring(refunding(), later)).events, ["1 refund.pending"])
      const refused = after(asked(held, "c", { kind: "capture", minorUnits: 60 }), ["c", claims.declined])
      const { events } = yield* restoring(held, asked(refused, "v", { kind: "capture", minorUnits: 60 }))
      assert.deepStrictEqual(events, ["1 payment.capture_failed"])
    })
  )

  it.effect("keeps a question that was asked since, and when an operation is to be checked", () =>
    Effect.gen(function* () {
      const asking = inReview(held, "unreadable_report", 1)
      const stored: PaymentRecord = {
        ...asking,
        operations: asking.operations.map((each) => ({ ...each, nextCheckAt: 7, checks: 3, unsettled: true }))
      }
      const { events, record } = yield* restoring(stored, asked(held, "v", { kind: "capture" }))
      assert.deepStrictEqual(events, [])
      assert.deepStrictEqual(
        record.payment.reviews.map(({ reason }) => reason),
        ["unreadable_report"]
      )
      assert.deepInclude(record.operations[0], { nextCheckAt: 7, checks: 3, unsettled: true })
    })
  )

  it.effect("is not announced twice, and nothing is entered twice", () =>
    Effect.gen(function* () {
      const stored = { ...known, operations: known.operations.filter(({ id }) => id !== lost) }
      const { events, record } = yield* restoring(stored, known)
      assert.deepStrictEqual([events, record.payment.eventSequence], [[], 5])
      assert.deepStrictEqual(record.entries, known.entries)
      assert.isAbove(known.entries.length, 0)
    })
  )

  it.effect("has the reference that was known last", () =>
    Effect.gen(function* () {
      const named = (reference: string): PaymentRecord => ({
        ...begun,
        operations: begun.operations.map((each) => ({ ...each, reference }))
      })
      const { record } = yield* restoring(named("order_1"), asked(named("ch_1"), "v", { kind: "cancel" }))
      assert.strictEqual(record.operations[0]?.reference, "ch_1")
    })
  )

  it.effect("keeps what was written to the earlier state meanwhile", () =>
    Effect.gen(function* () {
      const [first, ...others] = begun.operations
      const [tried] = begun.attempts
      if (first === undefined || tried === undefined) return assert.fail("nothing was tried")
      const stored: PaymentRecord = {
        ...begun,
        payment: { ...begun.payment, pendingAnnounced: true, eventSequence: 1 },
        attempts: [{ ...tried, actionShown: true }],
        operations: [{ ...first, reference: "order_1" }, ...others]
      }
      const { events, record } = yield* restoring(stored, reversed)
      assert.deepStrictEqual(events, ["2 payment.succeeded"])
      assert.deepStrictEqual(
        [record.payment.pendingAnnounced, record.attempts[0]?.actionShown, record.operations[0]?.reference],
        [true, true, "order_1"]
      )
      assert.lengthOf(record.entries, reversed.entries.length)
    })
  )
})

describe("the capture of a hold", () => {
  it.effect("is not written to an attempt that is still open: its money would seem to be in excess", () =>
    Effect.gen(function* () {
      const known = asked(held, "v", { kind: "capture" })
      assert.isTrue((yield* restoring(begun, known)).isRestored)
      assert.isFalse((yield* restoring(changedSince(begun), known)).isRestored)
      assert.isTrue((yield* restoring(changedSince(held), known)).isRestored)
    })
  )
})
