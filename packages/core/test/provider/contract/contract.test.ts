/**
 * Adapters that were written for version 3 of the contract go on working: for the compiler (the types below are checked
 * by `tsc`, not by running), and over a real engine.
 *
 * When this does not compile any more, the change breaks adapters that are out there: `v3.ts` says what to do then.
 * What an adapter says may be said in more words than before, and what it is given may have more members; so a new
 * `InquiryOutcome` or an optional function is allowed, and a new required one, or a member that is gone, is not.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { Data, Effect } from "effect"
import type { NextAction } from "../../../src/domain/NextAction.ts"
import type {
  Capabilities,
  CreateCapability,
  IdempotencyCapability,
  InquiryCapability,
  MethodCapability,
  OperationCapability
} from "../../../src/provider/Capabilities.ts"
import type { Evidence } from "../../../src/domain/Evidence.ts"
import type { InquiryOutcome, Outcome } from "../../../src/domain/Outcome.ts"
import type {
  Provider,
  ProviderContext,
  ProviderOperation,
  ProviderOperations
} from "../../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { createOf, read, start, summary } from "../../engine/fixtures.ts"
import type * as V3 from "./v3.ts"

/**
 * An operation as an adapter of version 3 gets it. A rail, a flow, a kind of operation or a way to capture that is newer
 * is never asked of it: it could not declare any.
 */
type Given = ProviderOperation & {
  readonly kind: V3.OperationKind
  readonly captureMethod: V3.CaptureMethod
  readonly method: Pick<V3.Upi, "rail" | "flow"> | Pick<V3.Card, "rail"> | Pick<V3.Stablecoin, "rail">
}

/** The same function over another type of operation. */
type Over<Operation, Fn> = Fn extends (operation: ProviderOperation, ...rest: infer Rest) => infer Answer
  ? (operation: Operation, ...rest: Rest) => Answer
  : Fn

type Operations = { readonly [name in keyof ProviderOperations]: Over<Given, ProviderOperations[name]> }

type Make = Provider["make"] extends (context: ProviderContext) => Effect.Effect<ProviderOperations, infer E, infer R>
  ? (context: ProviderContext) => Effect.Effect<Operations, E, R>
  : never

/** What the engine takes, and does with it. */
type Taken = Omit<Provider, "make"> & { readonly make: Make }

/** `Succeeded.amount`, `declined.retry` …: the members of each word. */
type Words<Union> = Union extends { readonly [tag in "_tag" | "type"]?: infer Tag }
  ? `${Tag & string}.${keyof Union & string}`
  : never

class Misconfigured extends Data.TaggedError("Misconfigured")<{ readonly detail: string }> {}
class ProviderError extends Data.TaggedError("ProviderError")<{ readonly reason: V3.ProviderErrorReason }> {}
class WebhookRefused extends Data.TaggedError("WebhookRefused")<{ readonly reason: V3.WebhookRefused["reason"] }> {}

/** It knows the frozen types and nothing else: not even the package. */
const adapter = (id: string, answer: Effect.Effect<V3.SendOutcome, V3.ProviderError>): V3.Provider => ({
  specVersion: 3,
  id,
  mode: "test",
  capabilities: {
    methods: { card: { currencies: ["EUR"], flows: { token: {} }, amounts: [{ currency: "EUR", min: "0.50" }] } },
    operations: {
      create: {
        idempotency: { by: "header", lifetime: "24 hours" },
        inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
        declineIsFinal: true
      },
      refund: { idempotency: { by: "header", lifetime: "24 hours" }, partial: true }
    }
  },
  make: (context) =>
    Effect.succeed({
      create: Effect.fnUntraced(function* (operation) {
        const order = yield* context.state.next("orders")
        yield* context.checkpoint(operation, `${context.id}_${order}`)
        return yield* answer
      }),
      inquire: () => Effect.succeed({ _tag: "NotFound" }),
      refund: ({ amount }) => Effect.succeed({ _tag: "Succeeded", amount }),
      webhook: (body, headers) =>
        headers["signature"] === "right"
          ? Effect.succeed([
              {
                source: "webhook",
                about: { provider: context.id, providerReference: new TextDecoder().decode(body) },
                outcome: { _tag: "Succeeded" },
                eventId: "evt_1",
                occurredAt: null
              }
            ])
          : Effect.fail(new WebhookRefused({ reason: "bad_signature" }))
    })
})

