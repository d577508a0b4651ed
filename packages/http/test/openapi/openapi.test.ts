import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment } from "@paymux/core"
import { decodeCapturePayment, decodeCreateRefund, EventJson, PaymentJson, RefundJson } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import { EventListJson, openApiDocument, problemCodes, RefundListJson } from "../../src/index.ts"
import type { Extension } from "../../src/index.ts"
import { TestServer } from "../support/server.ts"

// Boundary: a JSON document, read as far as each test looks; a leaf is what the test takes it for.
type Node = { readonly [key: string]: Node }
const read = (value: unknown): Node => JSON.parse(JSON.stringify(value))

const document = read(openApiDocument())
const at = (path: string): Node | undefined =>
  path.split("/").reduce<Node | undefined>((node, key) => node?.[key.replaceAll("~1", "/")], document)
const entries = (node: Node | undefined): ReadonlyArray<readonly [string, Node]> => Object.entries<Node>(node ?? {})
const assertHolds = (node: Node | undefined, part: object) =>
  assert.deepStrictEqual<object>({ ...node, ...part }, { ...node })
const operations = entries(document["paths"]).flatMap(([path, item]) =>
  entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)
const named = (name: string): Node => operations.find((operation) => operation.name === name)?.operation ?? {}
const values = (node: Node | undefined): ReadonlyArray<Node> => entries(node).map(([, value]) => value)

