/** What the sandbox adds to the addresses of a server, and what the OpenAPI document says of it. */
import { PaymentJson } from "@paymux/core/wire"
import { SimulateJson } from "@paymux/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createPaymux, defineProvider, Outcome } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"

const path = "/v1/sandbox/payments/{id}/simulate"
const sandbox = () => createPaymux({ sandbox: true, database: ":memory:" })

const waiting = {
  amount: 5000,
  currency: "USD",
  payment_method: "stablecoin",
  customer: { email: "asha@example.com", phone: "+919812345678" }
} as const

const taking = defineProvider({
  id: "taking",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { token: {} } } },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})

/** As far as these tests look. */
interface Operation {
  readonly operationId: string
  readonly security: unknown
  readonly requestBody: {
    readonly content: {
      readonly "application/json": { readonly examples: { readonly [name: string]: { value: unknown } } }
    }
  }
  readonly responses: {
    readonly [status: string]: { readonly content: { readonly [type: string]: { examples?: object } } }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly post?: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: { readonly required: ReadonlyArray<string> } } }
}

const documentOf = async (paymux: Paymux): Promise<Document> =>
  JSON.parse(await (await paymux.fetch(new Request("http://any/v1/openapi.json"))).text())

const operationOf = ({ paths }: Document): Operation => {
  const operation = paths[path]?.post
  if (operation === undefined) throw new Error("is not documented")
  return operation
}

interface Asked {
  readonly method?: string
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

const ask = (paymux: Paymux, address: string, { headers = {}, ...asked }: Asked = {}) =>
  paymux.fetch(
    new Request(`http://any${address}`, {
      ...asked,
      headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json", ...headers }
    })
  )

describe("POST /v1/sandbox/payments/{id}/simulate", () => {
  it("is documented: the key, the outcomes, the answer, and requests that are accepted", async () => {
    await using paymux = await sandbox()
    const document = await documentOf(paymux)
    const operation = operationOf(document)
    assert.deepStrictEqual(operation.security, [{ apiKey: [] }])
    assert.strictEqual(operation.operationId, "sandbox.simulate")
    assert.deepStrictEqual(document.components.schemas["SimulatePayment"]?.required, ["outcome"])
    const { examples } = operation.requestBody.content["application/json"]
    assert.hasAllKeys(examples, ["approve", "decline", "transfer"])
    for (const { value } of Object.values(examples)) {
      assert.isTrue(Schema.is(SimulateJson)(value))
      const { id } = await paymux.payments.create(waiting)
      const answer = await ask(paymux, path.replace("{id}", id), { method: "POST", body: JSON.stringify(value) })
      assert.strictEqual(answer.status, 200)
      assert.isTrue(Schema.is(PaymentJson)(await answer.json()))
    }
  })

  it("answers what it refuses with a code that is documented", async () => {
    await using paymux = await sandbox()
    const { responses } = operationOf(await documentOf(paymux))
    const { id: decided } = await paymux.payments.create({ ...waiting, metadata: { sandbox_scenario: "all_down" } })
    const { id } = await paymux.payments.create(waiting)
    const post = (body: string, headers = {}, payment = id) =>
      ask(paymux, path.replace("{id}", payment), { method: "POST", body, headers })
    const approve = JSON.stringify({ outcome: "succeeded" })
    const refused = [
      await post("{"),
      await post(`{"outcome":"succeeded","outcome":"failed"}`),
      await post(JSON.stringify({ outcome: "won" })),
      await post(JSON.stringify({ outcome: "authorized" })),
      await post(JSON.stringify({ outcome: "succeeded", code: "expired_card" })),
      await post(JSON.stringify({ outcome: "succeeded", color: "red" })),
      await post(approve, { "content-type": "text/plain" }),
      await post(approve, { authorization: "Basic x" }),
      await post(approve, {}, "pay_nothing"),
      await post(approve, {}, decided),
      await post(" ".repeat(70_000))
    ]
    const reported = await Promise.all(
      refused.map(async (answer) => {
        const { code }: { readonly code: string } = JSON.parse(await answer.text())
        const documented = responses[String(answer.status)]?.content["application/problem+json"]?.examples ?? {}
        assert.include(Object.keys(documented), code)
        return `${answer.status} ${code}`
      })
    )
    assert.deepStrictEqual(reported, [
      "400 invalid_json",
      "400 invalid_json",
      "400 invalid_request",
      "400 invalid_request",
      "400 invalid_request",
      "400 invalid_request",
      "415 unsupported_media_type",
      "401 unauthorized",
      "404 not_found",
      "409 operation_not_supported",
      "413 payload_too_large"
    ])
    assert.strictEqual((await paymux.payments.get(id)).status, "pending")
  })
})

describe("the addresses of the sandbox", () => {
  const addresses = [
    ["/v1/sandbox/payments/pay_1/simulate", "OPTIONS, POST"],
    ["/sandbox/pay/sandbox_card_a/ref_1", "GET, HEAD, OPTIONS, POST"]
  ] as const

  it("tell their methods", async () => {
    await using paymux = await sandbox()
    for (const [address, allow] of addresses) {
      const refused = await ask(paymux, address, { method: "DELETE" })
      assert.strictEqual(refused.status, 405, address)
      assert.strictEqual(refused.headers.get("allow"), allow)
      const options = await ask(paymux, address, { method: "OPTIONS" })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.headers.get("allow"), allow)
    }
  })

  it("are none where there is no sandbox, nor in its document", async () => {
    await using paymux = await createPaymux({ providers: [taking({})], database: ":memory:" })
    for (const [address] of addresses) {
      for (const method of ["GET", "POST", "OPTIONS", "DELETE"]) {
        assert.strictEqual((await ask(paymux, address, { method })).status, 404, `${method} ${address}`)
      }
    }
    assert.notInclude(JSON.stringify(await documentOf(paymux)), "sandbox/payments")
  })
})
