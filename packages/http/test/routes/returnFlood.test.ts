/** Return URLs need no key: a flood of requests to them must not keep payments from the provider. */
import { assert, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { acme, card, TestServer } from "../support/server.ts"

/** Calls to the provider, and how many of them ran at the same time at most. */
const calls = { running: 0, together: 0 }

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
    Effect.suspend(() => {
      calls.together = Math.max(calls.together, ++calls.running)
      return Effect.map(Effect.sleep("3 seconds"), () => (calls.running--, Outcome.pending()))
    })
})

const open = { Authorization: null }

layer(TestServer.layer({ providers: [slow] }), { excludeTestServices: true })(
  "400 requests to one return URL",
  (it) => {
    it.effect("are one call to the provider at a time, and every payment beside them is created", () =>
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
        // On a slow machine a request may come after the first call has ended.
        assert.strictEqual(calls.together, 1)
      })
    )
  }
)
