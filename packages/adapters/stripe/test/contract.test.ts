/** Every request of the adapter and every answer of its fake, put to the vendor's own specification. */
import { assert, describe, it } from "@effect/vitest"
import type { ScriptedOutcome, SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { stripe } from "../src/index.ts"
import { cards, fake } from "../src/testing/fake.ts"
import { card, createOperation, laterOperation, money, resident, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import { faultsOf, isLater, isThere, laterEndpoints, laterFields, skipped, webhookFaults } from "./specification.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const instance = yield* running(stripe(optionsOf(vendor)))
  const create = Effect.fnUntraced(function* (
    change: Parameters<typeof createOperation>[0],
    scripted: ScriptedOutcome = "approve"
  ) {
    yield* vendor.decide(scripted)
    const operation = yield* createOperation(change)
    const { reference } = yield* instance.create(operation)
    yield* vendor.payersAct
    yield* instance.inquire({ ...operation, reference: reference ?? null })
    return { operation, reference }
  })
  return { vendor, instance, create }
})

/** All that the adapter can send, and most of what it can be answered. */
const everything = Effect.gen(function* () {
  const { create, instance, vendor } = yield* begin
  const paid = yield* create({})
  const bare = { metadata: {}, returnUrl: null, description: null }
  yield* create({ ...bare, amount: money(500, "JPY"), method: card("ctoken_1") }, { decline: "insufficient_funds" })
  yield* create({ ...bare, method: card(cards.redirect) })
  yield* create({ method: card(cards.redirect) }, { decline: "payment_intent_authentication_failure" })
  yield* create({ method: card(cards.redirect) }, "wait")
  yield* create({ method: card(cards.script) }, "wait")
  yield* create({ method: card({ payment_method: "pm_1", customer: "cus_1" }) }, "wait")
  yield* create({ ...paid.operation, description: "in other words" })
  yield* create({ customer: resident, metadata: { 名前: "1", "order.id": "2" } })
  const held = yield* create({ captureMethod: "manual", amount: money(5_120, "KWD") })
  const released = yield* create({ captureMethod: "manual" })
  const page = yield* create({ method: card(null) }, "wait")
  yield* instance.inquire({ ...paid.operation, reference: "pi_unheard" })
  for (const { operation } of [paid, page]) yield* instance.inquire(operation)

  const capture = yield* laterOperation("capture", held.operation, held.reference, { amount: money(5_000, "KWD") })
  yield* instance.capture(capture)
  yield* instance.inquire(capture)
  yield* instance.capture(yield* laterOperation("capture", held.operation, held.reference))
  for (const { operation, reference } of [released, page, paid]) {
    yield* instance.cancel(yield* laterOperation("cancel", operation, reference))
  }
  const refund = yield* laterOperation("refund", paid.operation, paid.reference, { amount: money(1_005, "EUR") })
  yield* instance.inquire(refund)
  const { reference } = yield* instance.refund(refund)
  yield* instance.inquire({ ...refund, reference: reference ?? null })
  yield* Effect.ignore(instance.refund(yield* laterOperation("refund", paid.operation, paid.reference)))

  const strange = { ...optionsOf(vendor), secretKey: "sk_test_0" }
  yield* Effect.ignore((yield* running(stripe(strange))).create(yield* createOperation()))
  return yield* vendor.network.requests
})

const endpoints = (exchanges: ReadonlyArray<SeenRequest>) =>
  new Set(
    exchanges.map(({ method, path, status }) => {
      const place = path.split("?")[0]?.replaceAll(/\/(pi|re|cs)_\w+/g, "/:id") ?? ""
      return `${method} ${place} ${status}`
    })
  )

