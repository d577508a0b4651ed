/** How many synchronous standbys commits wait for, and whether as many are connected. */
import { assert, describe, it } from "@effect/vitest"
import { standbysOf } from "../../src/queries/standbys.ts"

describe("synchronous standbys", () => {
  // Some are the examples of PostgreSQL's documentation, "synchronous_standby_names".
  const examples: ReadonlyArray<readonly [string, number]> = [
    ["", 0],
    [" ", 0],
    ["FIRST 3 (s1, s2, s3, s4)", 3],
    ["ANY 3 (s1, s2, s3, s4)", 3],
    ["2 (s1, s2)", 2],
    ["s1, s2", 1],
    ["any 2(*)", 2],
    ['"3 (odd name)"', 1],
    ["*", 1]
  ]

  it.each(examples)("of %j are missing if fewer than %d are connected", (names, required) => {
    const of = (connected: number) => standbysOf({ names, connected, lagBytes: 0, lagSeconds: 0 })
    for (let connected = 0; connected < required; connected++) {
      assert.deepInclude(of(connected), { required, connected, missing: true })
    }
    assert.deepInclude(of(required), { required, missing: false })
    assert.deepInclude(of(required + 1), { required, missing: false })
  })
})
