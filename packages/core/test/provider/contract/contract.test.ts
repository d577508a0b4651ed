/**
 * Adapters that were written for version 1 of the contract go on working: for the compiler (the types below are checked
 * by `tsc`, not by running), and over a real engine.
 *
 * When this does not compile any more, the change breaks adapters that are out there: `v1.ts` says what to do then.
 * What an adapter says may be said in more words than before, and what it is given may have more members; so a new
 * `Inquiry` or an optional function is allowed, and a new required one, or a member that is gone, is not.
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
import type { Evidence, EvidenceClaim } from "../../../src/provider/Evidence.ts"
import type { Inquiry } from "../../../src/provider/Outcome.ts"
import type {
  Provider,
  ProviderContext,
  ProviderOperation,
  ProviderOperations
} from "../../../src/provider/Provider.ts"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { createOf, read, start, summary } from "../../engine/fixtures.ts"
import type * as V1 from "./v1.ts"

/**
 * An operation as an adapter of version 1 gets it. A rail, a flow, a kind of operation or a way to capture that is newer
 * is never asked of it: it could not declare any.
 */
type Given = ProviderOperation & {
  readonly kind: V1.OperationKind
  readonly captureMethod: V1.CaptureMethod
  readonly method: Pick<V1.Upi, "rail" | "flow"> | Pick<V1.Card, "rail"> | Pick<V1.Stablecoin, "rail">
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
type Words<Union> = Union extends { readonly [tag in "_tag" | "kind" | "type"]?: infer Tag }
  ? `${Tag & string}.${keyof Union & string}`
  : never

class Misconfigured extends Data.TaggedError("Misconfigured")<{ readonly detail: string }> {}
class ProviderError extends Data.TaggedError("ProviderError")<{ readonly reason: V1.ProviderErrorReason }> {}
class WebhookRefused extends Data.TaggedError("WebhookRefused")<{ readonly reason: V1.WebhookRefused["reason"] }> {}

/** It knows the frozen types and nothing else: not even the package. */
const adapter = (id: string, answer: Effect.Effect<V1.Outcome, V1.ProviderError>): V1.Provider => ({
  specVersion: 1,
  id,
  mode: "test",
  capabilities: {
    methods: { card: { currencies: ["EUR"], flows: { token: {} }, amount: { min: 50 } } },
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
                claim: { kind: "succeeded", amount: null },
                reference: null,
                vendorCode: null,
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

describe("an adapter that was written for version 1", () => {
  it("is what the engine takes, and is given no less than it expects", () => {
    const taken = (theirs: V1.Provider): Taken => theirs
    const operations = (theirs: V1.ProviderOperations): Operations => theirs
    const answer = (theirs: V1.Inquiry): Inquiry => theirs
    const evidence = (theirs: V1.Evidence): Evidence => theirs
    const capabilities = (theirs: V1.Capabilities): Capabilities => theirs
    const operation = (ours: Given): V1.ProviderOperation => ours
    const context = (ours: ProviderContext): V1.ProviderContext => ours
    expectTypeOf(taken).toBeFunction()
    expectTypeOf({ operations, answer, evidence, capabilities, operation, context }).toBeObject()
    assert.strictEqual(taken(pending), pending)
  })

  it("says nothing that the engine has stopped to read", () => {
    expectTypeOf<keyof V1.Provider>().toExtend<keyof Provider>()
    expectTypeOf<keyof V1.ProviderOperations>().toExtend<keyof ProviderOperations>()
    expectTypeOf<keyof V1.Capabilities>().toExtend<keyof Capabilities>()
    expectTypeOf<keyof V1.Capabilities["methods"]>().toExtend<keyof Capabilities["methods"]>()
    expectTypeOf<keyof V1.Capabilities["operations"]>().toExtend<keyof Capabilities["operations"]>()
    expectTypeOf<keyof V1.MethodCapability>().toExtend<keyof MethodCapability>()
    expectTypeOf<keyof V1.MethodCapability["flows"]>().toExtend<keyof MethodCapability["flows"]>()
    expectTypeOf<keyof V1.OperationCapability>().toExtend<keyof OperationCapability>()
    expectTypeOf<keyof V1.CreateCapability>().toExtend<keyof CreateCapability>()
    expectTypeOf<keyof V1.IdempotencyCapability>().toExtend<keyof IdempotencyCapability>()
    expectTypeOf<keyof V1.InquiryCapability>().toExtend<keyof InquiryCapability>()
    expectTypeOf<Words<V1.Inquiry>>().toExtend<Words<Inquiry>>()
    expectTypeOf<Words<V1.NextAction>>().toExtend<Words<NextAction>>()
    expectTypeOf<keyof V1.Evidence>().toExtend<keyof Evidence>()
    expectTypeOf<Words<V1.EvidenceClaim>>().toExtend<Words<EvidenceClaim>>()
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
