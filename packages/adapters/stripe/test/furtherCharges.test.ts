/** Several PaymentIntents of one create, as after a key that Stripe has forgotten: each is inquired about and refunded by its own id. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { IdempotencyKey } from "@paymux/core"
import { Effect } from "effect"
import { stripe } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { createOperation, laterOperation, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

describe("a further charge of a create", () => {
  it.live("is reported and refunded by its own reference, and one of another create is not", () =>
    Effect.gen(function* () {
      const vendor = yield* fake.start({ mode: "test" })
      const instance = yield* running(stripe(optionsOf(vendor)))
      const operation = yield* createOperation()
      // Boundary: the brand is given here.
      const again = { ...operation, key: "forgotten" as string as IdempotencyKey }
      for (const each of [operation, again, yield* createOperation()]) yield* instance.create(each)
      const inquired = (reference: string) => instance.inquire({ ...operation, reference })
      for (const reference of ["pi_vp_1", "pi_vp_2"]) {
        assert.deepInclude(yield* inquired(reference), { _tag: "Succeeded", reference, amount: operation.amount })
      }
      assert.deepStrictEqual(yield* inquired("pi_vp_3"), Outcome.notFound())
      yield* instance.refund(yield* laterOperation("refund", operation, "pi_vp_2"))
      const refunded = vendor.ledger.payments().map(({ refunds }) => refunds.map(({ minorUnits }) => minorUnits))
      assert.deepStrictEqual(refunded, [[], [17_050], []])
    }).pipe(Effect.scoped)
  )
})
