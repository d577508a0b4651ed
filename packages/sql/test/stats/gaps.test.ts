/** Which positions a cursor has read, while transactions become visible in any order, or are rolled back. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { gapsAmong, isOpenGap, without } from "../../src/stats/gaps.ts"
import type { Gap, Snapshot } from "../../src/stats/gaps.ts"

/** A transaction of one event: its position is `n`, its id too. When it ends, and whether it is committed. */
interface Transaction {
  readonly begins: number
  readonly lasts: number
  readonly isCommitted: boolean
}

const transactions = fc.array(
  fc.record({ begins: fc.nat(3), lasts: fc.oneof(fc.nat(5), fc.nat(60)), isCommitted: fc.boolean() }),
  { minLength: 1, maxLength: 60 }
)

const minute = 60_000

/** Reads pages while the transactions run. Returns the positions in the order read, and the gaps that are left. */
const readAll = (all: ReadonlyArray<Transaction>, limit: number) => {
  let time = 0
  const timed = all.map(({ begins, isCommitted, lasts }, index) => {
    time += begins
    return { position: index + 1, begins: time, ends: time + 1 + lasts, isCommitted }
  })
  const read: Array<number> = []
  let cursor = 0
  let gaps: ReadonlyArray<Gap> = []
  for (let now = 0; now < time + 200; now++) {
    const running = timed.filter(({ begins, ends }) => begins <= now && now < ends)
    const next = timed.filter(({ begins }) => begins <= now).length + 1
    const snapshot: Snapshot = {
      oldest: String(Math.min(next, ...running.map(({ position }) => position))),
      next: String(next),
      now: now * minute
    }
    const visible = timed.filter(({ ends, isCommitted }) => isCommitted && ends <= now).map(({ position }) => position)
    const following = visible.filter((position) => position > cursor).slice(0, limit)
    const found = visible.filter((each) => gaps.some(({ from, to }) => from <= each && each <= to))
    read.push(...following, ...found)
    gaps = [
      ...without(gaps, found).filter((gap) => isOpenGap(gap, snapshot)),
      ...gapsAmong(cursor, following, snapshot)
    ]
    cursor = following.at(-1) ?? cursor
  }
  return { read, gaps, committed: timed.filter(({ isCommitted }) => isCommitted).map(({ position }) => position) }
}

describe("gaps", () => {
  it("every committed position is read exactly once, in whatever order commits become visible", () => {
    fc.assert(
      fc.property(transactions, fc.integer({ min: 1, max: 10 }), (all, limit) => {
        const { committed, gaps, read } = readAll(all, limit)
        assert.deepStrictEqual(
          read.toSorted((a, b) => a - b),
          committed
        )
        assert.deepStrictEqual(gaps, [])
      }),
      { numRuns: 500 }
    )
  })

  it("stay open while a transaction may own them, and 15 s in any case", () => {
    const gap: Gap = { from: 3, to: 4, before: "900", foundAt: 1_000_000 }
    assert.isTrue(isOpenGap(gap, { oldest: "899", next: "5000", now: 9_000_000 }))
    assert.isFalse(isOpenGap(gap, { oldest: "900", next: "5000", now: 9_000_000 }))
    assert.isTrue(isOpenGap(gap, { oldest: "900", next: "5000", now: 1_014_999 }))
    // Ids are compared as numbers: "1000" is greater than "900".
    assert.isFalse(isOpenGap(gap, { oldest: "1000", next: "5000", now: 9_000_000 }))
  })

  it("are split by what was found in them", () => {
    const gap: Gap = { from: 3, to: 9, before: "1", foundAt: 0 }
    const ranges = (found: ReadonlyArray<number>) => without([gap], found).map(({ from, to }) => [from, to])
    assert.deepStrictEqual(ranges([]), [[3, 9]])
    assert.deepStrictEqual(ranges([3, 9]), [[4, 8]])
    assert.deepStrictEqual(ranges([5, 6, 100]), [
      [3, 4],
      [7, 9]
    ])
    assert.deepStrictEqual(ranges([3, 4, 5, 6, 7, 8, 9]), [])
  })
})
