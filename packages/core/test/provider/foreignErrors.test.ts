/** An adapter may bring its own copy of the package: its errors are of other classes, and mean the same. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import type { Capabilities } from "../../src/provider/Capabilities.ts"
import { definePromiseProvider, defineProvider } from "../../src/provider/defineProvider.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Provider, ProviderMode } from "../../src/provider/Provider.ts"
import {
  accountNotEnabled,
  invalidRequest,
  isProviderError,
  isWebhookRefused,
  misconfigured,
  rateLimited,
  WebhookRefused
} from "../../src/provider/ProviderError.ts"
import type { ProviderError } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { scripted, start, summary } from "../engine/fixtures.ts"

/** Of no class that this package knows. */
class Foreign extends Error {
  readonly _tag: string
  readonly reason: unknown
  constructor(tag: string, reason: unknown) {
    super("foreign")
    this._tag = tag
    this.reason = reason
  }
}

const foreign = (reason: unknown): Foreign => new Foreign("ProviderError", reason)

const known: ReadonlyArray<readonly [string, Foreign, ProviderError]> = [
  ["Misconfigured", foreign({ _tag: "Misconfigured", detail: "no such key" }), misconfigured("no such key")],
  [
    "AccountNotEnabled",
    foreign({ _tag: "AccountNotEnabled", code: "s2s_not_enabled", about: "kind" }),
    accountNotEnabled("s2s_not_enabled", "kind")
  ],
  ["RateLimited", foreign({ _tag: "RateLimited", retryAfterMs: null }), rateLimited(null)],
  ["InvalidRequest", foreign({ _tag: "InvalidRequest", detail: "no amount" }), invalidRequest("no amount")]
]

const malformed: ReadonlyArray<readonly [string, unknown]> = [
  ["no reason", new Foreign("ProviderError", undefined)],
  ["a reason that is a word", foreign("Misconfigured")],
  ["a reason that the contract does not know", foreign({ _tag: "OutOfCoffee", detail: "" })],
  ["a Misconfigured without a detail", foreign({ _tag: "Misconfigured" })],
  ["an InvalidRequest whose detail is no text", foreign({ _tag: "InvalidRequest", detail: 7 })],
  ["an AccountNotEnabled without a code", foreign({ _tag: "AccountNotEnabled", about: "kind" })],
  [
    "an AccountNotEnabled whose code is a text of the vendor",
    foreign({ _tag: "AccountNotEnabled", code: "x".repeat(501), about: "kind" })
  ],
  [
    "an AccountNotEnabled about no fact of a request",
    foreign({ _tag: "AccountNotEnabled", code: "a", about: "customer.age" })
  ],
  ["a RateLimited without a time", foreign({ _tag: "RateLimited" })],
  ["a RateLimited of NaN ms", foreign({ _tag: "RateLimited", retryAfterMs: Number.NaN })],
  ["another tag", new Foreign("PaymentError", { _tag: "Misconfigured", detail: "" })],
  ["a reason without its error", { _tag: "Misconfigured", detail: "" }],
  ["an error of the language", new TypeError("fetch failed")],
  ["nothing", undefined]
]

const definition = {
  id: "a",
  options: Schema.Struct({}),
  mode: (): ProviderMode => "test",
  capabilities: (): Capabilities => ({
    methods: { card: { currencies: "any", flows: { token: {} } } },
    operations: { create: {} }
  })
} as const

/** A provider whose every function fails with it, once in each style. */
const failing = (thrown: unknown): ReadonlyArray<readonly [style: string, provider: Provider]> => [
  [
    "Effect",
    defineProvider({
      ...definition,
      // Boundary: an adapter of another copy of the package, or in JavaScript, fails with anything.
      make: () =>
        Effect.succeed({
          create: () => Effect.fail(thrown as ProviderError),
          webhook: () => Effect.fail(thrown as WebhookRefused)
        })
    })({})
  ],
  [
    "Promise",
    definePromiseProvider({
      ...definition,
      make: () => ({ create: () => Promise.reject(thrown), webhook: () => Promise.reject(thrown) })
    })({})
  ]
]

/** What a payment comes to when the first provider fails with it, and a second would take the money. */
const paidDespite = (first: Provider) =>
  Effect.gen(function* () {
    const other = scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })
    const { create } = yield* start(MemoryStore.make(), [first, other])
    const { attempts, state } = summary(yield* create())
    return { attempts, state }
  }).pipe(Effect.scoped)

describe("an error of another copy of the package", () => {
  for (const [what, theirs, ours] of known) {
    it.effect(`is the error that it says: ${what}`, () =>
      Effect.gen(function* () {
        assert.isTrue(isProviderError(theirs))
        assert.isTrue(isProviderError(ours))
        const [, own] = failing(ours)[0] ?? []
        const expected = own === undefined ? null : yield* paidDespite(own)
        for (const [style, provider] of failing(theirs)) {
          assert.deepStrictEqual(yield* paidDespite(provider), expected, style)
        }
      })
    )
  }

  it.effect("counts: refused credentials let the next provider have the payment", () =>
    Effect.gen(function* () {
      for (const [style, provider] of failing(foreign({ _tag: "Misconfigured", detail: "401" }))) {
        const reported = yield* paidDespite(provider)
        assert.deepStrictEqual(reported, { attempts: ["a not_executed", "b succeeded"], state: "succeeded" }, style)
      }
    })
  )

  for (const [what, thrown] of malformed) {
    it.effect(
      `is a defect when it has ${what}: the outcome is unknown, no other provider is tried, the engine goes on`,
      () =>
        Effect.gen(function* () {
          assert.isFalse(isProviderError(thrown))
          for (const [style, provider] of failing(thrown)) {
            assert.deepStrictEqual(yield* paidDespite(provider), { attempts: ["a unknown"], state: "pending" }, style)
          }
        })
    )
  }
})

describe("a refused webhook of another copy of the package", () => {
  const received = (provider: Provider) =>
    Effect.gen(function* () {
      const { inbox } = yield* start(MemoryStore.make(), [provider])
      return yield* Effect.exit(inbox.receive("a", new Uint8Array(), {}))
    }).pipe(Effect.scoped)

  for (const reason of ["missing_signature", "bad_signature", "stale", "malformed"] as const) {
    it.effect(`is the refusal that it says: ${reason}`, () =>
      Effect.gen(function* () {
        const theirs = new Foreign("WebhookRefused", reason)
        assert.isTrue(isWebhookRefused(theirs))
        assert.isTrue(isWebhookRefused(new WebhookRefused({ reason })))
        for (const [style, provider] of failing(theirs)) {
          const exit = yield* received(provider)
          const error: unknown = Exit.isFailure(exit) ? Option.getOrNull(Cause.findErrorOption(exit.cause)) : exit
          assert.strictEqual(error, theirs, style)
        }
      })
    )
  }

  for (const [what, thrown] of [
    ["a reason that the contract does not know", new Foreign("WebhookRefused", "boring")],
    ["no reason", new Foreign("WebhookRefused", undefined)],
    ["the tag of another error", foreign({ _tag: "Misconfigured", detail: "" })]
  ] as const) {
    it.effect(`is a defect when it has ${what}`, () =>
      Effect.gen(function* () {
        assert.isFalse(isWebhookRefused(thrown))
        for (const [style, provider] of failing(thrown)) {
          const exit = yield* received(provider)
          assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), style)
        }
      })
    )
  }
})