const installed = (theirs: Taken): Provider => {
  const taken: unknown = theirs
  // Boundary: it is a `Provider` but for what is never asked of it, which the compiler cannot know.
  return taken as Provider
}

const pending = adapter("a", Effect.succeed({ _tag: "Pending", reference: "a_1" }))

describe("an adapter that was written for version 3", () => {
  it("is what the engine takes, and is given no less than it expects", () => {
    const taken = (theirs: V3.Provider): Taken => theirs
    const operations = (theirs: V3.ProviderOperations): Operations => theirs
    const answer = (theirs: V3.InquiryOutcome): InquiryOutcome => theirs
    const evidence = (theirs: V3.Evidence): Evidence => theirs
    const capabilities = (theirs: V3.Capabilities): Capabilities => theirs
    const operation = (ours: Given): V3.ProviderOperation => ours
    const context = (ours: ProviderContext): V3.ProviderContext => ours
    expectTypeOf(taken).toBeFunction()
    expectTypeOf({ operations, answer, evidence, capabilities, operation, context }).toBeObject()
    assert.strictEqual(taken(pending), pending)
  })

  it("says nothing that the engine has stopped to read", () => {
    expectTypeOf<keyof V3.Provider>().toExtend<keyof Provider>()
    expectTypeOf<keyof V3.ProviderOperations>().toExtend<keyof ProviderOperations>()
    expectTypeOf<keyof V3.Capabilities>().toExtend<keyof Capabilities>()
    expectTypeOf<keyof V3.Capabilities["methods"]>().toExtend<keyof Capabilities["methods"]>()
    expectTypeOf<keyof V3.Capabilities["operations"]>().toExtend<keyof Capabilities["operations"]>()
    expectTypeOf<keyof V3.MethodCapability>().toExtend<keyof MethodCapability>()
    expectTypeOf<keyof V3.MethodCapability["flows"]>().toExtend<keyof MethodCapability["flows"]>()
    expectTypeOf<keyof V3.OperationCapability>().toExtend<keyof OperationCapability>()
    expectTypeOf<keyof V3.CreateCapability>().toExtend<keyof CreateCapability>()
    expectTypeOf<keyof V3.IdempotencyCapability>().toExtend<keyof IdempotencyCapability>()
    expectTypeOf<keyof V3.InquiryCapability>().toExtend<keyof InquiryCapability>()
    expectTypeOf<Words<V3.NextAction>>().toExtend<Words<NextAction>>()
    expectTypeOf<keyof V3.Evidence>().toExtend<keyof Evidence>()
    expectTypeOf<Words<V3.Outcome>>().toExtend<Words<Outcome>>()
  })

  it.effect("takes payments of an engine of today, with its checkpoints and its webhooks", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const { create, inbox } = yield* start(store, [installed(pending)])
      const record = yield* create()
      assert.strictEqual(summary(record).state, "pending")
      const { operations } = yield* read(store, record)
      assert.strictEqual(operations.find(({ id }) => id === createOf(record))?.reference, "a_1")
      const body = new TextEncoder().encode("a_1")
      const refused = yield* Effect.flip(inbox.receive("a", body, { signature: "wrong" }))
      assert.strictEqual(refused._tag, "WebhookRefused")
      assert.strictEqual(yield* inbox.receive("a", body, { signature: "right" }), "applied")
      assert.strictEqual(summary(yield* read(store, record)).state, "succeeded")
    })
  )

  it.effect("fails with its own errors, which are understood", () =>
    Effect.gen(function* () {
      const refused = new ProviderError({ reason: new Misconfigured({ detail: "401" }) })
      const adapters = [adapter("a", Effect.fail(refused)), adapter("b", Effect.succeed({ _tag: "Succeeded" }))]
      const { create } = yield* start(MemoryStore.make(), adapters.map(installed))
      assert.deepStrictEqual(summary(yield* create()).attempts, ["a not_executed", "b succeeded"])
    })
  )
})
