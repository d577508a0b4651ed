/** A provider that reports what a charge has captured so far, and keeps no record of each capture. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Currency } from "../../src/domain/Money.ts"
import type { OperationCapability } from "../../src/provider/Capabilities.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { cardOnHold, inquiryOnly, plain, read, scripted, start, summary } from "./fixtures.ts"

const totals: OperationCapability = {
  inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
  partial: true,
  reports: "total"
}

const total = (minorUnits: number) =>
  Outcome.succeeded({ reference: "ch_1", amount: { minorUnits, currency: "EUR" as Currency } })

/** Of a hold of 1200, a capture of 600 is lost and not found; the next is done, and the charge comes to `captured`. */
const capturedTwice = Effect.fnUntraced(function* (captured: number) {
  const store = MemoryStore.make()
  let charge: InquiryOutcome = Outcome.authorized({ reference: "ch_1" })
  const lost = Outcome.unknown({ reason: "timeout" })
  const answers = [lost, total(captured)]
  const engine = yield* start(
    store,
    [
      scripted(
        "a",
        {
          create: () => Effect.succeed(Outcome.authorized({ reference: "ch_1" })),
          capture: () => Effect.sync(() => answers.shift() ?? lost),
          refund: () => Effect.succeed(Outcome.succeeded()),
          inquire: ({ kind }) =>
            Effect.sync(() => (kind === "capture" && charge._tag === "Authorized" ? Outcome.notFound() : charge)),
          later: totals
        },
        inquiryOnly
      )
    ],
    { reconciler: { every: 600_000 } }
  )
  const record = yield* engine.create(cardOnHold)
  const capture = engine.payments.capture(record.payment.id, { minorUnits: 600 }, plain)
  yield* capture
  yield* TestClock.adjust("1 hour")
  assert.deepStrictEqual(summary(yield* read(store, record)).later, ["requested capture 600 not_executed"])
  charge = total(captured)
  yield* capture
  yield* TestClock.adjust("10 days")
  return yield* read(store, record)
})

describe("a capture that is found after another one was done", () => {
  it.effect("is the same money, where the charge comes to one of them", () =>
    Effect.gen(function* () {
      const now = yield* capturedTwice(600)
      assert.deepInclude(summary(now), { state: "succeeded", reviews: [] })
      assert.strictEqual(now.payment.amountCaptured, 600)
      assert.deepStrictEqual(
        summary(now).later.filter((each) => each.includes("refund")),
        []
      )
    })
  )

  it.effect("is too much, where the charge comes to both of them", () =>
    Effect.gen(function* () {
      const now = yield* capturedTwice(1200)
      assert.strictEqual(now.payment.amountCaptured, 600)
      assert.include(summary(now).later, "reversal refund 600 succeeded")
    })
  )
})
