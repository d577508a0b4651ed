/** Every request of the adapter and every answer of its fake, put to the vendor's own specification. */
import { assert, describe, it } from "@effect/vitest"
import type { ScriptedOutcome, SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { coinbase } from "../src/index.ts"
import { errorTypes } from "../src/testing/codes.ts"
import { fake } from "../src/testing/fake.ts"
import { bookOf, booksOf, idOf } from "../src/testing/objects.ts"
import { createOperation, dollars, laterOperation, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import { faultsOf, isThere, skipped, specifiedErrors, webhookFaults } from "./specification.ts"

const wallet = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", network: "base" } as const

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const instance = yield* running(coinbase(optionsOf(vendor)))
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
  const books = booksOf(vendor.ledger)
  const paid = yield* create({})
  const waiting = yield* create({ metadata: {}, returnUrl: null }, "wait")
  yield* create({}, { decline: "insufficient_funds" })
  const held = yield* create({ captureMethod: "manual", amount: dollars(5_120) })
  const released = yield* create({ captureMethod: "manual" })
  const lapsed = yield* create({ captureMethod: "manual" })
  yield* instance.create({ ...paid.operation, amount: dollars(1) })
  yield* instance.inquire(waiting.operation)
  yield* instance.inquire({ ...waiting.operation, reference: idOf("paymentSession", { id: "vp_99" }) })
  const direct = yield* running(coinbase({ ...optionsOf(vendor), target: wallet, refundWithinDays: 90 }))
  const toWallet = yield* createOperation()
  const { reference: walletSession } = yield* direct.create(toWallet)
  yield* vendor.payersAct
  yield* direct.refund(yield* laterOperation("refund", toWallet, walletSession))

  // Whose payers do nothing any more.
  const left = yield* create({}, "wait")
  const moving = yield* create({}, "wait")
  const last = (yield* vendor.payments).at(-1)
  if (last !== undefined) bookOf(vendor.ledger, last).isMoving = true
  yield* instance.inquire({ ...moving.operation, reference: moving.reference ?? null })

  const capture = yield* laterOperation("capture", held.operation, held.reference, { amount: dollars(5_000) })
  const { reference: captureId } = yield* instance.capture(capture)
  yield* instance.inquire({ ...capture, reference: captureId ?? null })
  yield* instance.capture(yield* laterOperation("capture", held.operation, held.reference))
  books.captures = "fail"
  yield* instance.capture(yield* laterOperation("capture", lapsed.operation, lapsed.reference))
  yield* instance.inquire({ ...lapsed.operation, reference: lapsed.reference ?? null })
  for (const { operation, reference } of [released, left, moving, paid]) {
    const cancel = yield* laterOperation("cancel", operation, reference)
    const { reference: voidId } = yield* instance.cancel(cancel)
    yield* instance.inquire({ ...cancel, reference: voidId ?? null })
  }
  books.ahead = 8 * 86_400_000
  yield* instance.inquire({ ...lapsed.operation, reference: lapsed.reference ?? null })
  books.isBare = true
  for (const { operation, reference } of [paid, released]) {
    yield* instance.inquire({ ...operation, reference: reference ?? null })
  }

  const refund = yield* laterOperation("refund", paid.operation, paid.reference, { amount: dollars(1_005) })
  const { reference } = yield* instance.refund(refund)
  yield* instance.inquire({ ...refund, reference: reference ?? null })
  yield* Effect.ignore(instance.refund(yield* laterOperation("refund", paid.operation, paid.reference)))

  for (const type of ["charge", "refund"] as const) vendor.ledger.book({ type, amount: dollars(2_000) })
  const [first] = yield* vendor.payments
  vendor.ledger.book({ type: "refund", amount: dollars(5), ...(first !== undefined && { payment: first.id }) })
  const read = instance.statement({ since: 0, until: Number.MAX_SAFE_INTEGER, cursor: null })
  assert.isAbove((yield* read).movements.length, 5)
  books.isBare = false
  assert.isAbove((yield* read).movements.length, 5)

  const strange = { ...optionsOf(vendor), apiKeyId: "another" }
  yield* Effect.ignore((yield* running(coinbase(strange))).create(yield* createOperation()))
  return yield* vendor.network.requests
})