describe("the OpenAPI document", () => {
  it("is 3.1 and describes every route once, under an id of its own", () => {
    assertHolds(document, { openapi: "3.1.0" })
    assert.deepStrictEqual(operations.map(({ name }) => name).sort(), [
      "GET /docs/problems",
      "GET /docs/problems/{code}",
      "GET /healthz",
      "GET /readyz",
      "GET /v1/docs",
      "GET /v1/events",
      "GET /v1/events/{id}",
      "GET /v1/openapi.json",
      "GET /v1/payments",
      "GET /v1/payments/{id}",
      "GET /v1/payments/{id}/refunds",
      "GET /v1/refunds/{id}",
      "POST /v1/payments",
      "POST /v1/payments/{id}/cancel",
      "POST /v1/payments/{id}/capture",
      "POST /v1/payments/{id}/refunds"
    ])
    assert.strictEqual(new Set(operations.map(({ operation }) => operation["operationId"])).size, operations.length)
  })

  it("refers to nothing that is not there", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref ?? "")
    assert.isNotEmpty(refs)
    for (const ref of refs) assert.isDefined(at(ref), ref)
  })

  it("asks for the API key on payments, refunds and events and nowhere else", () => {
    assertHolds(at("components/securitySchemes/apiKey"), { type: "http" })
    for (const { name, operation } of operations) {
      const secured = JSON.stringify(operation["security"]) === `[{"apiKey":[]}]`
      assert.strictEqual(secured, /\/v1\/(?:payments|refunds|events)/.test(name), name)
      assert.strictEqual(operation["responses"]?.["401"] !== undefined, secured, name)
    }
  })

  it("describes every error as a problem with an example of each code", () => {
    const reported = new Set<string>()
    for (const { operation } of operations) {
      for (const [status, response] of entries(operation["responses"])) {
        if (Number(status) < 400) continue
        assert.deepStrictEqual(Object.keys(response["content"] ?? {}), ["application/problem+json"])
        for (const [code, example] of entries(response["content"]?.["application/problem+json"]?.["examples"])) {
          assert.include(problemCodes.join(" "), code)
          assert.strictEqual(Number(example["value"]?.["status"]), Number(status))
          reported.add(code)
        }
      }
    }
    assert.includeMembers(
      [...reported],
      ["no_route", "raw_card_data_not_accepted", "idempotency_in_flight", "not_found"]
    )
  })

  it.effect("shows requests that are accepted", () =>
    Effect.gen(function* () {
      const shown = {
        "POST /v1/payments": decodeCreatePayment,
        "POST /v1/payments/{id}/capture": decodeCapturePayment,
        "POST /v1/payments/{id}/refunds": decodeCreateRefund
      } as const
      for (const [name, decode] of Object.entries(shown)) {
        const examples = values(named(name)["requestBody"]?.["content"]?.["application/json"]?.["examples"])
        assert.isAtLeast(examples.length, 2, name)
        for (const { value } of examples) yield* decode(value)
      }
    })
  )

  it("shows answers of the shape that is answered", () => {
    const shown = [
      ["POST /v1/payments", "201", PaymentJson],
      ["GET /v1/payments/{id}", "200", PaymentJson],
      ["POST /v1/payments/{id}/capture", "200", PaymentJson],
      ["POST /v1/payments/{id}/cancel", "200", PaymentJson],
      ["POST /v1/payments/{id}/refunds", "201", RefundJson],
      ["GET /v1/payments/{id}/refunds", "200", RefundListJson],
      ["GET /v1/refunds/{id}", "200", RefundJson],
      ["GET /v1/events", "200", EventListJson],
      ["GET /v1/events/{id}", "200", EventJson]
    ] as const
    for (const [name, status, schema] of shown) {
      const example = named(name)["responses"]?.[status]?.["content"]?.["application/json"]?.["example"]
      assert.isTrue(Schema.is(schema)(example), name)
    }
  })

  it("names the idempotency key on every POST, and every code of capture, cancel and refund", () => {
    for (const { name, operation } of operations.filter(({ name }) => name.startsWith("POST "))) {
      assert.include(JSON.stringify(operation["parameters"]), `"Idempotency-Key"`, name)
      assert.include(Object.keys(operation["responses"]?.["409"]?.["headers"] ?? {}), "Retry-After", name)
    }
    for (const name of ["capture", "cancel", "refunds"]) {
      const conflict = named(`POST /v1/payments/{id}/${name}`)["responses"]?.["409"]
      const codes = Object.keys(conflict?.["content"]?.["application/problem+json"]?.["examples"] ?? {})
      const own = name === "refunds" ? ["refund_exceeds_available"] : []
      assert.sameMembers(codes, ["idempotency_in_flight", "operation_in_flight", "operation_not_supported", ...own])
    }
  })

  it.live("names the query parameters that are accepted, and the idempotency key", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const samples: { readonly [name: string]: string } = {
        limit: "1",
        status: "failed",
        payment_method: "card",
        currency: "EUR",
        provider: "acme",
        customer_email: "a@b.co",
        provider_reference: "pi_1",
        failure_code: "do_not_honor",
        card_fingerprint: "fp_1",
        order: "1001",
        amount_min: "100",
        amount_max: "500",
        created_after: "2026-01-31T12:00:00Z",
        created_before: "2026-01-31T12:00:00Z",
        "metadata[order_id]": "42"
      }
      const names = values(named("GET /v1/payments")["parameters"]).map(({ name }) => JSON.stringify(name))
      assert.sameMembers(names, [
        ...Object.keys(samples).map((name) => `"${name.replace("[order_id]", "")}"`),
        `"starting_after"`,
        `"ending_before"`
      ])
      const query = Object.entries(samples).map(([name, value]) => `${name}=${value}`)
      assert.strictEqual((yield* ask({ path: `/v1/payments?${query.join("&")}` })).status, 200)
      const [key] = values(named("POST /v1/payments")["parameters"])
      assertHolds(key, { name: "Idempotency-Key", in: "header", required: false })
      const served = yield* ask({ path: "/v1/openapi.json", headers: { Authorization: null } })
      assert.strictEqual(served.headers["content-type"], "application/json")
      assert.deepStrictEqual(JSON.parse(served.text), document)
    }).pipe(Effect.provide(TestServer.layer()))
  )

  it("includes the description of an extension", () => {
    const extension: Extension = {
      method: "POST",
      path: "/v1/sandbox/payments/:id/simulate",
      handle: () => Effect.succeed({ status: 200, body: {} }),
      operation: { summary: "Simulate", responses: { 200: { description: "Done" } } },
      problems: ["operation_not_supported"],
      schemas: { Simulated: { type: "object" } }
    }
    const extended = read(openApiDocument([extension]))
    const operation = extended["paths"]?.["/v1/sandbox/payments/{id}/simulate"]?.["post"]
    assertHolds(operation, { summary: "Simulate" })
    assertHolds(operation?.["parameters"]?.["0"], { name: "id", in: "path", required: true })
    assert.includeMembers(Object.keys(operation?.["responses"] ?? {}), ["200", "401", "404", "409", "413", "415"])
    assertHolds(extended["components"]?.["schemas"]?.["Simulated"], { type: "object" })
    assertHolds(extended["components"]?.["schemas"]?.["Payment"], { type: "object" })
  })
})
