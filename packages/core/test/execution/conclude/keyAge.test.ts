import { assert, describe, it } from "@effect/vitest"
import { answersFirst } from "../../../src/execution/conclude/Failover.ts"
import { operation } from "../../domain/records.ts"

describe("the life of a key", () => {
  it("begins with its operation, at whatever date that is, for keys in a header and in the body", () => {
    const day = 24 * 60 * 60_000
    const old = operation(1, { createdAt: 20_000 * day })
    for (const by of ["header", "body"] as const) {
      assert.isTrue(answersFirst({ by, lifetimeMs: day }, old, 20_000 * day + day / 2), by)
      assert.isFalse(answersFirst({ by, lifetimeMs: day }, old, 20_000 * day + day), by)
    }
  })
})
