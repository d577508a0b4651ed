import { assert, describe, it } from "@effect/vitest"
import { isRecent } from "../../src/server/access/Permission.ts"

const now = 1_700_000_000_000
const minute = 60_000

describe("a recent sign-in", () => {
  it.each([
    ["just now", 0, true],
    ["10 minutes ago", -10 * minute, true],
    ["more than 10 minutes ago", -10 * minute - 1, false],
    ["in a process whose clock is ahead by some ms", 5, true],
    ["in a process whose clock is ahead by a minute", minute, true],
    ["more than a minute in the future", minute + 1, false],
    ["an hour in the future", 60 * minute, false]
  ] as const)("%s", (_, since, expected) => {
    assert.strictEqual(isRecent(now + since, now), expected)
  })
})
