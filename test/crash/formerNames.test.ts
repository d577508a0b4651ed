/** The names that a process of the former version derives are those that this version looks for after a restore. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { make as makeIds } from "../../packages/core/src/domain/Ids.ts"
import { createOrigin, nextCreateOrigin, paymentOrigin } from "../../packages/core/src/domain/origins.ts"
import { namesAtProvider } from "../../packages/core/src/execution/restore/namesAtProvider.ts"
import { formerly } from "./formerNames.ts"
import { nameDigest } from "./nameDigest.ts"

const { tenant } = PaymentRecords
const request = { endpoint: "POST /v1/payments", key: "order 1" }
const makeNames = () =>
  makeIds(
    (length) => new Uint8Array(length),
    () => 0,
    nameDigest
  )

/** Of the request at beta: the present name, the former one of a first attempt, and that of a failover from alpha. */
const lookedFor = () => {
  const ids = makeNames()
  const named = { ...request, tenant, id: ids.payment(paymentOrigin(tenant, request)) }
  const [present, first, afterAlpha] = namesAtProvider(ids, named, "beta", ["alpha", "beta"], 2)
  return { present, first, afterAlpha }
}

/** A process that was asked for the payment, and its record with a first create. */
const begun = (provider: string) => {
  const ids = formerly(makeNames())
  const id = ids.payment(paymentOrigin(tenant, request))
  const names = ids.operation(createOrigin({ ...tenant, id }, provider))
  const record = {
    ...PaymentRecords.aRecord(1, { id }),
    operations: [PaymentRecords.anOperation(1, 1, { ...names, paymentId: id, provider })]
  }
  return { ids, id, names, record }
}

const next = { provider: "beta", seq: 2 }

describe("a process of the former version", () => {
  it("derives the name of a first attempt from the key", () => {
    assert.deepStrictEqual(begun("beta").names, lookedFor().first)
    assert.notDeepEqual(begun("beta").names, lookedFor().present)
  })

  it("derives the name of a failover from the operation that failed, as the next process does", () => {
    const { ids, names, record } = begun("alpha")
    for (const each of [ids, makeNames(), formerly(makeNames())]) {
      const origin = nextCreateOrigin({ ids: each, firstId: (provider) => provider }, record, names.id, next)
      assert.deepStrictEqual(each.operation(origin), lookedFor().afterAlpha)
    }
  })

  it("derives the name of a first attempt again when the request is repeated and another provider is tried first", () => {
    const { id, ids } = begun("alpha")
    ids.payment(paymentOrigin(tenant, request))
    assert.deepStrictEqual(ids.operation(createOrigin({ ...tenant, id }, "beta")), lookedFor().first)
  })
})
