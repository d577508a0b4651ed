/** Malformed captures, cancels and refunds: a problem, no row, no key used, and the payment stays as it was. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ProblemCode } from "../../src/index.ts"
import { acme, card, manual, obedient, TestServer, ways } from "../support/server.ts"
import type { Ask } from "../support/server.ts"

for (const way of ways)
  layer(TestServer.layer({ providers: [acme(obedient)], way }), { excludeTestServices: true })(
    `a malformed request, ${way}`,
    (it) => {
      const later: ReadonlyArray<readonly [action: string, status: number, code: ProblemCode, ask: Ask]> = [
        ...[
          { amount: 0 },
          { amount: -1 },
          { amount: 1.5 },
          { amount: "1" },
          { amount: 10_001 },
          { reason: "x" },
          { color: 1 }
        ].map((body) => ["capture", 400, "invalid_request", { body }] as const),
        ["capture", 400, "invalid_json", { body: "" }],
        ["capture", 400, "invalid_json", { body: "[]" }],
        ["capture", 415, "unsupported_media_type", { body: "{}", headers: { "Content-Type": "text/plain" } }],
        ["cancel", 400, "invalid_request", { body: { amount: 1 } }],
        ["cancel", 400, "invalid_json", { body: "null" }],
        ["cancel", 415, "unsupported_media_type", { body: "{}", headers: { "Content-Type": "application/xml" } }],
        ...[
          { amount: 0 },
          { amount: "1" },
          { amount: 1e15 },
          { reason: 5 },
          { reason: "x".repeat(1001) },
          { id: "re_1" }
        ].map((body) => ["refunds", 400, "invalid_request", { body }] as const),
        ["refunds", 400, "raw_card_data_not_accepted", { body: { reason: "4242 4242 4242 4242" } }],
        ["refunds", 400, "invalid_json", { body: `{"amount":1,"amount":2}` }],
        ["refunds", 413, "payload_too_large", { body: `{}${" ".repeat(65_536)}` }],
        ["refunds", 400, "idempotency_key_invalid", { body: {}, headers: { "Idempotency-Key": ["a", "b"] } }]
      ]
      it.effect.each(later)("%s of a payment → %i %s, and it stays as it was: %j", ([action, status, code, ask]) =>
        Effect.gen(function* () {
          const server = yield* TestServer
          const made = yield* server.ask({ body: action === "refunds" ? card : manual })
          const path = made.headers["location"] ?? ""
          const before = yield* server.rows
          const headers = { "Idempotency-Key": "unused-key", ...ask.headers }
          const answer = yield* server.ask({ ...ask, path: `${path}/${action}`, headers })
          assert.deepInclude({ status: answer.status, ...JSON.parse(answer.text) }, { status, code }, answer.text)
          assert.strictEqual(answer.headers["content-type"], "application/problem+json")
          assert.strictEqual((yield* server.ask({ path })).text, made.text)
          assert.deepStrictEqual(yield* server.rows, before)
        })
      )
    }
  )
