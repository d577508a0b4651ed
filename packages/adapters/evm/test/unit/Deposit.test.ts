import { assert, describe, it } from "@effect/vitest"
import { Currency } from "@paymux/core"
import * as fc from "fast-check"
import type { Address, Hex } from "viem"
import { credit, decide, forget, isEmpty, issued, see, standing, tell, watchOf } from "../../src/deposits/Deposit.ts"
import type { Deposit, Hit } from "../../src/deposits/Deposit.ts"

const dollar = "USD"
const currency = Currency.isCurrency(dollar) ? dollar : assert.fail("USD is a currency")
const hex = (number: number, size: number): Hex => `0x${number.toString(16).padStart(size, "0")}`
const address = (number: number): Address => hex(number, 40)
const right = address(0xa)
const wrong = address(0xb)
const over = 1_000
const fresh = issued({
  operation: "op_1",
  chainId: 31_337,
  address: address(1),
  path: "0/1",
  coin: { asset: "USDC", contract: right, decimals: 6, currency },
  asked: 50_000_000n,
  createdAt: 0,
  expiresAt: over
})

/** A transaction is in one block, and its hash says in which: another block is another history. */
const hitAt = (tx: number, index: number, units: bigint, rest: Partial<Hit> = {}): Hit => ({
  tx: hex(tx, 64),
  index,
  block: tx,
  blockHash: hex(tx, 64),
  token: right,
  from: address(0xf),
  units,
  ...rest
})

const history = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(3)), { maxLength: 120, selector: String })
  .chain((names) =>
    fc
      .array(fc.tuple(fc.bigInt({ min: 1n, max: 60_000_000n }), fc.boolean()), {
        minLength: names.length,
        maxLength: names.length
      })
      .map((values) =>
        names.map(([tx, index], place) => {
          const [units, isRight] = values[place] ?? [1n, true]
          return hitAt(tx, index, units, { token: isRight ? right : wrong })
        })
      )
  )

const sumOf = (hits: ReadonlyArray<Hit>) =>
  hits.filter(({ token }) => token === right).reduce((sum, { units }) => sum + units, 0n)

/** As a scanner does: range by range, with ranges scanned again from any place. */
const scanned = (hits: ReadonlyArray<Hit>, steps: ReadonlyArray<readonly [number, number]>): Deposit => {
  let deposit = fresh
  for (const [from, to] of [...steps, [0, 60] as const]) {
    deposit = credit(
      deposit,
      hits.filter(({ block }) => block >= from && block <= to)
    )
  }
  return deposit
}

