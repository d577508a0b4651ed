/** What is recorded of a request that fails: a refusal is one, and a lost answer is not. */
import { assert, describe, it } from "@effect/vitest"
import { ReviewRefused, Reviews } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { auditedReviews, AuditLog, dashboardMigrations } from "../src/index.ts"

const tenant = { account: "default", livemode: true }
const { id } = PaymentRecords.aRecord(1).payment
const statement = { subject: { review: "rev_1" }, resolution: "given_back", evidence: "Acme, re_88" } as const

const resolving = (error: ReviewRefused | StoreUnavailable) => {
  const reviews = Layer.mock(Reviews, { resolve: () => Effect.fail(error) })
  const database = Layer.provideMerge(
    Layer.effectDiscard(runMigrations([dashboardMigrations])),
    SqliteClient.layer({ filename: ":memory:" })
  )
  const audited = Layer.provideMerge(
    Layer.provide(auditedReviews, reviews),
    Layer.provideMerge(AuditLog.layer, database)
  )
  return Effect.gen(function* () {
    assert.strictEqual(yield* Effect.flip(Reviews.use((service) => service.resolve(tenant, id, statement))), error)
    const { entries } = yield* AuditLog.use((log) => log.list(tenant, { limit: 10 }))
    assert.notInclude(JSON.stringify(entries), statement.evidence)
    return entries.map(({ outcome }) => outcome)
  }).pipe(Effect.provide(audited))
}

describe("the audit log of a request", () => {
  it.effect("says that it was refused", () =>
    Effect.gen(function* () {
      const outcomes = yield* resolving(new ReviewRefused({ reason: "not_in_review" }))
      assert.deepStrictEqual(outcomes, ["refused", "requested"])
    })
  )

  it.effect("does not say so if no answer came, since it may have been done", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* resolving(new StoreUnavailable({ cause: "lost" })), ["requested"])
    })
  )
})
