/** From attempts to choices: for how many declines the cards of an issuer go elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { drawn } from "../../src/choose/draw.ts"
import { avalanche } from "../../src/choose/stickyHash.ts"
import { make } from "../../src/learn/SuccessRates.ts"
import { asked, declined, everything, HOUR, learnedBy, row, start } from "./rows.ts"

/** How often `a` is drawn higher, if it has declined so many cards of a new issuer; both have had many of others. */
const shareOfA = (declines: number): number => {
  const rates = make(everything)
  for (let n = 0; n < 24; n++) {
    const issuer = String(500_000 + n)
    for (const [provider, taken] of [
      ["a", 9],
      ["b", 8]
    ] as const) {
      rates.settle([
        row({ at: n * 1_000, provider, issuer, count: taken }),
        row({ at: n * 1_000, provider, issuer, count: 10 - taken, ...declined })
      ])
    }
  }
  if (declines > 0) rates.settle([row({ at: 30_000, count: declines, ...declined })])
  rates.replaceOpen([], start + HOUR / 2)
  const found = rates.estimates(learnedBy(), asked())
  const [a, b] = [found.get("a"), found.get("b")]
  if (a === undefined || b === undefined) throw new Error("both are known")
  let first = 0
  for (let n = 0; n < 5_000; n++) if (drawn(a, avalanche(2 * n)) > drawn(b, avalanche(2 * n + 1))) first++
  return first / 5_000
}

describe("the cards of an issuer", () => {
  it("leave the better provider little by little: a part for one decline, nearly all of them for six", () => {
    const [unknown, one, three, six] = [shareOfA(0), shareOfA(1), shareOfA(3), shareOfA(6)]
    assert.isAbove(unknown, 0.9)
    assert.isAbove(one, 0.75)
    assert.isBelow(three, one)
    assert.isBelow(six, 0.15)
  })
})