describe.skipIf(!isThere)(`the specification of Stripe${skipped}`, () => {
  it.live("has every request of the adapter and every answer of the fake, but for what is listed as later", () =>
    Effect.gen(function* () {
      const exchanges = yield* everything
      assert.deepStrictEqual(exchanges.filter((each) => !isLater(each)).flatMap(faultsOf), [])
      assert.deepStrictEqual(
        [...endpoints(exchanges)].toSorted(),
        [
          "GET /v1/checkout/sessions 200",
          "GET /v1/checkout/sessions/:id 200",
          "GET /v1/payment_intents 200",
          "GET /v1/payment_intents/:id 200",
          "GET /v1/payment_intents/:id 404",
          "GET /v1/refunds 200",
          "GET /v1/refunds/:id 200",
          "POST /v1/checkout/sessions 200",
          "POST /v1/checkout/sessions/:id/expire 200",
          "POST /v1/payment_intents 200",
          "POST /v1/payment_intents 400",
          "POST /v1/payment_intents 401",
          "POST /v1/payment_intents 402",
          "POST /v1/payment_intents/:id/cancel 200",
          "POST /v1/payment_intents/:id/cancel 400",
          "POST /v1/payment_intents/:id/capture 200",
          "POST /v1/payment_intents/:id/capture 400",
          "POST /v1/refunds 200",
          "POST /v1/refunds 400"
        ].toSorted()
      )
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is not in it: the check can fail", () =>
    Effect.gen(function* () {
      const [first] = yield* everything
      if (first === undefined) return assert.fail("no exchange")
      const wrong = (change: Partial<SeenRequest>) => faultsOf({ ...first, ...change }).length > 0
      const answer = JSON.parse(first.answer)
      assert.isFalse(wrong({}))
      assert.isTrue(wrong({ body: first.body.replace("capture_method", "capture_methodd") }))
      assert.isTrue(wrong({ body: first.body.replace("capture_method=automatic", "capture_method=whenever") }))
      assert.isTrue(wrong({ body: first.body.replace(/amount=\d+/, "amount=170.50") }))
      assert.isTrue(wrong({ body: first.body.replace(/(^|&)amount=\d+/, "") }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, amount: "17050" }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, status: "new" }) }))
      assert.isTrue(wrong({ path: "/v1/payment_intent" }))
      assert.isTrue(wrong({ headers: { ...first.headers, "idempotency-key": "1" } }))
    }).pipe(Effect.scoped)
  )

  it.live("has every webhook of the fake, but for those of a page", () =>
    Effect.gen(function* () {
      const { create, instance, vendor } = yield* begin
      const paid = yield* create({})
      yield* instance.refund(yield* laterOperation("refund", paid.operation, paid.reference))
      yield* create({}, { decline: "lost_card" })
      const held = yield* create({ captureMethod: "manual" })
      yield* instance.cancel(yield* laterOperation("cancel", held.operation, held.reference))
      yield* create({ method: card(null) })
      const { webhooks } = vendor
      if (webhooks === null) return assert.fail("Stripe sends webhooks")
      const events = yield* webhooks.events
      assert.lengthOf(events, 6)
      for (const event of events) {
        const { body } = yield* webhooks.deliver([event])
        assert.deepStrictEqual(webhookFaults(Buffer.from(body).toString()), [])
      }
    }).pipe(Effect.scoped)
  )

  it("is younger than the pinned version by these, each of which the SDK's types have", () => {
    const types = (name: string) =>
      readFileSync(new URL(`../node_modules/stripe/esm/resources/${name}.d.ts`, import.meta.url), "utf8")
    const intents = types("PaymentIntents")
    const params = intents.slice(intents.indexOf("export interface PaymentIntentCreateParams {"))
    const names = laterFields.map(({ field }) => field)
    assert.deepStrictEqual(names, ["allowed_payment_method_types", "confirmation_token"])
    for (const field of names) assert.include(params, `\n    ${field}?: `)
    assert.lengthOf(laterEndpoints, 2)
    for (const call of ["create(", "retrieve(", "list(", "expire("])
      assert.include(types("Checkout/Sessions"), `\n    ${call}`)
  })
})
