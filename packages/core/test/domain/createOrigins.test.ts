/** What names are derived from: facts that a repeated request has again. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { make } from "../../src/domain/Ids.ts"
import type { OperationNames, PaymentId } from "../../src/domain/Ids.ts"
import { createOrigin, failoverOrigin, nextCreateOrigin, paymentOrigin } from "../../src/domain/origins.ts"
import { begun, operation } from "./records.ts"

const at = (time: number) =>
  make(
    (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
    () => time,
    (text) => createHash("sha256").update(text).digest()
  )
const [ids, later] = [at(1_700_000_000_000), at(1_800_000_000_000)]
const tenant = { account: "default", livemode: false }
const request = { endpoint: "payments", key: "order 1" }
const id = ids.payment(paymentOrigin(tenant, request))

/** No instance was renamed. */
const ownId = (id: string) => id

/** A payment whose first create, at "p1", has these names. */
const recordOf = (paymentId: PaymentId, names: OperationNames) => ({
  ...begun,
  payment: { ...begun.payment, id: paymentId },
  operations: [operation(1, { ...names, paymentId })]
})

describe("the create of a payment with a key", () => {
  it("has one origin at a provider, at any time, and another one at another provider, account, mode and key", () => {
    const again = later.payment(paymentOrigin(tenant, request))
    assert.notStrictEqual(again, id)
    assert.deepStrictEqual(createOrigin({ ...tenant, id: again }, "a"), createOrigin({ ...tenant, id }, "a"))
    const other = ids.payment(paymentOrigin(tenant, { ...request, key: "order 2" }))
    const origins = [
      createOrigin({ ...tenant, id }, "a"),
      createOrigin({ ...tenant, id }, "b"),
      createOrigin({ ...tenant, id, account: "other" }, "a"),
      createOrigin({ ...tenant, id, livemode: true }, "a"),
      createOrigin({ ...tenant, id: other }, "a")
    ]
    assert.strictEqual(new Set(origins.map((each) => JSON.stringify(each))).size, origins.length)
  })

  it("has the same origin whether its provider is tried first or after another one", () => {
    const record = recordOf(id, ids.operation(createOrigin({ ...tenant, id }, "p1")))
    const failed = record.operations[0]?.id ?? assert.fail("There is no operation")
    assert.deepStrictEqual(
      nextCreateOrigin({ ids, firstId: ownId }, record, failed, { provider: "b", seq: 2 }),
      createOrigin({ ...tenant, id }, "b")
    )
  })
})

describe("the create of the next attempt is derived from the operation that failed", () => {
  const named = (paymentId: PaymentId, names: OperationNames) => {
    const record = recordOf(paymentId, names)
    return nextCreateOrigin({ ids, firstId: ownId }, record, names.id, { provider: "b", seq: 2 })
  }

  it("if the payment has no key", () => {
    const names = ids.operation(null)
    assert.isNull(createOrigin({ ...tenant, id: ids.payment(null) }, "a"))
    assert.deepStrictEqual(named(ids.payment(null), names), failoverOrigin(names.id, { provider: "b", seq: 2 }))
  })

  it("if the payment was begun when names depended on the place of a provider", () => {
    const names = ids.operation(["create", "default", false, "payments", "order 1", "p1"])
    assert.deepStrictEqual(named(id, names), failoverOrigin(names.id, { provider: "b", seq: 2 }))
  })
})
