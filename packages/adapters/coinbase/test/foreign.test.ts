/**
 * Error bodies that Coinbase publishes, each with its source and what it must mean, written down before the adapter read it.
 * `composed`: only the parts are published, or the status is not.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import bodies from "./foreign/errors.json" with { type: "json" }
import { refused } from "./refusals.ts"

const calls = ["create", "capture", "cancel", "refund", "inquire"] as const

describe("a body that Coinbase publishes", () => {
  it("has a source, and most are published as a whole", () => {
    assert.isTrue(bodies.every(({ source }) => source !== ""))
    assert.isAtLeast(bodies.filter(({ composed }) => composed !== true).length, 30)
  })

  for (const { body, call, expected, id, source, status } of bodies) {
    it.live(`${id}, ${status} ${body.errorType} to a ${call}: ${expected._tag} (${source})`, () =>
      Effect.gen(function* () {
        const known = calls.find((each) => each === call)
        if (known === undefined) return assert.fail(`no call "${call}"`)
        assert.deepStrictEqual<unknown>(yield* refused(known, { status, json: body }), expected)
      })
    )
  }
})
