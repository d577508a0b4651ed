/** Every review and every resolution: what is named before the resolution is what happens, and nothing else. */
import { assert, describe, it } from "@effect/vitest"
import { Ids, Reviews } from "@paymux/core"
import type { PaymentRecord, ReviewRefused } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { isOpen, PaymentStore, resolutions, reviewReasons } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { Consequences, IntendedStatement, PaymentEvent, Review } from "@paymux/core/store"
import { noHostedPage, paymentJson } from "@paymux/core/wire"
import type { PaymentJson } from "@paymux/core/wire"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { reviewedRecords } from "../packages/core/test/domain/reviewedRecords.ts"

const sqlite = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
)
const stores = { memory: MemoryStore.layer, SQLite: sqlite }

const tenant = { account: "default", livemode: false }
const evidence = "Looked up in the provider's dashboard"
const reason = "The customer agreed to pay the rest in cash"

/** Amounts that an operator may type: none, too little, what was reported, what was requested, more. */
const amountsFor = ({ minorUnits, reason: why }: Review): ReadonlyArray<number | undefined> =>
  why === "amount_mismatch" ? [undefined, ...new Set([1, 50, 60, 99, 100, 130, Math.max(1, minorUnits)])] : [undefined]

const statements = (record: PaymentRecord): ReadonlyArray<IntendedStatement> => [
  ...record.payment.reviews.flatMap((review) =>
    resolutions.flatMap((resolution) =>
      amountsFor(review).map((amount) => ({
        subject: { review: review.id },
        resolution,
        ...(amount !== undefined && { amount })
      }))
    )
  ),
  ...record.operations.flatMap(({ id }) =>
    resolutions.map((resolution) => ({ subject: { operation: id }, resolution }))
  )
]

interface Seen {
  readonly record: PaymentRecord
  readonly events: ReadonlyArray<PaymentEvent>
  readonly statements: number
}

const see = Effect.fnUntraced(function* (id: PaymentRecord["payment"]["id"]) {
  const store = yield* PaymentStore
  const record = yield* store.getConfirmed(id)
  if (record === null) return yield* Effect.die(new Error(`${id} is gone`))
  const events = yield* store.undispatchedEvents(100)
  return { record, events, statements: (yield* store.evidenceOf(id)).length } satisfies Seen
})

/** What the merchant and the operator see, against what was named. */
const checkNamed = (named: Consequences, before: Seen, after: Seen): void => {
  const [was, is] = [before.record, after.record].map((record) => paymentJson(record, noHostedPage))
  if (was === undefined || is === undefined) throw new Error("two payments")
  const events = after.events.slice(before.events.length)
  assert.deepStrictEqual(
    {
      status: named.status,
      events: named.events,
      captured: named.captured,
      refunded: named.refunded,
      overpaid: named.overpaid,
      received: named.received,
      closed: named.closed.map(({ review }) => review),
      opened: named.opened.map(({ amount, reason: why, review }) => [review, why, amount])
    },
    {
      status: { before: was.status, after: is.status },
      events: events.map(({ type }) => type),
      captured: { before: was.amount_captured, after: is.amount_captured },
      refunded: { before: was.amount_refunded, after: is.amount_refunded },
      overpaid: { before: was.overpayment ?? 0, after: is.overpayment ?? 0 },
      received: is.amount_received ?? null,
      closed: was.reviews.flatMap(({ id }) => (is.reviews.some((each) => each.id === id) ? [] : [id])),
      opened: is.reviews.flatMap((review) =>
        was.reviews.some((each) => JSON.stringify(each) === JSON.stringify(review))
          ? []
          : [[review.id, review.reason, review.amount]]
      )
    }
  )
  for (const { payment, type } of events) {
    const sent = JSON.parse(payment) as PaymentJson
    assert.deepStrictEqual([sent.status, sent.amount_received ?? null], [named.status.after, named.received], type)
  }
  checkOperations(named, before.record, after.record)
}

const checkOperations = (named: Consequences, before: PaymentRecord, after: PaymentRecord): void => {
  const former = (id: string) => before.operations.find((each) => each.id === id)
  assert.deepStrictEqual(
    named.operations.map(({ id, status }) => [id, status.before, status.after]),
    after.operations.flatMap(({ id, status }) =>
      former(id)?.status === status ? [] : [[id, former(id)?.status, status]]
    )
  )
  assert.deepStrictEqual(
    named.automatic.flatMap(({ action, at }) => (action === "inquire" ? [at] : [])),
    after.operations.flatMap(({ id, nextCheckAt }) =>
      nextCheckAt === null || nextCheckAt === former(id)?.nextCheckAt ? [] : [nextCheckAt]
    )
  )
}

