import { assert, describe, it } from "@effect/vitest"
import * as ConcurrencyLimiter from "../src/delivery/ConcurrencyLimiter.ts"

const well = (id: string) => ({ id, failing: false })
const ill = (id: string) => ({ id, failing: true })

describe("ConcurrencyLimiter", () => {
  it("of endpoints with equally many attempts, the one that waited longest is first, whichever others had one since", () => {
    const turns = ConcurrencyLimiter.makeTurns()
    const order = (ids: string, busy = "") =>
      turns
        .order(Array.from(ids, well), (id) => Number(id === busy))
        .map(({ id }) => id)
        .join("")
    assert.strictEqual(order("abz"), "abz")
    turns.took("a")
    turns.took("z")
    assert.strictEqual(order("abz"), "baz")
    turns.took("b")
    turns.took("z")
    assert.strictEqual(order("abz"), "abz")
    assert.strictEqual(order("abz", "a"), "bza")
    // An endpoint with nothing to send is forgotten, and comes first when it has something.
    assert.strictEqual(order("ab"), "ab")
    assert.strictEqual(order("abz"), "zab")
  })

  it("an endpoint that fails gets half of the tries, and all that fail half of the share of the others", () => {
    const limiter = ConcurrencyLimiter.make({ concurrency: 8, concurrencyPerEndpoint: 8 })
    assert.strictEqual(limiter.room(well("a"), 0), 8)
    assert.strictEqual(limiter.room(ill("b"), 0), 4)
    for (const id of ["b", "c"]) for (let n = 0; n < 2; n++) limiter.begin(ill(id), 0)
    assert.strictEqual(limiter.room(ill("d"), 0), 0)
    assert.strictEqual(limiter.room(well("a"), 0), 8)
  })

  it("an endpoint that holds an attempt for more than two seconds leaves the share of the others, known to fail or not", () => {
    const limiter = ConcurrencyLimiter.make({ concurrency: 16, concurrencyPerEndpoint: 8 })
    for (const id of ["a", "b"]) for (let n = 0; n < 8; n++) limiter.begin(well(id), 0)
    assert.strictEqual(limiter.room(well("c"), 2000), 0)
    assert.strictEqual(limiter.room(well("c"), 2001), 8)
    assert.isAtMost(limiter.room(well("a"), 2001), 0)
  })

  it("an endpoint that fails now and then keeps its limit; after eight failures in a row it has half of it, until a success", () => {
    const limiter = ConcurrencyLimiter.make({ concurrency: 64, concurrencyPerEndpoint: 8 })
    // The database has it as failing after each failure.
    const end = (succeeded: boolean | null) => limiter.begin(well("a"), 0)(succeeded)
    for (let n = 0; n < 100; n++) end(n % 3 > 0)
    assert.strictEqual(limiter.room(ill("a"), 0), 8)
    end(true)
    for (let n = 0; n < 7; n++) end(false)
    assert.strictEqual(limiter.room(ill("a"), 0), 8)
    end(null)
    assert.strictEqual(limiter.room(ill("a"), 0), 8)
    end(false)
    assert.deepStrictEqual([limiter.room(well("a"), 0), limiter.isSlow(well("a"), 0)], [4, true])
    end(true)
    assert.strictEqual(limiter.room(ill("a"), 0), 8)
  })

  it("forgets how attempts ended of endpoints that have nothing to send; then the database says whether one fails", () => {
    const limiter = ConcurrencyLimiter.make({ concurrency: 64, concurrencyPerEndpoint: 8 })
    limiter.begin(well("a"), 0)(true)
    limiter.keep(new Set(["a"]))
    assert.strictEqual(limiter.room(ill("a"), 0), 8)
    limiter.keep(new Set())
    assert.strictEqual(limiter.room(ill("a"), 0), 4)
  })

  it("what has ended makes room", () => {
    const limiter = ConcurrencyLimiter.make({ concurrency: 2, concurrencyPerEndpoint: 1 })
    const end = limiter.begin(well("a"), 0)
    assert.deepStrictEqual([limiter.room(well("a"), 0), limiter.running("a")], [0, 1])
    end(true)
    assert.deepStrictEqual([limiter.room(well("a"), 0), limiter.running("a")], [1, 0])
  })
})
