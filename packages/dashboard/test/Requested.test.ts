/** What is recorded of a request: a refusal and a repeat are named as such, and a lost answer is neither. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentError, Payments, ReviewRefused, Reviews } from "@paymux/core"
import type { OperationAnswer } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { IdempotencyInFlight, IdempotencyKeyReused, OperationRefused, Unavailable } from "@paymux/core/wire"
import { PaymentRecords } from "@paymux/test-suites"
import { runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { auditedPayments, auditedReviews, AuditLog, CurrentActor, dashboardMigrations } from "../src/index.ts"

const tenant = { account: "default", livemode: true }
const { id } = PaymentRecords.aRecord(1).payment
const statement = { subject: { review: "rev_1" }, resolution: "given_back", evidence: "Acme, re_88" } as const

const auditLog = Layer.provideMerge(
  AuditLog.layer,
  Layer.provideMerge(
    Layer.effectDiscard(runMigrations([dashboardMigrations])),
    SqliteClient.layer({ filename: ":memory:" })
  )
)

const asha = { kind: "user", id: "usr_1", name: "asha", role: "operator", address: null } as const
const options = { tenant, idempotency: { endpoint: "e", key: "k" } }

/** What is recorded of a refund with this answer, newest first. */
const refunding = (answer: Effect.Effect<OperationAnswer, PaymentError>) => {
  const payments = Layer.mock(Payments, { refund: () => answer, offers: () => [] })
  return Effect.gen(function* () {
    const asked = Payments.use((service) => service.refund(id, { minorUnits: 500, reason: null }, options))
    yield* Effect.ignore(Effect.provideService(asked, CurrentActor, asha))
    const { entries } = yield* AuditLog.use((log) => log.list(tenant, { limit: 10 }))
    for (const entry of entries) {
      assert.deepInclude(entry, { action: "payment.refund", target: id, actor: asha, after: { amount: 500 } })
    }
    return entries.map(({ outcome }) => outcome)
  }).pipe(Effect.provide(Layer.provideMerge(Layer.provide(auditedPayments, payments), auditLog)))
}

const answered = (replayed: boolean): Effect.Effect<OperationAnswer, PaymentError> => {
  const record = PaymentRecords.aRecord(1)
  const [operation = assert.fail("no operation")] = record.operations
  return Effect.succeed({ record, operation, body: "{}", replayed })
}

const failed = (reason: PaymentError["reason"]) => Effect.fail(new PaymentError({ reason }))

const resolving = (error: ReviewRefused | StoreUnavailable) => {
  const reviews = Layer.mock(Reviews, { resolve: () => Effect.fail(error) })
  const audited = Layer.provideMerge(Layer.provide(auditedReviews, reviews), auditLog)
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

  it.effect.each([
    ["done", answered(false), ["requested"]],
    ["answered as before", answered(true), ["repeated", "requested"]],
    ["in flight already", failed(new IdempotencyInFlight({ retryAfterMs: 1 })), ["repeated", "requested"]],
    [
      "another under its key",
      failed(new IdempotencyKeyReused({ paymentId: "pay_1", pointer: null })),
      ["refused", "requested"]
    ],
    ["refused", failed(new OperationRefused({ reason: "in_flight", sentence: "Not now." })), ["refused", "requested"]],
    ["not answered", failed(new Unavailable({ cause: "lost" })), ["requested"]]
  ] as const)("of a refund that was %s", ([, answer, outcomes]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refunding(answer), [...outcomes])
    })
  )
})
