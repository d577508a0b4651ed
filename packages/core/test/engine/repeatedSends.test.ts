/** A send that is repeated after one of unknown outcome, and refused: the refusal says nothing about the first send. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { OperationKind } from "../../src/domain/Operation.ts"
import type { OperationCapability } from "../../src/provider/Capabilities.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import { accountNotEnabled, invalidRequest, misconfigured } from "../../src/provider/ProviderError.ts"
import type { ProviderError } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { card, cardOnHold, createOf, plain, read, scripted, start, summary, reported } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

type Kind = Exclude<OperationKind, "create">
type Answer = Effect.Effect<Outcome.SendOutcome, ProviderError>

const lost: Answer = Effect.succeed(Outcome.unknown({ reason: "timeout" }))
const declined: Answer = Effect.succeed(Outcome.declined({ code: "processing_error", retry: "never" }))
const refusals: { readonly [name: string]: Answer } = {
  "a decline": declined,
  "an invalid request": Effect.fail(invalidRequest("already refunded")),
  "refused credentials": Effect.fail(misconfigured("401")),
  "an account that is not enabled": Effect.fail(accountNotEnabled("not_enabled", "kind")),
  "a duplicate": Effect.succeed(Outcome.unknown({ reason: "duplicate" })),
  "proof that the second send did nothing": Effect.succeed(Outcome.notExecuted({ reason: "proof_code" }))
}

const asked = { by: "reference", notFoundIsFinalAfter: "15 minutes" } as const
const byReference: OperationCapability = { idempotency: { by: "reference" }, partial: true }
const byKey: OperationCapability = { idempotency: { by: "header", lifetime: "24 hours" }, partial: true }

const hour = 3_600_000

/** A payment of which `kind` is requested: the first send is lost, the others are refused. */
const requested = Effect.fnUntraced(function* (
  kind: Kind,
  refusal: Answer,
  later: OperationCapability,
  found: InquiryOutcome = Outcome.succeeded()
) {
  const sends: Array<string> = []
  const store = MemoryStore.make()
  const script: Script = {
    create: () => Effect.succeed(kind === "refund" ? Outcome.succeeded() : Outcome.authorized()),
    [kind]: ({ key }: { readonly key: string }) =>
      Effect.suspend(() => {
        sends.push(key)
        return sends.length === 1 ? lost : refusal
      }),
    inquire: (operation) => Effect.succeed(operation.kind === kind ? found : Outcome.unknown({ reason: "timeout" })),
    later
  }
  const engine = yield* start(store, [scripted("a", script)], { reconciler: { every: 600_000 } })
  const record = yield* engine.create(kind === "refund" ? card : cardOnHold)
  const { cancel, capture, refund } = engine.payments
  const { id } = record.payment
  const perform = {
    capture: () => capture(id, { minorUnits: 500 }, plain),
    cancel: () => cancel(id, plain),
    refund: () => refund(id, { minorUnits: 500, reason: null }, plain)
  }
  const caller = yield* Effect.forkChild(perform[kind]())
  yield* TestClock.adjust("1 minute")
  yield* Fiber.join(caller)
  const status = Effect.map(
    read(store, record),
    ({ operations }) => operations.find((each) => each.kind === kind)?.status
  )
  return { engine, record, sends, status, store }
})

describe("a repeated send that is refused", () => {
  for (const kind of ["capture", "cancel", "refund"] as const) {
    for (const [name, refusal] of Object.entries(refusals)) {
      it.effect(`with ${name} leaves a ${kind} unknown until it is inquired`, () =>
        Effect.gen(function* () {
          const { sends, status } = yield* requested(kind, refusal, { ...byReference, inquiry: asked })
          assert.isAtLeast(sends.length, 2)
          assert.strictEqual(new Set(sends).size, 1)
          assert.strictEqual(yield* status, "unknown")
          yield* TestClock.adjust("20 minutes")
          assert.strictEqual(yield* status, "succeeded")
        })
      )
    }

    it.effect(`leaves a ${kind} unknown if no inquiry is possible, and then a review opens`, () =>
      Effect.gen(function* () {
        const { record, status, store } = yield* requested(kind, declined, byReference)
        assert.strictEqual(yield* status, "unknown")
        yield* TestClock.adjust("20 minutes")
        assert.strictEqual(yield* status, "unknown")
        assert.deepStrictEqual(summary(yield* read(store, record)).reviews, ["inquiries_exhausted"])
      })
    )

    it.effect(`with the first result, under a key that is remembered, ends a ${kind}`, () =>
      Effect.gen(function* () {
        const { status } = yield* requested(kind, declined, byKey)
        assert.strictEqual(yield* status, "declined")
      })
    )
  }
})

describe('what the engine sends again after "not found" was final', () => {
  /** A late duplicate is refunded: the first send is lost and was done; it is not found, sent again, and refused. */
  const reversed = Effect.fnUntraced(function* (later: OperationCapability) {
    const store = MemoryStore.make()
    const vendor = { sends: 0, isFound: false }
    const inquire: Script["inquire"] = ({ kind }) =>
      Effect.sync(() => (kind === "create" || vendor.isFound ? Outcome.succeeded() : Outcome.notFound()))
    // A reply that is not followed by another send at once.
    const busy = Effect.succeed(Outcome.unknown({ reason: "in_progress" }))
    const refund = () => Effect.suspend(() => (vendor.sends++ === 0 ? busy : declined))
    const engine = yield* start(
      store,
      [
        scripted("a", {
          create: () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" })),
          inquire,
          refund,
          later
        }),
        scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
      ],
      { reconciler: { every: 60_000 } }
    )
    const record = yield* engine.create()
    yield* engine.payments.advance(reported(createOf(record), { _tag: "Succeeded" }))
    yield* TestClock.adjust("15 minutes")
    assert.strictEqual(vendor.sends, 1)
    while (vendor.sends === 1) yield* TestClock.adjust("1 minute")
    vendor.isFound = true
    return { now: Effect.map(read(store, record), summary), sends: () => vendor.sends }
  })

  it.effect("is unknown, and inquired: the first send was done", () =>
    Effect.gen(function* () {
      const { now, sends } = yield* reversed({ inquiry: asked })
      assert.deepStrictEqual((yield* now).later, ["reversal refund 1200 unknown"])
      yield* TestClock.adjust("10 minutes")
      assert.deepInclude(yield* now, { reviews: [], later: ["reversal refund 1200 succeeded"] })
      assert.strictEqual(sends(), 2)
    })
  )

  it.effect("is over with the first result, under a key that is remembered, and is looked back at", () =>
    Effect.gen(function* () {
      const { now } = yield* reversed({ ...byKey, inquiry: asked })
      assert.deepInclude(yield* now, { later: ["reversal refund 1200 declined"] })
      yield* TestClock.adjust(2 * hour)
      assert.deepInclude(yield* now, { reviews: [], later: ["reversal refund 1200 succeeded"] })
    })
  )
})
