/** The names that providers see: two requests that may both take or return money never share one. */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { make } from "../../src/domain/Ids.ts"
import type { Origin } from "../../src/domain/Ids.ts"
import { createOrigin, ownOrigin, paymentOrigin, requestedOrigin } from "../../src/domain/origins.ts"
import type { RequestName } from "../../src/domain/origins.ts"
import type { PaymentRecord, Tenant } from "../../src/domain/Payment.ts"
import { asked, attempt, operation, paid } from "./records.ts"

const digest = (text: string) => createHmac("sha256", "one installation").update(text).digest()
const ids = make(
  (length) => new Uint8Array(length),
  () => 0,
  digest
)
const keyOf = (origin: Origin): string => ids.operation(origin).key

/** Of the create at a provider, for a request with a key. */
const createKey = (tenant: Tenant, asked: RequestName, provider: string): string =>
  keyOf(createOrigin({ ...tenant, id: ids.payment(paymentOrigin(tenant, asked)) }, provider))

const test = { account: "shop", livemode: false }
const live = { account: "shop", livemode: true }
const request = { endpoint: "payments", key: "order 1" }
const inMode = (record: PaymentRecord, livemode: boolean): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, livemode }
})

/** That no two of these names are equal; the names of a fact that is left out would be. */
const areDifferent = (names: ReadonlyArray<string>) => assert.strictEqual(new Set(names).size, names.length)

describe("a live and a test request under one Idempotency-Key", () => {
  it("are two payments, whose creates have keys of their own at the provider", () => {
    areDifferent([test, live].map((tenant) => createKey(tenant, request, "stripe")))
    areDifferent([test, live].map((tenant) => ids.payment(paymentOrigin(tenant, request))))
  })

  it.each(["capture", "cancel", "refund"] as const)("have keys of their own for a %s", (kind) => {
    const keys = [false, true].map((livemode) =>
      keyOf(requestedOrigin(inMode(paid, livemode), request, { attemptSeq: 1, kind }))
    )
    areDifferent(keys)
  })
})

describe("the key of a request at a provider", () => {
  it("is the same when the request is repeated", () => {
    assert.strictEqual(createKey(test, request, "stripe"), createKey({ ...test }, request, "stripe"))
  })

  it("is another one for another account, endpoint, client key or provider", () => {
    areDifferent([
      createKey(test, request, "stripe"),
      createKey({ ...test, account: "other" }, request, "stripe"),
      createKey(test, { ...request, endpoint: "links" }, "stripe"),
      createKey(test, { ...request, key: "order 2" }, "stripe"),
      createKey(test, request, "adyen")
    ])
  })

  it("is another one for each kind of operation, and at each attempt", () => {
    const two: PaymentRecord = {
      ...paid,
      attempts: [...paid.attempts, attempt(2)],
      operations: [...paid.operations, operation(2)]
    }
    areDifferent([
      ...(["capture", "cancel", "refund"] as const).flatMap((kind) =>
        [1, 2].map((attemptSeq) => keyOf(requestedOrigin(two, request, { attemptSeq, kind })))
      ),
      createKey(test, request, "p1")
    ])
  })
})

describe("an operation that the engine starts", () => {
  const refund = { attemptSeq: 1, kind: "refund", purpose: "reversal" } as const

  it("after an earlier one of its attempt has a key of its own: the provider would answer with the first result", () => {
    for (const what of [
      refund,
      { ...refund, kind: "cancel" },
      { ...refund, kind: "cancel", purpose: "expiry" }
    ] as const) {
      const once = asked(paid, "first", { ...what, status: "declined" })
      const twice = asked(once, "second", { ...what, status: "succeeded" })
      areDifferent([paid, once, twice].map((record) => keyOf(ownOrigin(record, what))))
    }
  })

  it("has the same key when the decision is taken again, and whatever else was requested meanwhile", () => {
    const key = keyOf(ownOrigin(paid, refund))
    assert.strictEqual(keyOf(ownOrigin(asked(paid, "theirs", { kind: "refund", status: "succeeded" }), refund)), key)
    assert.strictEqual(keyOf(ownOrigin(asked(paid, "close", { kind: "cancel", purpose: "expiry" }), refund)), key)
  })

  it("has a key of its own at each attempt, for each kind and each purpose", () => {
    const two: PaymentRecord = {
      ...paid,
      attempts: [...paid.attempts, attempt(2)],
      operations: [...paid.operations, operation(2)]
    }
    areDifferent(
      [1, 2].flatMap((attemptSeq) => [
        keyOf(ownOrigin(two, { ...refund, attemptSeq })),
        keyOf(ownOrigin(two, { ...refund, attemptSeq, kind: "cancel" })),
        keyOf(ownOrigin(two, { ...refund, attemptSeq, kind: "cancel", purpose: "expiry" }))
      ])
    )
  })
})
