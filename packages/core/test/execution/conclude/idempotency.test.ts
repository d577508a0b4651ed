import { assert, describe, it } from "@effect/vitest"
import { answersFirst } from "../../../src/execution/conclude/Failover.ts"
import { mayReplay } from "../../../src/execution/recover/Inquiry.ts"
import { asked, begun, find, operation } from "../../domain/records.ts"

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

describe("a create that may never have arrived", () => {
  const weeklong = { by: "header", lifetimeMs: minutes(7 * 24 * 60) } as const

  it("is sent again until its payment's deadline, and not after a cancel was requested", () => {
    assert.isTrue(mayReplay(weeklong, find(begun, 1), begun, 45_000))
    assert.isFalse(mayReplay(weeklong, find(begun, 1), begun, 45_001))
    for (const status of ["sending", "pending", "succeeded", "declined"] as const) {
      const canceling = asked(begun, "x", { kind: "cancel", status })
      assert.isFalse(mayReplay(weeklong, find(canceling, 1), canceling, 10_000), status)
      assert.isTrue(mayReplay(weeklong, find(canceling, "x"), canceling, 10_000), "the cancel itself")
    }
  })
})