/** A payment that then counts as paid by other money than was requested, and an operation that nothing looks at any more. */
const checkPromises = (named: Consequences, before: PaymentRecord, after: PaymentRecord): void => {
  const { payment } = after
  const captures = after.operations.filter(({ kind, status }) => kind === "capture" && status === "succeeded")
  const requested =
    captures.length === 0
      ? payment.amount.minorUnits
      : captures.reduce((total, { minorUnits }) => total + minorUnits, 0)
  const isNewlyPaid = before.payment.state.status !== "succeeded" && payment.state.status === "succeeded"
  if (isNewlyPaid && payment.amountCaptured !== requested) {
    assert.deepStrictEqual(named.acceptance, { amount: payment.amountCaptured, requested })
    assert.strictEqual(payment.amountReceived, payment.amountCaptured)
  }
  const closed = named.closed.map(({ review }) => review)
  const inQuestion = before.payment.reviews.filter(({ id }) => closed.includes(id))
  for (const operation of after.operations.filter(isOpen)) {
    const isLeft =
      operation.nextCheckAt === null && payment.reviews.every(({ attemptSeq }) => attemptSeq !== operation.attemptSeq)
    assert.isFalse(isLeft && inQuestion.some(({ operationId }) => operationId === operation.id), operation.id)
  }
}

describe.each(Object.entries(stores))("a resolution on %s", (_, layer) => {
  const inStore = <A, E>(record: PaymentRecord, use: Effect.Effect<A, E, Reviews | PaymentStore>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5000)
      const store = yield* PaymentStore
      yield* store.begin({ record, binding: null })
      return yield* use
    }).pipe(
      Effect.provide(
        Reviews.layer.pipe(
          Layer.provide(PaymentWriter.layer),
          Layer.provide(Ids.layer),
          Layer.provideMerge(Layer.fresh(layer))
        )
      )
    )

  /** Each refusal writes nothing, and the acceptance is needed exactly where it is named. */
  const resolveAsNamed = Effect.fnUntraced(function* (record: PaymentRecord, intended: IntendedStatement) {
    const reviews = yield* Reviews
    const { id } = record.payment
    const before = yield* see(id)
    const refusedAs = (statement: IntendedStatement, why: ReviewRefused["reason"]) =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(reviews.resolve(tenant, id, { ...statement, evidence }))
        assert.deepInclude(refused, { _tag: "ReviewRefused", reason: why })
        assert.deepStrictEqual(yield* see(id), before)
      })
    const found = yield* Effect.result(reviews.consequences(tenant, id, intended))
    if (Result.isFailure(found)) {
      if (found.failure._tag !== "ReviewRefused") return yield* Effect.die(found.failure)
      yield* refusedAs(intended, found.failure.reason)
      return found.failure.reason
    }
    const { consequences, version } = found.success
    assert.strictEqual(version, before.record.payment.version)
    const { acceptance: needed } = consequences
    const acceptance = { amount: needed?.amount ?? 1, reason }
    if (needed === null) yield* refusedAs({ ...intended, acceptance }, "nothing_to_accept")
    else {
      yield* refusedAs(intended, "acceptance_required")
      yield* refusedAs({ ...intended, acceptance: { ...acceptance, amount: needed.amount + 1 } }, "acceptance_differs")
      for (const none of ["", " \n", "a\0b", "x".repeat(501)]) {
        yield* refusedAs({ ...intended, acceptance: { ...acceptance, reason: none } }, "no_acceptance_reason")
      }
      for (const personal of ["A@example.com said so", "called +919999999999"]) {
        yield* refusedAs({ ...intended, acceptance: { ...acceptance, reason: personal } }, "reason_names_customer")
      }
    }
    const statement = { ...intended, evidence, version, ...(needed !== null && { acceptance }) }
    yield* reviews.resolve(tenant, id, statement)
    const after = yield* see(id)
    assert.strictEqual(after.statements, before.statements + 1)
    checkNamed(consequences, before, after)
    checkPromises(consequences, before.record, after.record)
    return needed === null ? "resolved" : "accepted"
  })

  const tally = new Map<string, number>()

  /** Up to the first that is not refused, which has changed the payment; what is left needs a new store. */
  const resolveFirst = Effect.fnUntraced(function* (record: PaymentRecord, all: ReadonlyArray<IntendedStatement>) {
    for (const [place, intended] of all.entries()) {
      const end = yield* resolveAsNamed(record, intended)
      tally.set(end, (tally.get(end) ?? 0) + 1)
      if (end === "accepted" || end === "resolved") return all.slice(place + 1)
    }
    return []
  })

  for (const [name, record] of reviewedRecords) {
    it.effect(`does what it named: ${name}`, () =>
      Effect.gen(function* () {
        assert.isNotEmpty(record.payment.reviews)
        let left = statements(record)
        while (left.length > 0) left = yield* inStore(record, resolveFirst(record, left))
      })
    )
  }

  it("was tried for each reason of a review, refused for each reason, and accepted", () => {
    const seen = new Set(reviewedRecords.flatMap(([, record]) => record.payment.reviews.map((review) => review.reason)))
    assert.deepStrictEqual([...seen].toSorted(), reviewReasons.toSorted())
    const ends = ["accepted", "amount_below_reports", "amount_does_not_fit", "does_not_fit", "needs_amount"]
    assert.deepStrictEqual([...tally.keys()].toSorted(), [...ends, "operation_in_review", "resolved"])
  })
})
