/** What may not be said of a payer is refused with a pointer to it, and leaves no row. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { badPayerInput } from "../../../../test/support/badPayerInput.ts"
import { acme, minimal, TestServer, ways } from "../support/server.ts"

for (const way of ways)
  layer(TestServer.layer({ providers: [acme()], way }), { excludeTestServices: true })(`of a payer, ${way}`, (it) => {
    it.effect.each(badPayerInput)("%s is refused", ([, change, pointer]) =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const before = yield* server.rows
        const headers = { "Idempotency-Key": "unused-key" }
        const answer = yield* server.ask({ body: { ...minimal, ...change }, headers })
        assert.strictEqual(answer.status, 400, answer.text)
        const problem = JSON.parse(answer.text)
        assert.strictEqual(problem.code, "invalid_request")
        const pointers = problem.errors.map((error: { readonly pointer: string }) => error.pointer)
        assert.deepStrictEqual([...new Set(pointers)], [pointer])
        assert.notInclude(answer.text, "[redacted]")
        assert.deepStrictEqual(yield* server.rows, before)
      })
    )

    it.effect.each(["line1", "line2", "city", "state", "postal_code"])("a card number in the %s is refused", (field) =>
      Effect.gen(function* () {
        const server = yield* TestServer
        const before = yield* server.rows
        const address = { line1: "1 Main Road", country: "IN", [field]: "4242 4242 4242 4242" }
        const answer = yield* server.ask({ body: { ...minimal, customer: { ...minimal.customer, address } } })
        assert.strictEqual(answer.status, 400, answer.text)
        assert.strictEqual(JSON.parse(answer.text).code, "raw_card_data_not_accepted")
        assert.notInclude(answer.text, "4242")
        assert.deepStrictEqual(yield* server.rows, before)
      })
    )
  })
