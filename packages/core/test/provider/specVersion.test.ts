import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Outcome from "../../src/domain/Outcome.ts"
import { SPEC_VERSION, SPEC_VERSIONS } from "../../src/provider/Provider.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { specVersionProblem } from "../../src/provider/specVersion.ts"
import { engine, scripted } from "../engine/fixtures.ts"

const silent = 'Provider "acme" has no valid version of the provider contract: create it with defineProvider.'

describe("the version of a provider", () => {
  it("is one of those that the engine takes, when defineProvider of this package wrote it", () => {
    assert.include(SPEC_VERSIONS, SPEC_VERSION)
    for (const version of SPEC_VERSIONS) assert.isNull(specVersionProblem("acme", version))
  })

  it.each([1, 2])("that is too old, %d, says to update the provider's package", (version) =>
    assert.strictEqual(
      specVersionProblem("acme", version),
      `Provider "acme" was made for version ${version} of the provider contract, which this engine no longer supports (it supports 3): ` +
        "update the provider's package."
    )
  )

  it("that is too new says to update the engine", () =>
    assert.strictEqual(
      specVersionProblem("acme", 4),
      'Provider "acme" was made for version 4 of the provider contract, which this engine does not support yet (it supports 3): ' +
        "update paymux and @paymux/core."
    ))

  it("that was taken out from between others is too old", () => {
    const taken = [2, 4, 5]
    assert.match(
      specVersionProblem("acme", 3, taken) ?? "",
      /no longer supports \(it supports 2, 4 and 5\): update the prov/
    )
    assert.match(
      specVersionProblem("acme", 6, taken) ?? "",
      /does not support yet \(it supports 2, 4 and 5\): update paymux/
    )
    for (const version of taken) assert.isNull(specVersionProblem("acme", version, taken))
  })

  it("is none when it is no whole number", () => {
    for (const none of [undefined, null, "1", Number.NaN, Infinity, 1.5, -1, true, {}, [1], 1n]) {
      assert.strictEqual(specVersionProblem("acme", none), silent)
    }
  })
})

/** What was not made by this package's defineProvider. */
const speaking = (id: string, specVersion: unknown): Provider => {
  const made: unknown = { ...scripted(id, { create: () => Effect.succeed(Outcome.succeeded()) }), specVersion }
  // Boundary: another version is what the type forbids.
  return made as Provider
}

describe("an engine", () => {
  it.effect("does not start a provider of another version, and makes none of them", () =>
    Effect.gen(function* () {
      let made = 0
      const counted = (provider: Provider): Provider => ({
        ...provider,
        make: (context) =>
          Effect.andThen(
            Effect.sync(() => made++),
            provider.make(context)
          )
      })
      const versions = { oldest: 1, old: 2, fits: 3, new: 4, none: "3" }
      const providers = Object.entries(versions).map(([id, version]) => speaking(id, version))
      const error = yield* Effect.flip(Effect.scoped(Layer.build(engine(providers.map(counted)))))
      const { fits: _, ...others } = versions
      const expected = Object.entries(others).map(([id, version]) => specVersionProblem(id, version))
      assert.strictEqual(error._tag, "ProvidersInvalid")
      assert.strictEqual(error.message, `The providers cannot be started: ${expected.join(" ")}`)
      assert.strictEqual(made, 0)
    })
  )
})
