import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { defineProvider, ProviderOptionsInvalid } from "../../src/provider/defineProvider.ts"
import * as Outcome from "../../src/domain/Outcome.ts"

const Key = Schema.String.check(Schema.isPattern(/^key_\w+$/, { message: "must be a key: key_…" }))

const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({
    key: Schema.RedactedFromValue(Key),
    region: Schema.optionalKey(Schema.Literals(["eu", "us"]).annotate({ message: "must be eu or us" })),
    plain: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(3)))
  }),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { hosted: {} } } },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})

/** As JavaScript may call it. */
const problems = (...given: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  try {
    // Boundary: what no compiler has seen.
    Reflect.apply(acme, undefined, given)
    return []
  } catch (error) {
    return error instanceof ProviderOptionsInvalid ? error.problems : [`threw ${String(error)}`]
  }
}

describe("options that do not fit", () => {
  it("are reported with the expected type from their schema, and never with their value", () => {
    assert.deepStrictEqual(problems({ key: "hunter2", region: "hunter3", plain: "hunter4" }), [
      "key: must be a key: key_…",
      "region: must be eu or us",
      "plain: not valid"
    ])
  })

  it("are missing where they are not set", () => {
    assert.deepStrictEqual(problems({}), ["key: is missing"])
    assert.deepStrictEqual(problems({ key: undefined }), ["key: is missing"])
    assert.deepStrictEqual(problems({ key: 5 }), ["key: has the wrong type"])
  })

  it("are wanted as an object", () => {
    for (const given of [[], [null], ["key_1"], [["key_1"]], [5]]) {
      assert.deepStrictEqual(problems(...given), ["call it with an object of options: acme({ … })"])
    }
  })

  it("are named with their id, also where that is none", () => {
    assert.deepStrictEqual(problems({ id: 5, key: "key_1" }), [
      "id: use lower-case letters, digits, _ and -, at most 64, starting with a letter"
    ])
    assert.isEmpty(problems({ id: "acme_eu", key: "key_1" }))
  })
})