const endpoints = (exchanges: ReadonlyArray<SeenRequest>) =>
  new Set(
    exchanges.map(({ method, path, status }) => {
      const place =
        path
          .split("?")[0]
          ?.replaceAll(/\/\w+_[\da-f-]{36}/g, "/:id")
          .replace("/platform/v2", "") ?? ""
      return `${method} ${place} ${status}`
    })
  )

describe.skipIf(!isThere)(`the specification of Coinbase${skipped}`, () => {
  it.live("has every request of the adapter and every answer of the fake", () =>
    Effect.gen(function* () {
      const exchanges = yield* everything
      assert.deepStrictEqual(exchanges.flatMap(faultsOf), [])
      assert.deepStrictEqual(
        [...endpoints(exchanges)].toSorted(),
        [
          "GET /payment-sessions 200",
          "GET /payment-sessions/:id 200",
          "GET /payment-sessions/:id 404",
          "GET /payment-sessions/:id/authorizations 200",
          "GET /payment-sessions/:id/captures 200",
          "GET /payment-sessions/:id/captures/:id 200",
          "GET /payment-sessions/:id/refunds 200",
          "GET /payment-sessions/:id/refunds/:id 200",
          "GET /payment-sessions/:id/voids 200",
          "GET /payment-sessions/:id/voids/:id 200",
          "POST /payment-sessions 200",
          "POST /payment-sessions 401",
          "POST /payment-sessions 422",
          "POST /payment-sessions/:id/cancel 200",
          "POST /payment-sessions/:id/captures 200",
          "POST /payment-sessions/:id/captures 400",
          "POST /payment-sessions/:id/refunds 200",
          "POST /payment-sessions/:id/refunds 400",
          "POST /payment-sessions/:id/voids 200"
        ].toSorted()
      )
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is not in it: the check can fail", () =>
    Effect.gen(function* () {
      const [first] = yield* everything
      if (first === undefined) return assert.fail("no exchange")
      const wrong = (change: Partial<SeenRequest>) => faultsOf({ ...first, ...change }).length > 0
      const body = JSON.parse(first.body)
      const answer = JSON.parse(first.answer)
      assert.isFalse(wrong({}))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, amount: 170.5 }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, autocapture: true }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, target: { ...body.target, news: 1 } }) }))
      assert.isTrue(wrong({ body: JSON.stringify({ ...body, expiries: { authorizationExpiresAt: "soon" } }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, status: "new" }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, news: 1 }) }))
      assert.isTrue(wrong({ answer: JSON.stringify({ ...answer, balances: { ...answer.balances, news: "1" } }) }))
      assert.isTrue(wrong({ path: "/platform/v2/payment-session" }))
      assert.isTrue(wrong({ status: 418 }))
      assert.isTrue(wrong({ headers: { ...first.headers, "x-idempotency-key": "1" } }))
      assert.isTrue(wrong({ headers: { ...first.headers, authorization: "Bearer none" } }))
    }).pipe(Effect.scoped)
  )

  it.live("has every webhook of the fake", () =>
    Effect.gen(function* () {
      const { create, instance, vendor } = yield* begin
      const paid = yield* create({})
      yield* instance.refund(yield* laterOperation("refund", paid.operation, paid.reference))
      yield* create({}, { decline: "insufficient_funds" })
      for (const kind of ["capture", "cancel"] as const) {
        const held = yield* create({ captureMethod: "manual" })
        yield* instance[kind](yield* laterOperation(kind, held.operation, held.reference))
      }
      const left = yield* create({}, "wait")
      yield* instance.cancel(yield* laterOperation("cancel", left.operation, left.reference))
      const { webhooks } = vendor
      if (webhooks === null) return assert.fail("Coinbase sends webhooks")
      const types = new Set<string>()
      for (const event of yield* webhooks.events) {
        const { body, headers } = yield* webhooks.deliver([event])
        types.add(headers["x-event-type"]?.split(".").at(-1) ?? "")
        assert.deepStrictEqual(webhookFaults(Buffer.from(body).toString()), [])
      }
      assert.sameMembers(
        [...types],
        [
          "authorization_failed",
          "authorization_succeeded",
          "canceled",
          "capture_succeeded",
          "refund_succeeded",
          "void_succeeded"
        ]
      )
    }).pipe(Effect.scoped)
  )

  it("has the error types that the tests go by, and no others", () => {
    assert.sameMembers([...specifiedErrors()], errorTypes)
  })
})
