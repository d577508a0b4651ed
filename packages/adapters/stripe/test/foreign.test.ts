/**
 * Bodies of Stripe that others have published, over real HTTP: `foreign/bodies.json` names the source of each, what is assumed about
 * it, and what it must mean. The expectations were written before the adapter could read the bodies.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Outcome, ProviderOperation } from "@paymux/core"
import { Effect, Result } from "effect"
import { createHmac } from "node:crypto"
import { stripe } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { bodies, type Body } from "./foreign/bodies.ts"
import { card, createOperation, laterOperation, money, running } from "./operations.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  return { vendor, instance: yield* running(stripe(optionsOf(vendor))) }
})

/** What the adapter makes of the body, as the expectation says it. */
const read = Effect.fnUntraced(function* (
  { body, call, status }: Pick<Body, "body" | "call" | "status">,
  change: Partial<ProviderOperation> = {}
) {
  const { instance, vendor } = yield* begin
  const create = yield* createOperation({
    amount: money(10_000, "USD"),
    method: card(call === "create_hosted" ? null : "pm_card_visa"),
    ...change
  })
  if (call === "webhook") {
    const text = JSON.stringify(body).replace("<the operation>", create.id)
    const at = Date.now()
    const time = Math.floor(at / 1000)
    const signature = createHmac("sha256", vendor.credentials.webhookSecret).update(`${time}.${text}`).digest("hex")
    const headers = { "stripe-signature": `t=${time},v1=${signature}` }
    const [reported] = yield* instance.webhook(new TextEncoder().encode(text), headers, at)
    return reported === undefined ? "nothing" : meaningOf(reported.outcome)
  }
  const refund = yield* laterOperation("refund", create, "pi_1")
  yield* vendor.network.failNext({ executed: false, reply: { status, json: body } })
  const result = yield* Effect.result(call === "refund" ? instance.refund(refund) : instance.create(create))
  if (Result.isSuccess(result)) return meaningOf(result.success)
  const { reason } = result.failure
  switch (reason._tag) {
    case "AccountNotEnabled":
      return { class: "account_not_enabled", about: reason.about, code: reason.code }
    case "Misconfigured":
      return { class: "credentials", code: reason.detail }
    case "InvalidRequest":
      return { class: "request" }
    case "RateLimited":
      return { class: "rate_limited" }
  }
})

const meaningOf = (outcome: Outcome.Outcome | Outcome.NotFound): object => {
  switch (outcome._tag) {
    case "Declined":
      return { class: "declined", code: outcome.code, retry: outcome.retry }
    case "Unknown":
      return { class: "unknown", code: outcome.vendorCode }
    default:
      return outcome
  }
}

/** A payment without the fact, and with all that come before it. */
const without = (fact: string): Partial<ProviderOperation> => ({
  customer: {
    email: "asha@example.com",
    phone: null,
    name: fact === "customer.name" ? null : "Asha Rao",
    address: null
  },
  ...(fact === "description" && { description: null })
})

describe("published bodies of Stripe", () => {
  for (const body of bodies) {
    it.live(`${body.id} is ${body.expected.class}`, () =>
      Effect.gen(function* () {
        const { expected } = body
        if (expected.class !== "account_not_enabled") {
          assert.deepInclude(yield* read(body), expected)
          return
        }
        for (const about of expected.about) {
          const { about: _, ...rest } = expected
          assert.deepInclude(yield* read(body, without(about)), { ...rest, about })
        }
      }).pipe(Effect.scoped)
    )
  }

  it("are 31, of which 17 are about the account", () => {
    assert.lengthOf(bodies, 31)
    assert.lengthOf(
      bodies.filter(({ expected }) => expected.class === "account_not_enabled"),
      17
    )
  })

  it.live("in INR the country of the card decides, not the account alone: an export is refused for this payment", () =>
    Effect.gen(function* () {
      const [body] = bodies.filter(({ id }) => id === "st-04-india-not-a-business")
      if (body === undefined) return assert.fail("no such body")
      assert.deepInclude(yield* read(body, { amount: money(10_000, "INR") }), {
        class: "account_not_enabled",
        about: "payment"
      })
    }).pipe(Effect.scoped)
  )
})
