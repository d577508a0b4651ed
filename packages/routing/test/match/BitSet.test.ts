import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { changed, everyBit } from "../../src/match/BitSet.ts"
import type { BitSet } from "../../src/match/BitSet.ts"

const numbersIn = (set: BitSet, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, number) => number).filter(
    (number) => (((set.words[(number >>> 5) - set.from] ?? 0) >>> (number & 31)) & 1) === 1
  )

describe("a set of bits", () => {
  it("holds every number below its length, and no other", () => {
    for (const length of [0, 1, 31, 32, 33, 64, 100]) {
      const set = everyBit(length)
      assert.lengthOf(numbersIn(set, length + 64), length)
      assert.strictEqual(set.size, length)
    }
  })

  it("is what was put in and taken out, and knows how many that is", () => {
    const edits = fc.array(fc.array(fc.tuple(fc.nat(129), fc.boolean()), { maxLength: 60 }), { maxLength: 5 })
    fc.assert(
      fc.property(edits, (edits) => {
        const length = 130
        const model = new Set(Array.from({ length }, (_, number) => number))
        let set = everyBit(length)
        for (const changes of edits) {
          set = changed(set, length, changes)
          for (const [number, isIn] of changes) {
            if (isIn) model.add(number)
            else model.delete(number)
          }
        }
        assert.deepStrictEqual(new Set(numbersIn(set, length)), model)
        assert.strictEqual(set.size, model.size)
      })
    )
  })

  it("keeps no empty words at its ends", () => {
    const none = changed(everyBit(0), 128, [])
    assert.lengthOf(none.words, 0)
    const one = changed(none, 128, [[70, true]])
    assert.deepStrictEqual([one.from, one.words.length, one.size], [2, 1, 1])
  })
})
