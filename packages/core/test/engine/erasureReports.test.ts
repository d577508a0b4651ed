import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { isFullyErased, erased } from "../../src/domain/erasure.ts"
import { Erasure } from "../../src/execution/records/Erasure.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { eventBody } from "../../src/wire/EventJson.ts"
import { asked, paid } from "../domain/records.ts"
import { createOf, read, scripted, start, tenant, reported } from "./fixtures.ts"

describe("the report of an erasure", () => {
  it.effect("shows its progress and lists the remaining payments by id", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: () => Effect.succeed(Outcome.pending({})) })])
      const layer = Layer.provide(Erasure.layer(), Layer.succeed(PaymentStore, store))
      const { erase } = Context.get(yield* Layer.build(layer), Erasure)
      const ids: Array<string> = []
      // Ids sort by their millisecond.
      const made = yield* Effect.forEach([1, 2, 3], () =>
        Effect.tap(engine.create(), ({ payment }) =>
          Effect.andThen(
            TestClock.adjust(1),
            Effect.sync(() => ids.push(payment.id))
          )
        )
      )
      const [first, second, third] = made.map(({ payment }) => payment.id)
      const shown: Array<number> = []
      const { left } = yield* erase(
        tenant,
        [third, first, second].flatMap((id) => id ?? []),
        (share) => Effect.sync(() => void shown.push(share))
      )
      assert.deepStrictEqual(
        left.map(({ payment }) => payment),
        ids
      )
      assert.deepStrictEqual(shown, [1 / 3, 2 / 3, 1])
    })
  )

  it.effect("without an erased payment leaves the store as it is", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const engine = yield* start(store, [scripted("a", { create: () => Effect.succeed(Outcome.pending({})) })])
      const { payment } = yield* engine.create()
      let cuts = 0
      const cutBack = () => Effect.sync(() => void cuts++)
      const counting = Layer.succeed(PaymentStore, { ...store, erasure: { ...store.erasure, cutBack } })
      const { erase } = Context.get(yield* Layer.build(Layer.provide(Erasure.layer(), counting)), Erasure)
      assert.deepStrictEqual((yield* erase(tenant, [payment.id])).left, [{ payment: payment.id, reason: "pending" }])
      assert.strictEqual(cuts, 0)
    })
  )

  it.effect(
    "leaves a payment in review; once it is resolved, the events of the review have no personal data and keep the review",
    () =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const engine = yield* start(store, [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })])
        const layer = Layer.provide(Erasure.layer(), Layer.succeed(PaymentStore, store))
        const { erase } = Context.get(yield* Layer.build(layer), Erasure)
        const record = yield* engine.create()
        const { id } = record.payment
        yield* engine.payments.advance(reported(createOf(record), { _tag: "CaptureFailed" }))
        assert.deepStrictEqual((yield* erase(tenant, [id])).left, [{ payment: id, reason: "in_review" }])
        const review = (yield* read(store, record)).payment.reviews[0]?.id ?? ""
        yield* engine.reviews.resolve(tenant, id, { subject: { review }, resolution: "dismissed", evidence: "seen" })
        const before = yield* store.erasure.eventsOf(id)
        assert.deepStrictEqual(yield* erase(tenant, [id]), { erased: 1, already: 0, left: [] })
        const after = yield* store.erasure.eventsOf(id)
        assert.deepStrictEqual(
          after.map((event) => [event.type, event.review !== null]),
          [
            ["payment.succeeded", false],
            ["payment.capture_failed", false],
            ["payment.review_opened", true],
            ["payment.review_resolved", true]
          ]
        )
        assert.deepStrictEqual(
          after.map((event) => event.review),
          before.map((event) => event.review)
        )
        for (const event of after) assert.notMatch(eventBody(event), /asha|9999999999/i)
        assert.deepStrictEqual(yield* erase(tenant, [id]), { erased: 0, already: 1, left: [] })
      })
  )

  it("is incomplete while the reason of one refund remains", () => {
    const before = asked(asked(paid, "r", { kind: "refund", reason: "Asha called" }), "s", { kind: "refund" })
    const after = erased(before, 2000)
    assert.isTrue(isFullyErased(after, [], []))
    assert.isFalse(isFullyErased({ ...after, operations: before.operations }, [], []))
  })
})
