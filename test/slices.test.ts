/** CI's rotation: everything is tried in turn, and each commit tries little. */
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { filesInPart, isTurn, longFiles, readTurn, sliceOf } from "./support/turns.ts"

const root = join(import.meta.dirname, "..")
const include = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"]

describe("the rotation", () => {
  it("tries each file with its whole input once in twenty-four commits", () => {
    const tried = Array.from({ length: 24 }, (_, index) => sliceOf(root, include, 1_000 + index).whole)
    assert.deepStrictEqual(tried.flat().toSorted(), filesInPart(root, include))
    assert.isAtLeast(tried.flat().length, 20)
    assert.isAtMost(Math.max(...tried.map((files) => files.length)), 2)
  })

  it("runs each file that takes minutes at one of four commits, and tries each of its slices", () => {
    const files = longFiles(root)
    assert.isAtLeast(files.length, 15)
    // With an even number of slices, a file that counted commits instead of its own turns would try a part of them.
    for (const count of [2, 3, 4, 10, 20]) {
      const slices = Array.from({ length: 4 * count }, (_, index) => sliceOf(root, include, 1_001 + index))
      for (const file of files) {
        const ran = slices.filter(({ waiting }) => !waiting.includes(file)).map(({ longTurn }) => longTurn)
        assert.lengthOf(ran, count)
        for (let item = 0; item < count; item++)
          assert.lengthOf(
            ran.filter((turn) => isTurn(item, count, turn)),
            1
          )
      }
    }
  })

  it("tries each item of a whole once, from any commit on", () => {
    for (const first of [0, 7, 4_711]) {
      const turns = Array.from({ length: 5 }, (_, index) => first + index)
      for (const item of [0, 1, 4, 23])
        assert.lengthOf(
          turns.filter((turn) => isTurn(item, 5, turn)),
          1
        )
    }
  })

  it("is off without PAYMUX_SLICE, and refuses what is not the number of a commit", () => {
    assert.isNull(readTurn(undefined))
    assert.isNull(readTurn(""))
    assert.strictEqual(readTurn("4711"), 4711)
    for (const text of ["-1", "1.5", "abc", "1e3", " 1", "12345678901"]) {
      assert.throws(() => readTurn(text), `PAYMUX_SLICE must be the number of a commit, and is ${text}`)
    }
  })
})
