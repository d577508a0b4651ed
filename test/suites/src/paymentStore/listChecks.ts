import type { Payment, PaymentId, PaymentRecord } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import {
  various,
  matches,
  isBeyond,
  october,
  slice,
  atAnotherTime,
  inAnotherSlice,
  inOneOfThreeSlices,
  aRecordOf,
  queries,
  range
} from "./listSamples.ts"
import { anOperation, aRecord, aResolution, nextVersion, operationId, paymentId, tenant } from "./records.ts"

export const listChecks = (check: StoreCheck): void => {
  check(
    "pages from the newest to the oldest show everything once, whatever is inserted meanwhile",
    Effect.gen(function* () {
      const initial = range(100, 199)
      yield* beginAll(initial)
      const seen: Array<PaymentId> = []
      let inserted = 1_000
      let position: ListQuery["position"] = null
      let hasMore = true
      while (hasMore) {
        const page: PageIds = yield* listed({ limit: 7, position })
        seen.push(...page.ids)
        hasMore = page.hasMore
        position = { side: "after", id: last(page.ids) }
        yield* beginAll([inserted++, inserted++])
      }
      assert.deepStrictEqual(seen, newestFirst(initial))
    })
  )

  check(
    "pages back from the oldest are nearest to their cursor, newest first, and show everything once",
    Effect.gen(function* () {
      yield* beginAll(range(100, 149))
      const seen: Array<PaymentId> = []
      let position: NonNullable<ListQuery["position"]> = { side: "before", id: paymentId(100) }
      let hasMore = true
      while (hasMore) {
        const page: PageIds = yield* listed({ limit: 8, position })
        assert.deepStrictEqual(page.ids, page.ids.toSorted().toReversed())
        seen.unshift(...page.ids)
        hasMore = page.hasMore
        position = { side: "before", id: first(page.ids) }
      }
      assert.deepStrictEqual(seen, newestFirst(range(101, 149)))
    })
  )

  check(
    "hasMore says whether payments lie beyond the page, in the direction that was asked for",
    Effect.gen(function* () {
      yield* beginAll(range(1, 10))
      const after = (n: number) => ({ side: "after" as const, id: paymentId(n) })
      const before = (n: number) => ({ side: "before" as const, id: paymentId(n) })
      assert.isFalse((yield* listed({ limit: 10 })).hasMore)
      assert.isTrue((yield* listed({ limit: 9 })).hasMore)
      assert.isFalse((yield* listed({ limit: 4, position: after(5) })).hasMore)
      assert.isTrue((yield* listed({ limit: 3, position: after(5) })).hasMore)
      assert.isFalse((yield* listed({ limit: 5, position: before(5) })).hasMore)
      assert.isTrue((yield* listed({ limit: 4, position: before(5) })).hasMore)
      assert.deepStrictEqual(yield* listed({ position: after(1) }), { ids: [], hasMore: false })
      assert.deepStrictEqual(yield* listed({ position: before(10) }), { ids: [], hasMore: false })
    })
  )

  check(
    "records of a page are whole",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* beginAll(range(1, 5))
      const page = yield* store.list(tenant, everyPayment)
      assert.deepStrictEqual(page.records, range(1, 5).toReversed().map(various))
    })
  )

  check(
    "filters alone and together leave exactly what matches all of them, on every page",
    Effect.gen(function* () {
      const all = range(1, 300)
      yield* beginAll(all)
      const matching = (query: ListQuery) => newestFirst(all.filter((n) => matches(query, various(n))))
      for (const query of queries()) {
        const expected = matching(query)
        const beyond = (id: PaymentId) =>
          query.position === null || (query.position.side === "after" ? id < query.position.id : id > query.position.id)
        const candidates = expected.filter(beyond)
        const page =
          query.position?.side === "before" ? candidates.slice(-query.limit) : candidates.slice(0, query.limit)
        assert.deepStrictEqual(
          yield* listed(query),
          { ids: page, hasMore: candidates.length > query.limit },
          JSON.stringify(query)
        )
      }
    })
  )

  check(
    "a time of creation leaves exactly what was created then, also where the time in an id is another",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const all = range(0, 119).map(atAnotherTime)
      yield* Effect.forEach(all, (payment) => store.begin({ record: aRecordOf(payment), binding: null }))
      const ids = all.map(({ id }) => id).toSorted()
      for (const time of [0, 1, october - 3_600_000, october, ...range(0, 20).map((n) => october + n * 997), 2 ** 47]) {
        for (const filter of [
          { createdAfter: time },
          { createdBefore: time },
          { createdAfter: time - 5_000, createdBefore: time + 5_000 },
          { createdBefore: time, status: ["failed" as const, "canceled" as const] },
          {
            createdAfter: time,
            customerEmail: ["payer@example.com"],
            position: { side: "after" as const, id: first(ids) }
          },
          { createdBefore: time, position: { side: "before" as const, id: ids[40] ?? first(ids) } },
          { createdAfter: time, position: { side: "after" as const, id: ids[80] ?? first(ids) } }
        ]) {
          const query: ListQuery = { ...everyPayment, limit: 200, ...filter }
          const expected = all.filter((payment) => matches(query, aRecordOf(payment)) && isBeyond(query, payment.id))
          assert.deepStrictEqual(
            (yield* listed(query)).ids,
            expected
              .map(({ id }) => id)
              .toSorted()
              .toReversed(),
            JSON.stringify(query)
          )
        }
      }
    })
  )

  check(
    "a range of amounts leaves exactly the payments in it, on every page, however far apart in time they are",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const all = [...range(0, 149).map(inAnotherSlice), ...range(150, 2_899).map(inOneOfThreeSlices)]
      const begin = (payment: Payment) => store.begin({ record: aRecordOf(payment), binding: null })
      yield* Effect.forEach(all, begin, { concurrency: "unbounded", discard: true })
      const whole: Partial<ListQuery> = { currency: ["USD"], limit: 3_000 }
      for (const filter of [
        { amountMin: 40 },
        { amountMax: 40 },
        { amountMin: 17, amountMax: 17 },
        { amountMin: 900 },
        { amountMin: 5, amountMax: 6, status: ["canceled" as const] },
        { amountMin: 10, amountMax: 90, createdAfter: october + 150 * slice, createdBefore: october + 1_700 * slice },
        { amountMin: 10, amountMax: 90, status: ["failed" as const] },
        { amountMin: 10, currency: ["USD", "EUR"] }
      ]) {
        const query: ListQuery = { ...everyPayment, ...whole, ...filter }
        const expected = all
          .filter((payment) => matches(query, aRecordOf(payment)))
          .map(({ id }) => id)
          .toSorted()
          .toReversed()
        assert.deepStrictEqual((yield* listed(query)).ids, expected, JSON.stringify(filter))
        for (const side of ["after", "before"] as const) {
          const seen: Array<PaymentId> = []
          let page: PageIds = yield* listed({
            ...query,
            limit: 130,
            position: side === "after" ? null : { side, id: paymentId(0) }
          })
          seen.push(...page.ids)
          while (page.hasMore) {
            const position = { side, id: side === "after" ? last(page.ids) : first(page.ids) }
            page = yield* listed({ ...query, limit: 130, position })
            if (side === "after") seen.push(...page.ids)
            else seen.unshift(...page.ids)
          }
          assert.deepStrictEqual(seen, expected, `${side} ${JSON.stringify(filter)}`)
        }
      }
    })
  )

  check(
    "payments in review are listed until their review ends",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      yield* beginAll(range(1, 40))
      const inReview = () => Effect.map(listed({ inReview: true, limit: 100 }), ({ ids }) => ids)
      assert.deepStrictEqual(yield* inReview(), newestFirst([11, 22, 33]))
      const before = various(22)
      const after = nextVersion(before, { reviews: [], resolutions: [aResolution(22)] })
      yield* store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
      assert.deepStrictEqual(yield* inReview(), newestFirst([11, 33]))
      assert.deepStrictEqual((yield* listed({ inReview: true, currency: [after.payment.amount.currency] })).ids, [])
    })
  )

  check(
    "metadata is found by values that other payments' metadata cannot disturb, whatever characters it holds",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const strange = { "nul\u0000": "\u0000", half: "\ud800", "\u001a": "\u001a0000" }
      yield* store.begin({ record: aRecord(1, { metadata: strange }), binding: null })
      yield* store.begin({ record: aRecord(2, { metadata: { half: "whole" } }), binding: null })
      for (const [key, value] of Object.entries(strange)) {
        assert.deepStrictEqual((yield* listed({ metadata: { [key]: [value, "another"] } })).ids, [paymentId(1)])
      }
      assert.deepStrictEqual((yield* listed({ metadata: { half: ["whole"] } })).ids, [paymentId(2)])
    })
  )

  check(
    "a payment without an e-mail address is listed, and found by no e-mail address, not even an empty one",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const customer = { email: null, phone: "+4915112345678", name: null, address: null }
      yield* store.begin({ record: aRecord(1, { customer }), binding: null })
      yield* store.begin({ record: aRecord(2), binding: null })
      assert.deepStrictEqual((yield* listed({})).ids, newestFirst([1, 2]))
      const found = (...customerEmail: ReadonlyArray<string>) => Effect.map(listed({ customerEmail }), ({ ids }) => ids)
      for (const text of ["", " ", "null", "undefined"]) assert.deepStrictEqual(yield* found(text), [], text)
      assert.deepStrictEqual(yield* found("", "payer@example.com"), [paymentId(2)])
      assert.deepStrictEqual((yield* listed({ customerEmail: [""], status: ["pending"] })).ids, [])
      assert.deepStrictEqual((yield* store.get(paymentId(1)))?.payment.customer, customer)
    })
  )

  check(
    "several values of one filter mean any of them, also more than any index is walked for",
    Effect.gen(function* () {
      yield* beginAll(range(1, 60))
      for (const count of [2, 100, 400]) {
        const customerEmail = range(1, count).map((n) => `payer${n}@example.com`)
        const found = range(1, Math.min(60, count)).filter((n) => n % 7 !== 0 && n % 17 !== 0)
        const expected = newestFirst(found)
        assert.deepStrictEqual((yield* listed({ limit: 100, customerEmail })).ids, expected, `${count} values`)
        const failed = newestFirst(found.filter((n) => various(n).payment.state.status === "failed"))
        assert.deepStrictEqual((yield* listed({ customerEmail, status: ["failed"] })).ids, failed, `${count}, failed`)
        const page = yield* listed({ limit: 1, customerEmail, position: { side: "before", id: last(expected) } })
        assert.deepStrictEqual(page, { ids: expected.slice(-2, -1), hasMore: expected.length > 2 }, `${count}, before`)
      }
    })
  )

  check(
    "a tenant sees its own payments only, by list and by id; so do the modes of one account",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const tenants = [
        { account: "a", livemode: false },
        { account: "a", livemode: true },
        { account: "b", livemode: false }
      ]
      for (const [index, own] of tenants.entries()) {
        yield* store.begin({ record: aRecord(index + 1, own), binding: null })
      }
      for (const [index, own] of tenants.entries()) {
        const id = paymentId(index + 1)
        for (const query of [everyPayment, { ...everyPayment, status: ["pending" as const], createdAfter: 0 }]) {
          const page = yield* store.list(own, query)
          assert.deepStrictEqual(
            page.records.map(({ payment }) => payment.id),
            [id]
          )
        }
        for (const other of tenants) {
          const found = yield* store.find(other, id)
          assert.strictEqual(found?.payment.id, other === own ? id : undefined)
        }
      }
    })
  )

  check(
    "a payment is found by any of its operations, and by a reference at its own provider only",
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const record: PaymentRecord = {
        ...aRecord(1),
        operations: [
          anOperation(1, 1, { reference: "order_1", status: "succeeded" }),
          anOperation(1, 2, { reference: "refund_1", kind: "refund", attemptSeq: 1 })
        ]
      }
      yield* store.begin({ record, binding: null })
      yield* store.begin({ record: aRecord(2), binding: null })
      assert.deepStrictEqual(yield* store.findByOperation(operationId(1, 1)), record)
      assert.deepStrictEqual(yield* store.findByOperation(operationId(1, 2)), record)
      assert.deepStrictEqual(yield* store.findByReference("acme", "order_1"), record)
      assert.deepStrictEqual(yield* store.findByReference("acme", "refund_1"), record)
      assert.isNull(yield* store.findByReference("other", "order_1"))
      assert.isNull(yield* store.findByReference("acme", "order_2"))
    })
  )
}

interface PageIds {
  readonly ids: ReadonlyArray<PaymentId>
  readonly hasMore: boolean
}

const listed = Effect.fnUntraced(function* (query: Partial<ListQuery>) {
  const store = yield* PaymentStore
  const { hasMore, records } = yield* store.list(tenant, { ...everyPayment, ...query })
  const page: PageIds = { ids: records.map(({ payment }) => payment.id), hasMore }
  return page
})

const beginAll = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
  const store = yield* PaymentStore
  yield* Effect.forEach(numbers, (n) => store.begin({ record: various(n), binding: null }), {
    concurrency: "unbounded",
    discard: true
  })
})

const newestFirst = (numbers: ReadonlyArray<number>) => numbers.map(paymentId).toReversed()
const first = (ids: ReadonlyArray<PaymentId>) => ids[0] ?? paymentId(0)
const last = (ids: ReadonlyArray<PaymentId>) => ids[ids.length - 1] ?? paymentId(0)
