/** Next actions that an earlier version stored unchecked, on both databases. */
import { assert, describe, it } from "@effect/vitest"
import type { NextAction } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { postgres, sqlite } from "./databases.ts"

const stored: ReadonlyArray<NextAction> = [
  { type: "redirect", url: "javascript:alert(1)", expiresAt: null },
  { type: "upi_qr", payload: null, image: "https://a.b;script-src/qr.png", expiresAt: null },
  { type: "upi_qr", payload: null, image: "https:", expiresAt: null },
  { type: "upi_intent", uri: `upi://pay?tn=${"a".repeat(100_000)}`, expiresAt: null }
]

const readBack = Effect.gen(function* () {
  const store = yield* PaymentStore
  for (const [n, nextAction] of stored.entries()) {
    const record = PaymentRecords.aRecord(n + 1, {
      state: { status: "pending", reason: "awaiting_customer", nextAction }
    })
    yield* store.begin({ record, binding: null })
    const read = yield* store.get(record.payment.id)
    assert.deepStrictEqual(read?.payment.state, { status: "pending", reason: "awaiting_customer", nextAction: null })
  }
})

describe("a stored next action that no page may show", () => {
  for (const [name, database] of [
    ["SQLite", sqlite],
    ["PostgreSQL", postgres]
  ] as const) {
    it.effect(`is left out on ${name}, and its payment stays readable`, () => Effect.provide(readBack, database))
  }
})
