import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { books, withNotifier } from "./Books.ts"
import { collect, operation, start } from "./Harness.ts"

describe.each(books)("the book $name", ({ layer }) => {
  it.effect("forgets a payer and nothing else, and goes on with the story", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const asked = operation(1, { method: collect("asha@okbank"), description: "Asha's order" })
      const other = operation(2, { method: collect("ravi@okbank"), description: "Ravi's order" })
      for (const each of [asked, other]) yield* sandbox.at("sandbox_upi_a").create(each)
      const [before] = yield* sandbox.ledger.findByPayment(asked.paymentId)
      const theirs = yield* sandbox.ledger.findByPayment(other.paymentId)
      assert.deepInclude(before, { method: "upi collect asha@okbank", description: "Asha's order" })

      yield* sandbox.ledger.forgetPayer(asked.paymentId)
      const [after] = yield* sandbox.ledger.findByPayment(asked.paymentId)
      const revision = (before?.revision ?? 0) + 1
      assert.deepStrictEqual(after, {
        ...(before ?? assert.fail("it was written")),
        method: "upi collect",
        description: null,
        returnUrl: null,
        revision
      })
      assert.deepStrictEqual(yield* sandbox.ledger.findByPayment(other.paymentId), theirs)

      // A step that was decided on what stood before is decided anew.
      yield* TestClock.adjust("5 seconds")
      const [paid] = yield* sandbox.ledger.findByPayment(asked.paymentId)
      assert.deepInclude(paid, { state: "approved", method: "upi collect", description: null })
      assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
    }).pipe(Effect.provide(withNotifier(layer)))
  )
})
