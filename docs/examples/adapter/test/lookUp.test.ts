import { assert, it } from "@effect/vitest"
import type { Currency, IdempotencyKey, OperationId, PaymentId, ProviderOperation } from "@paymux/core"
import { Effect, Redacted } from "effect"
import { makeClient } from "../src/client.ts"
import { makeHttp } from "../src/http.ts"
import { fake } from "./fake.ts"

it.live("a look-up that is refused after a 409 says nothing about the order of the earlier send", () =>
  Effect.gen(function* () {
    const { credentials, network, payments, url } = yield* fake.start({ mode: "test" })
    const http = makeHttp({ baseUrl: url, keyId: credentials.keyId, secret: Redacted.make(credentials.secret) })
    const { create } = makeClient(http, { id: "northbank", checkpoint: () => Promise.resolve() })
    const send = Effect.promise((signal) => create(operation, signal))
    assert.strictEqual((yield* send)._tag, "Succeeded")

    // As after a restore: the reference is lost, and the order is paid.
    for (const code of ["currency_not_enabled", "refused_by_bank", "bad_credentials"]) {
      yield* network.failNext({ executed: false, reply: { status: 403, json: { error: { code } } } }, 1)
      assert.deepInclude(yield* send, { _tag: "Unknown", reason: "duplicate" }, code)
    }
    assert.lengthOf(yield* payments, 1)
  }).pipe(Effect.scoped)
)

// Boundary: the ids of an operation are branded texts.
const operation: ProviderOperation = {
  id: "op_4nb7qk2m9x0c5v8t1r6w3y2z4a" as OperationId,
  kind: "create",
  paymentId: "pay_4nb7qk2m9x0c5v8t1r6w3y2z4" as PaymentId,
  amount: { minorUnits: 1_000, currency: "EUR" as Currency.Currency },
  key: "0b9c1e0e-5a0e-4c55-9a55-3f5d3c5a7a10" as IdempotencyKey,
  reference: null,
  original: null,
  reason: null,
  method: {
    rail: "card",
    token: "tok_1",
    tokens: {},
    network: null,
    country: null,
    funding: null,
    bin: null,
    fingerprint: null
  },
  captureMethod: "automatic",
  customer: { email: "asha@example.com", phone: null, name: null, address: null },
  client: null,
  description: null,
  metadata: {},
  returnUrl: "https://shop.example/thanks",
  deadlineAt: Number.MAX_SAFE_INTEGER,
  createdAt: 0
}
