/** A page that is paid more than once: the payment has its money once, and each further charge is refunded. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Currency } from "../../src/domain/Money.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, eventsOf, idempotent, plain, read, reported, scripted, start, summary } from "./fixtures.ts"

const amount = { minorUnits: 1200, currency: "EUR" as Currency }

interface Page {
  /** By reference: the charge, and the refunds of it by their keys. */
  readonly charges: Map<string, { readonly minorUnits: number; readonly refunds: Map<string, number> }>
  readonly inquired: Array<string | null>
  /** The charge that is shown instead of the one that is named. */
  shownInstead: string | null
}

/** `chargesByReference`: as the provider declares it. */
const environment = Effect.fnUntraced(function* ({ chargesByReference = true } = {}) {
  const page: Page = { charges: new Map(), inquired: [], shownInstead: null }
  const shown = (reference: string | null) => {
    const charge = reference === null ? undefined : page.charges.get(reference)
    return charge === undefined || reference === null
      ? Outcome.notFound()
      : Outcome.succeeded({ reference, amount: { ...amount, minorUnits: charge.minorUnits } })
  }
  const refund = ({ amount: { minorUnits }, id, key, original }: ProviderOperation) =>
    Effect.sync(() => {
      const charge = page.charges.get(original?.reference ?? "")
      if (charge === undefined) return Outcome.declined({ code: "processing_error", retry: "never" })
      charge.refunds.set(key, minorUnits)
      return Outcome.succeeded({ reference: `re_${id}`, amount: { ...amount, minorUnits } })
    })
  const inquire = ({ kind, reference }: ProviderOperation) =>
    Effect.sync(() => {
      page.inquired.push(reference)
      return kind === "create" ? shown(page.shownInstead ?? reference) : Outcome.notFound()
    })
  const create = { ...idempotent, chargesByReference }
  const provider = scripted(
    "a",
    { create: () => Effect.succeed(Outcome.pending({ reference: "page" })), refund, inquire },
    create
  )
  const store = MemoryStore.make()
  const engine = yield* start(store, [provider], { reconciler: { every: 10_000 } })
  const creating = yield* Effect.forkChild(engine.create(), { startImmediately: true })
  yield* TestClock.adjust("11 seconds")
  const record = yield* Fiber.join(creating)
  const report = (reference: string, minorUnits = 1200) =>
    engine.payments.advance(
      reported(createOf(record), { _tag: "Succeeded", reference, amount: { ...amount, minorUnits } })
    )
  const pay = (reference: string, minorUnits = 1200) =>
    Effect.suspend(() => {
      page.charges.set(reference, { minorUnits, refunds: new Map() })
      return report(reference, minorUnits)
    })
  return {
    ...engine,
    page,
    pay,
    report,
    id: record.payment.id,
    current: read(store, record),
    events: eventsOf(store, record.payment.id),
    refunded: () =>
      [...page.charges].map(([reference, { refunds }]) => [
        reference,
        [...refunds.values()].reduce((sum, each) => sum + each, 0)
      ])
  }
})