describe("a deposit", () => {
  it("counts each transfer once, however its blocks are scanned again", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(60), { maxLength: 5 }), (hits, ends) => {
        const sorted = [...ends].sort((a, b) => a - b)
        const steps = sorted.flatMap((end, place) => [[0, end] as const, [sorted[place - 1] ?? 0, end] as const])
        const deposit = scanned(hits, steps)
        assert.strictEqual(deposit.right, sumOf(hits))
        assert.strictEqual(deposit.wrong, hits.filter(({ token, units }) => token === wrong && units >= 10_000n).length)
        assert.isAtMost(deposit.credited.length, 50)
      })
    )
  })

  it("does not count a transaction again that is in another block now", () => {
    const once = credit(fresh, [hitAt(5, 0, 10n), hitAt(5, 1, 20n)])
    const moved = credit(once, [hitAt(5, 3, 10n, { block: 9, blockHash: hex(99, 64) })])
    assert.strictEqual(moved.right, 30n)
  })

  it("keeps no more names than fifty of either kind, whatever strangers send", () => {
    const many = Array.from({ length: 500 }, (_, place) => hitAt(place + 1, 0, 1n))
    const deposit = credit(see(fresh, many), many)
    assert.isAtMost(deposit.credited.length, 50)
    assert.isAtMost(deposit.seen.length, 50)
    assert.strictEqual(credit(deposit, many).right, 500n)
    assert.isAtMost(deposit.senders.length, 2)
  })

  it("says nothing twice, and pays once, whatever comes in whatever order", () => {
    const step = fc.oneof(
      history.map((hits) => ({ kind: "see", hits }) as const),
      history.map((hits) => ({ kind: "credit", hits }) as const),
      fc.nat(60).map((block) => ({ kind: "forget", block }) as const),
      fc.nat(60).map((block) => ({ kind: "decide", block }) as const),
      fc.nat(2 * over).map((now) => ({ kind: "wait", now }) as const)
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let deposit: Deposit = fresh
        let now = 0
        let reported = 0n
        for (const each of steps) {
          if (each.kind === "see") deposit = see(deposit, each.hits)
          else if (each.kind === "credit") deposit = credit(deposit, each.hits)
          else if (each.kind === "forget") deposit = forget(deposit, each.block)
          else if (each.kind === "decide") deposit = decide(deposit, each.block)
          else now = Math.max(now, each.now)
          const wasPaid = deposit.reported.paid !== null
          const { deposit: after, words } = tell(deposit, now)
          assert.isEmpty(tell(after, now).words)
          const paying = words.filter(
            ({ outcome, extra }) => outcome._tag === "Succeeded" && !extra && (outcome.amount?.minorUnits ?? 0) >= 5_000
          )
          assert.isAtMost(paying.length, wasPaid ? 0 : 1)
          // Every whole cent that arrived beyond the payment is reported once.
          for (const { outcome, extra } of words) {
            if (outcome._tag !== "Succeeded" || outcome.amount === undefined) continue
            if (extra) reported += BigInt(outcome.amount.minorUnits)
            else if (outcome.amount.minorUnits >= 5_000) reported = BigInt(outcome.amount.minorUnits)
          }
          if (after.reported.paid !== null)
            assert.isTrue(reported * 10_000n <= after.right, "no more is reported than arrived")
          deposit = after
        }
      }),
      { numRuns: 300 }
    )
  })

  it("is paid by what is final alone", () => {
    const seen = see(fresh, [hitAt(7, 0, 50_000_000n)])
    assert.deepStrictEqual(standing(seen, 0), { kind: "coming", minor: 5_000, token: right })
    assert.strictEqual(standing(seen, 10 * over).kind, "coming")
    assert.deepStrictEqual(standing(decide(credit(seen, seen.seen), 7), 0), {
      kind: "arrived",
      minor: 5_000,
      complete: true
    })
  })

  it("waits with too little until the payer's time is over, and for what is on its way", () => {
    const short = credit(fresh, [hitAt(7, 0, 49_990_000n)])
    assert.strictEqual(standing(short, over - 1).kind, "coming")
    assert.deepStrictEqual(standing(short, over), { kind: "arrived", minor: 4_999, complete: false })
    assert.strictEqual(standing(see(short, [hitAt(8, 0, 10_000n)]), over).kind, "coming")
    assert.deepStrictEqual(watchOf(short), { block: null, due: over })
  })

  it("reports another token as not counting, and nothing less than a cent", () => {
    const other = credit(fresh, [hitAt(7, 0, 50_000_000n, { token: wrong })])
    assert.deepStrictEqual(
      tell(other, 0).words.map(({ outcome }) => outcome),
      [{ _tag: "Succeeded", amount: { minorUnits: 0, currency } }]
    )
    const dust = credit(see(fresh, [hitAt(8, 0, 9_999n)]), [hitAt(7, 0, 9_999n)])
    assert.isTrue(isEmpty(credit(fresh, [hitAt(7, 0, 9_999n)])))
    assert.deepStrictEqual(standing(dust, 0), { kind: "coming", minor: 1, token: right })
  })

  it("takes back what was detected when nothing is left of it", () => {
    const seen = tell(see(fresh, [hitAt(7, 0, 50_000_000n)]), 0).deposit
    const words = tell(forget(seen, 6), 0).words
    assert.deepStrictEqual(
      words.map(({ outcome }) => outcome._tag),
      ["Retracted"]
    )
    assert.isEmpty(tell(forget(fresh, 0), 0).words)
  })

  it("reports what comes after it is paid under a reference of its own", () => {
    const paid = tell(credit(fresh, [hitAt(7, 0, 60_000_000n)]), 0).deposit
    const { words } = tell(credit(paid, [hitAt(9, 0, 10_000_000n)]), 0)
    assert.deepStrictEqual(words, [
      { outcome: { _tag: "Succeeded", amount: { minorUnits: 1_000, currency } }, extra: true }
    ])
  })

  it("reports what is right and too little at the end of the payer's time, also after another token", () => {
    const other = tell(credit(fresh, [hitAt(1, 0, 50_000_000n, { token: wrong })]), 0).deposit
    const coming = tell(see(other, [hitAt(2, 0, 20_000_000n)]), 0)
    assert.deepStrictEqual(
      coming.words.map(({ outcome }) => outcome._tag),
      ["Detected"]
    )
    assert.deepStrictEqual(
      tell(forget(coming.deposit, 1), 0).words.map(({ outcome }) => outcome._tag),
      ["Retracted"]
    )
    const short = decide(credit(coming.deposit, [hitAt(2, 0, 20_000_000n)]), 2)
    assert.deepStrictEqual(watchOf(short), { block: null, due: over })
    const { deposit, words } = tell(short, over)
    assert.deepStrictEqual(
      words.map(({ outcome }) => outcome),
      [{ _tag: "Succeeded", amount: { minorUnits: 2_000, currency } }]
    )
    assert.isNull(watchOf(deposit))
  })

  it("says nothing of another token's dust, before it is paid and after", () => {
    const dust = hitAt(1, 0, 9_999n, { token: wrong })
    assert.isTrue(isEmpty(see(fresh, [dust])))
    assert.isEmpty(tell(credit(fresh, [dust]), 0).words)
    const paid = tell(credit(fresh, [hitAt(2, 0, 50_000_000n)]), 0).deposit
    assert.isEmpty(tell(credit(paid, [hitAt(3, 0, 9_999n, { token: wrong })]), 0).words)
  })

  it("is hidden by no dust, however much came before it", () => {
    const dust = Array.from({ length: 80 }, (_, place) => hitAt(place + 1, 0, 1n))
    const seen = see(see(fresh, dust), [hitAt(100, 0, 50_000_000n)])
    assert.isFalse(isEmpty(seen))
    assert.deepStrictEqual(standing(see(seen, dust), 0), { kind: "coming", minor: 5_000, token: right })
  })

  it("was sent by the senders of its payment: not by dust, and not by what comes once it is paid", () => {
    const stranger = { from: address(0xbad) }
    const hits = [hitAt(1, 0, 9_999n, stranger), hitAt(2, 0, 50_000_000n), hitAt(3, 0, 50_000_000n, stranger)]
    assert.deepStrictEqual(credit(fresh, hits).senders, [address(0xf)])
    const two = [hitAt(1, 0, 10_000n, stranger), hitAt(2, 0, 50_000_000n)]
    assert.lengthOf(credit(fresh, two).senders, 2)
  })
})
