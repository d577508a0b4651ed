/** An account that may not take a payment, by the real engine: what becomes of this payment, and of the ones after it. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { Effect, Fiber } from "effect"
import { type AccountFaultBody, accountFaults } from "./foreign/bodies.ts"
import { environment } from "./testEnvironment.ts"

/** What the vendor answers to the next payment, and the payment that it is about. */
const refusedBy = Effect.fnUntraced(function* (
  instances: ReadonlyArray<string>,
  { body, call, status }: AccountFaultBody
) {
  const running = yield* environment(instances)
  yield* running.network.failNext({ executed: false, reply: { status, json: body } })
  const id = yield* running.create({ link: call === "create_hosted" })
  return { ...running, id, record: yield* running.current(id) }
})

const taken = ({ provider, status }: PaymentRecord["attempts"][number]) => [provider, status]

describe("an account fault at Adyen", () => {
  for (const fault of accountFaults) {
    const { about } = fault.expected
    it.effect(
      `${fault.id}: the next provider is tried, and the next 20 payments of another kind reach the same one`,
      () =>
        Effect.gen(function* () {
          const { create, current, record, sent } = yield* refusedBy(["adyen", "adyen_us"], fault)
          const isLink = fault.call === "create_hosted"
          assert.deepStrictEqual(record.attempts.map(taken), [
            ["adyen", "not_executed"],
            ["adyen_us", isLink ? "pending" : "succeeded"]
          ])
          assert.lengthOf(yield* sent, 2)
          for (let count = 0; count < 20; count++) {
            // Only what is about a kind is remembered: otherwise it is the same kind.
            const id = yield* create({ currency: about === "kind" && !isLink ? "USD" : "EUR" })
            assert.deepStrictEqual((yield* current(id)).attempts.map(taken), [["adyen", "succeeded"]])
          }
        }).pipe(Effect.scoped)
    )

    it.effect(`${fault.id}: alone it fails for a reason of the account, and is not called an invalid request`, () =>
      Effect.gen(function* () {
        const { state } = (yield* refusedBy(["adyen"], fault)).record.payment
        if (state.status !== "failed") return assert.fail(`the payment is ${state.status}`)
        const { code, message } = state.failure
        assert.strictEqual(code, about === "kind" || about === "payment" ? "account_not_enabled" : "details_required")
        assert.match(message, /^The account at the provider (is not enabled|requires )/)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("after a send without an answer proves nothing: no other provider is tried", () =>
    Effect.gen(function* () {
      const { create, current, network, pass, sent } = yield* environment(["adyen", "adyen_us"])
      const [fault] = accountFaults
      if (fault === undefined) return assert.fail("no account fault")
      yield* network.failNext({ executed: true, reply: "reset" })
      for (const send of [1, 2, 3]) {
        yield* network.failNext({ executed: false, reply: { status: fault.status, json: fault.body } }, send)
      }
      const creating = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* pass(60_000)
      const id = yield* Fiber.join(creating)
      const { attempts, payment } = yield* current(id)
      assert.deepInclude(payment.state, { status: "pending", reason: "outcome_unknown" })
      assert.lengthOf(attempts, 1)
      assert.isAbove((yield* sent).length, 1)
    }).pipe(Effect.scoped)
  )
})
