/** Return URLs need no key: a flood of requests to them must not keep payments from the provider. */
import { assert, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { acme, card, TestServer } from "../support/server.ts"

const asked = { completes: 0 }

const slow = acme({
  create: ({ id, metadata, returnUrl }) =>
    Effect.succeed(
      metadata["paid"] === "yes"
        ? Outcome.succeeded({ reference: `ord_${id}` })
        : Outcome.pending({
            reference: `ord_${id}`,
            nextAction: { type: "redirect", url: `https://pay.example/?back=${returnUrl}`, expiresAt: null }
          })
    ),
  complete: () =>
    Effect.suspend(() => (asked.completes++, Effect.delay(Effect.succeed(Outcome.pending()), "3 seconds")))
})

const open = { Authorization: null }

layer(TestServer.layer({ providers: [slow] }), { excludeTestServices: true })(
  "400 requests to one return URL",
  (it) => {
    it.effect("are one call to the provider, and every payment beside them is created", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const { next_action } = JSON.parse((yield* ask({ body: card })).text)
        const path = new URL(new URL(next_action.url).searchParams.get("back") ?? "").pathname
        const returns = Array.from({ length: 400 }, () => ask({ path: `${path}?code=1`, headers: open }))
        const creates = Array.from({ length: 40 }, () => ask({ body: { ...card, metadata: { paid: "yes" } } }))
        const [returned, created] = yield* Effect.all(
          [
            Effect.all(returns, { concurrency: "unbounded" }),
            Effect.delay(Effect.all(creates, { concurrency: "unbounded" }), "500 millis")
          ],
          { concurrency: 2 }
        )
        assert.deepStrictEqual(new Set(created.map(({ status }) => status)), new Set([201]))
        assert.deepStrictEqual(new Set(returned.map(({ status }) => status)), new Set([200]))
        assert.strictEqual(asked.completes, 1)
      })
    )
  }
)
