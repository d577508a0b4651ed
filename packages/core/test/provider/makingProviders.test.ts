import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { engine, scripted } from "../engine/fixtures.ts"

const taking = scripted("fits", { create: () => Effect.succeed(Outcome.succeeded()) })

const throwing = (id: string, make: Provider["make"]): Provider => ({ ...taking, id, make })

describe("a provider that cannot be made", () => {
  it.effect("is named, with what it said, and so is each other one", () =>
    Effect.gen(function* () {
      const providers = [
        throwing("dies", () => Effect.die(new Error("invalid base URL: not_https"))),
        taking,
        throwing("throws", () => {
          throw new Error("no key.")
        }),
        throwing("odd", () => Effect.die("odd"))
      ]
      const error = yield* Effect.flip(Effect.scoped(Layer.build(engine(providers))))
      assert.strictEqual(error._tag, "ProvidersInvalid")
      assert.strictEqual(
        error.message,
        'The providers cannot be started: Provider "dies" cannot be made: invalid base URL: not_https. ' +
          'Provider "throws" cannot be made: no key. Provider "odd" cannot be made: odd.'
      )
    })
  )
})
