import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { asOfReceipt } from "../../src/provider/asOfReceipt.ts"
import { definePromiseProvider } from "../../src/provider/defineProvider.ts"
import { onlyContractErrors } from "../../src/provider/validity.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { ProviderContext, ProviderOperation } from "../../src/provider/Provider.ts"

class Operations {
  readonly reference = "r_1"
  create() {
    return Effect.succeed(Outcome.succeeded({ reference: this.reference }))
  }
  inquire() {
    return Effect.succeed(Outcome.pending({ reference: this.reference }))
  }
}

class PromiseOperations {
  readonly reference = "r_2"
  readonly webhook = asOfReceipt(() => Promise.resolve([]))
  create() {
    return Promise.resolve(Outcome.succeeded({ reference: this.reference }))
  }
  inquire() {
    return Promise.resolve(Outcome.pending({ reference: this.reference }))
  }
}

// Boundary: neither function looks at what it is given.
const operation = {} as ProviderOperation
const context = { id: "a", publicUrl: "", state: {} } as ProviderContext

describe("an adapter that is an object of a class", () => {
  it.effect("keeps its this", () =>
    Effect.gen(function* () {
      const made = onlyContractErrors(new Operations())
      assert.strictEqual((yield* made.create(operation)).reference, "r_1")
      assert.strictEqual((yield* made.inquire?.(operation) ?? Effect.succeed(Outcome.notFound())).reference, "r_1")
    })
  )

  it("has none of the functions that it has as null or false", () => {
    const absent = { inquire: null as never, statement: false as never, webhook: null as never, run: null as never }
    const made = onlyContractErrors({ create: () => Effect.succeed(Outcome.succeeded()), ...absent })
    assert.deepStrictEqual(Object.keys(made), ["create"])
  })

  it.effect("keeps its this in Promises", () =>
    Effect.gen(function* () {
      const provider = definePromiseProvider({
        id: "a",
        options: Schema.Struct({}),
        mode: () => "test",
        capabilities: () => ({ methods: {}, operations: { create: {} } }),
        make: () => new PromiseOperations()
      })({})
      const made = yield* Effect.scoped(provider.make(context))
      assert.strictEqual(made.webhook?.asOf, "receipt")
      assert.strictEqual(onlyContractErrors(made).webhook?.asOf, "receipt")
      assert.strictEqual((yield* made.create(operation)).reference, "r_2")
      assert.strictEqual((yield* made.inquire?.(operation) ?? Effect.succeed(Outcome.notFound())).reference, "r_2")
    })
  )
})
