import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClaimedQueue from "../src/delivery/ClaimedQueue.ts"

/** Eight slots. Attempts end when the test says so; `answer` is what they say of the receiver. */
const queueOf = (isQuick = true, clock = () => 0) => {
  let running = 0
  const results: Array<boolean | null> = []
  const ends: Array<() => void> = []
  const begun: Array<number> = []
  const queue = ClaimedQueue.make<number>(
    {
      room: () => 8 - running,
      isQuick: () => isQuick,
      begin: () => {
        running++
        return (succeeded) => {
          running--
          results.push(succeeded)
        }
      }
    },
    clock,
    (worker) => void Effect.runFork(worker),
    (item) =>
      Effect.callback<boolean | null>((resume) => {
        begun.push(item)
        ends.push(() => resume(Effect.succeed(item % 2 === 0)))
      })
  )
  const endAll = async () => {
    for (const end of ends.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, results, endAll }
}
const numbers = (from: number, before: number) => Array.from({ length: before - from }, (_, n) => from + n)

describe("ClaimedQueue", () => {
  it("a receiver that answers gets as many more as have ended since the last claim, eight at a time", async () => {
    const { begun, endAll, queue, results } = queueOf()
    assert.strictEqual(queue.wanted(0), 8)
    queue.add(numbers(0, 8), 0)
    queue.start(0)
    assert.strictEqual(queue.wanted(0), 0)
    await endAll()
    assert.deepStrictEqual(results.slice(0, 2), [true, false])
    assert.strictEqual(queue.wanted(0), 16)
    queue.add(numbers(8, 24), 0)
    queue.start(0)
    assert.deepStrictEqual([begun.length, queue.waiting()], [16, 8])
    await endAll()
    assert.deepStrictEqual([begun, queue.waiting()], [numbers(0, 24), 0])
  })

  it("one that is slow gets no more than run at a time", async () => {
    const { endAll, queue } = queueOf(false)
    queue.add(numbers(0, 8), 0)
    queue.start(0)
    await endAll()
    assert.strictEqual(queue.wanted(0), 8)
  })

  it("what has waited for too long is removed, and no longer begun", async () => {
    const { begun, endAll, queue } = queueOf(true, () => 1000)
    queue.add(numbers(0, 12), 1000)
    queue.start(1000)
    assert.deepStrictEqual(queue.removeLate(3000), [])
    assert.deepStrictEqual(queue.removeLate(3001), numbers(8, 12))
    await endAll()
    assert.deepStrictEqual(begun, numbers(0, 8))
  })

  it.each([
    ["the process was suspended for longer than the lease allows", 61_000],
    ["the clock was set back", 999]
  ])("what waited while %s is not begun, and is given back", async (_, later) => {
    let now = 1000
    const { begun, endAll, queue } = queueOf(true, () => now)
    queue.add(numbers(0, 12), now)
    queue.start(now)
    now = later
    await endAll()
    assert.deepStrictEqual([begun, queue.waiting()], [numbers(0, 8), 4])
    assert.deepStrictEqual(queue.removeLate(now), numbers(8, 12))
    assert.strictEqual(queue.waiting(), 0)
  })

  it("a delivery begins if its claim ended just within the lease, however long claiming took", async () => {
    let now = 1000
    const { begun, queue } = queueOf(true, () => now)
    queue.add(numbers(0, 12), now)
    now = 11_000
    queue.start(now)
    assert.deepStrictEqual(begun, numbers(0, 8))
  })
})
