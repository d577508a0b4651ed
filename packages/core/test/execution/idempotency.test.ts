import { assert, describe, it } from "@effect/vitest"
import { answersFirst } from "../../src/execution/idempotency.ts"
import { operation } from "../domain/records.ts"

const minutes = (n: number): number => n * 60_000

describe("a repeat under the same key is answered with the first result", () => {
  const daylong = { by: "header", lifetimeMs: minutes(24 * 60) } as const

  it("until a quarter of an hour before the key's declared end: clocks can be set", () => {
    assert.isTrue(answersFirst(daylong, operation(1), minutes(24 * 60 - 15) - 1))
    assert.isFalse(answersFirst(daylong, operation(1), minutes(24 * 60 - 15)))
  })

  it("never where the key is shorter than that, or a repeat is refused or done again", () => {
    assert.isFalse(answersFirst({ by: "body", lifetimeMs: minutes(15) }, operation(1), 0))
    for (const by of ["reference", "lookup", "none"] as const) {
      assert.isFalse(answersFirst({ ...daylong, by }, operation(1), 0), by)
    }
  })
})
