import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Evidence } from "../../src/domain/Evidence.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { eventIn, eventKey } from "../../src/store/eventKey.ts"
import { money, operation } from "../domain/records.ts"

const pendingAt = (url: string) => Outcome.pending({ nextAction: { type: "redirect", url, expiresAt: null } })

const first: Evidence = {
  source: "webhook",
  about: { operation: operation(1).id },
  outcome: Outcome.succeeded({ amount: money(500), vendorCode: "paid" }),
  eventId: "evt_1",
  occurredAt: 1_000
}

const keyOf = (change: Partial<Evidence> = {}) => eventKey({ ...first, ...change }, "sha256:bytes:0")

describe("the key of an event", () => {
  it.effect("is another one for another subject, outcome or amount under its id", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.all([
        keyOf(),
        keyOf({ about: { operation: operation(2).id } }),
        keyOf({ outcome: Outcome.succeeded({ amount: money(700) }) }),
        keyOf({ outcome: Outcome.pending() }),
        keyOf({ eventId: "evt_2" })
      ])
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.strictEqual(eventIn(keys[0]), "evt_1")
    })
  )

  it.effect("stays the same with another vendor code, time or next action", () =>
    Effect.gen(function* () {
      const copy = { outcome: Outcome.succeeded({ amount: money(500), vendorCode: "settled" }), occurredAt: 2_000 }
      assert.strictEqual(yield* keyOf(copy), yield* keyOf())
      const pending = ["https://a.example/1", "https://a.example/2"].map((url) => keyOf({ outcome: pendingAt(url) }))
      assert.strictEqual(new Set(yield* Effect.all(pending)).size, 1)
    })
  )

  it.effect("without an id is its place in the bytes", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* keyOf({ eventId: null }), "sha256:bytes:0")
    })
  )
})