describe("a page that is paid three times", () => {
  it.effect("has each charge beyond the first refunded, once inquiries about them have confirmed them", () =>
    Effect.gen(function* () {
      const { current, events, id, page, pay, payments, refunded, report } = yield* environment()
      for (const reference of ["ch_1", "ch_2", "ch_3"]) yield* pay(reference)
      yield* TestClock.adjust("5 minutes")
      for (const reference of ["ch_3", "ch_1", "ch_2"]) yield* report(reference)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(refunded(), [
        ["ch_1", 0],
        ["ch_2", 1200],
        ["ch_3", 1200]
      ])
      assert.includeMembers(page.inquired, ["ch_2", "ch_3"])
      const record = yield* current
      assert.deepStrictEqual(summary(record), {
        state: "succeeded",
        reviews: [],
        attempts: ["a succeeded"],
        later: ["reversal refund 1200 succeeded", "reversal refund 1200 succeeded"]
      })
      assert.strictEqual(record.operations[0]?.reference, "ch_1")
      const { amountCaptured, amountRefunded } = record.payment
      assert.deepStrictEqual([amountCaptured, amountRefunded], [1200, 0])
      assert.notInclude(yield* events, "payment.review_opened")
      // The payment's own charge can still be refunded, as a whole.
      yield* payments.refund(id, { minorUnits: 1200, reason: null }, plain)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* current).payment.amountRefunded, 1200)
      assert.deepStrictEqual(refunded()[0], ["ch_1", 1200])
    })
  )

  it.effect("has them in review while an inquiry does not confirm them, and nothing refunded", () =>
    Effect.gen(function* () {
      const { current, page, pay, refunded } = yield* environment()
      yield* pay("ch_1")
      yield* pay("ch_2")
      page.charges.delete("ch_2")
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(refunded(), [["ch_1", 0]])
      assert.deepStrictEqual(
        (yield* current).payment.reviews.map(({ minorUnits, reason, reference }) => [reason, reference, minorUnits]),
        [["duplicate_capture", "ch_2", 1200]]
      )
      assert.strictEqual((yield* current).payment.state.status, "succeeded")
    })
  )

  it.effect("has the others refunded where one of them cannot be confirmed", () =>
    Effect.gen(function* () {
      const { current, page, pay, refunded } = yield* environment()
      for (const reference of ["ch_1", "ch_2", "ch_3", "ch_4"]) {
        yield* pay(reference)
        if (reference === "ch_2") page.charges.delete(reference)
      }
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(refunded(), [
        ["ch_1", 0],
        ["ch_3", 1200],
        ["ch_4", 1200]
      ])
      assert.deepStrictEqual(
        (yield* current).payment.reviews.map(({ reference }) => reference),
        ["ch_2"]
      )
    })
  )

  it.effect("has none refunded while its own charge was only reported: the other one may be all that was paid", () =>
    Effect.gen(function* () {
      const { current, page, pay, refunded } = yield* environment()
      yield* pay("ch_1")
      page.charges.delete("ch_1")
      yield* pay("ch_2")
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(refunded(), [["ch_2", 0]])
      assert.includeMembers(page.inquired, ["ch_1", "ch_2"])
      assert.deepStrictEqual(summary(yield* current).reviews, ["duplicate_capture"])
    })
  )

  it.effect("has none refunded while its own charge is in question, which another charge does not answer", () =>
    Effect.gen(function* () {
      const { current, id, page, pay, payments, refunded } = yield* environment()
      yield* pay("ch_1")
      const create = createOf(yield* current)
      yield* payments.advance({ ...reported(create, { _tag: "NotBooked" }), source: "statement" })
      page.charges.delete("ch_1")
      yield* TestClock.adjust("2 hours")
      assert.include(summary(yield* current).reviews, "contradiction")
      yield* pay("ch_2")
      yield* payments.advance({
        ...reported({ provider: "a", providerReference: "ch_2" }, { _tag: "Succeeded", amount }),
        source: "inquiry"
      })
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(refunded(), [["ch_2", 0]], id)
      assert.sameMembers(summary(yield* current).reviews, ["contradiction", "duplicate_capture"])
    })
  )

  it.effect("has a charge in review where the inquiry about it shows another one", () =>
    Effect.gen(function* () {
      const { current, page, pay, refunded } = yield* environment()
      yield* pay("ch_1")
      page.shownInstead = "ch_1"
      yield* pay("ch_2")
      yield* TestClock.adjust("3 hours")
      assert.deepStrictEqual(
        refunded().map(([, minorUnits]) => minorUnits),
        [0, 0]
      )
      assert.deepStrictEqual(summary(yield* current).reviews, ["duplicate_capture"])
    })
  )

  it.effect("has a charge of another amount in review: it may be another payment's", () =>
    Effect.gen(function* () {
      const { current, pay, refunded } = yield* environment()
      yield* pay("ch_1")
      yield* pay("ch_2", 700)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(refunded(), [
        ["ch_1", 0],
        ["ch_2", 0]
      ])
      assert.deepStrictEqual(summary(yield* current).reviews, ["duplicate_capture"])
    })
  )

  it.effect("has them in review at a provider that cannot be asked for a charge", () =>
    Effect.gen(function* () {
      const { current, page, pay, refunded } = yield* environment({ chargesByReference: false })
      for (const reference of ["ch_1", "ch_2", "ch_3"]) yield* pay(reference)
      yield* TestClock.adjust("1 hour")
      assert.notInclude(page.inquired, "ch_2")
      assert.deepStrictEqual(
        refunded().map(([, minorUnits]) => minorUnits),
        [0, 0, 0]
      )
      assert.deepStrictEqual(summary(yield* current).reviews, ["duplicate_capture", "duplicate_capture"])
    })
  )

  it.effect("has a charge in review whose refund the provider refuses, beside one that is refunded", () =>
    Effect.gen(function* () {
      const { current, page, pay, payments, refunded } = yield* environment()
      yield* pay("ch_1")
      yield* pay("ch_2")
      yield* TestClock.adjust("1 minute")
      yield* pay("ch_3")
      yield* TestClock.adjust("1 minute")
      const failed = (yield* current).operations.find(({ charge }) => charge === "ch_3")
      assert.isDefined(failed)
      if (failed === undefined) return
      yield* payments.advance(reported(failed.id, { _tag: "RefundFailed" }))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(page.charges.get("ch_3")?.refunds.size, 1)
      assert.deepStrictEqual(refunded()[1], ["ch_2", 1200])
      assert.deepStrictEqual(
        (yield* current).payment.reviews.map(({ minorUnits, reason, reference }) => [reason, reference, minorUnits]),
        [["duplicate_capture", "ch_3", 1200]]
      )
    })
  )
})
