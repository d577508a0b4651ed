/** The words for the attempts that an estimate rests on. */
import { assert, describe, it } from "@effect/vitest"
import { basisOf } from "../../src/learn/basis.ts"
import { segmentOf, pathOf } from "../../src/learn/Segment.ts"
import type { Facts } from "../../src/Facts.ts"
import type { LensSegment } from "../../src/learn/Lens.ts"
import { noEvidence } from "../../src/learn/Series.ts"
import { asked, askedByUpi, everything } from "./rows.ts"

/** `counts`: of each part, from the widest. */
const basis = (facts: Facts, counts: ReadonlyArray<number>, segments: ReadonlyArray<LensSegment> = []) => {
  const path = pathOf({ ...everything, segments }, segmentOf(facts, "x"))
  assert.lengthOf(counts, path.length)
  return basisOf(
    path,
    counts.map((attempts) => ({ ...noEvidence, attempts }))
  )
}

describe("the basis of an estimate", () => {
  it("is the narrowest kind with twenty attempts, and how many of the next", () => {
    const visa = asked()
    assert.strictEqual(basis(visa, [500, 480, 128, 0, 0, 0]), "128 visa cards on a hosted page, none from DE")
    assert.strictEqual(basis(visa, [500, 480, 128, 19, 0, 0]), "128 visa cards on a hosted page, 19 from DE")
    assert.strictEqual(basis(visa, [500, 480, 128, 20, 3, 0]), "20 visa cards on a hosted page from DE, 3 debit")
    assert.strictEqual(
      basis(visa, [500, 480, 128, 90, 50, 0]),
      "50 visa debit cards on a hosted page from DE, none with BIN 411111"
    )
    assert.strictEqual(
      basis(visa, [500, 480, 128, 90, 50, 20]),
      "20 visa debit cards on a hosted page from DE with BIN 411111"
    )
    assert.strictEqual(basis(visa, [500, 19, 0, 0, 0, 0]), "500 cards on a hosted page, 19 in EUR")
    assert.strictEqual(basis(visa, [500, 480, 0, 0, 0, 0]), "480 cards on a hosted page in EUR, none visa")
  })

  it("is the flow where there are few attempts, or none", () => {
    assert.strictEqual(basis(asked(), [19, 19, 19, 19, 19, 19]), "19 cards on a hosted page, 19 in EUR")
    assert.strictEqual(basis(asked(), [1, 0, 0, 0, 0, 0]), "1 card on a hosted page, none in EUR")
    assert.strictEqual(basis(asked(), [0, 0, 0, 0, 0, 0]), "0 cards on a hosted page")
  })

  it("skips unknown facts of the payment", () => {
    const unknown = asked({ "card.network": null, "card.country": null, "card.funding": null, issuer: null })
    assert.strictEqual(basis(unknown, [500, 30]), "30 cards on a hosted page in EUR")
    assert.strictEqual(basis({ ...unknown, flow: "token" }, [0.4, 0]), "0 cards")
  })

  it("rounds open attempts, which count in part", () => {
    assert.strictEqual(basis(askedByUpi(), [24.6, 19.5]), "20 UPI intents in INR")
    assert.strictEqual(basis(askedByUpi(), [1.2, 1.2]), "1 UPI intent, 1 in INR")
  })

  it("names each flow", () => {
    const first = (facts: Facts, count: number) => basis({ ...facts, issuer: null }, [count, 0]).split(",")[0]
    for (const [flow, one, many] of [
      ["intent", "1 UPI intent", "2 UPI intents"],
      ["collect", "1 UPI collect request", "2 UPI collect requests"],
      ["qr", "1 UPI QR code", "2 UPI QR codes"]
    ] as const) {
      assert.strictEqual(first(askedByUpi({ flow }), 1), one)
      assert.strictEqual(first(askedByUpi({ flow }), 2), many)
    }
    const bare = { "card.network": null, "card.country": null, "card.funding": null } as const
    assert.strictEqual(first(asked({ ...bare, flow: "token" }), 1), "1 card")
    assert.strictEqual(first(asked({ ...bare, flow: "token" }), 2), "2 cards")
    const coins = asked({ ...bare, payment_method: "stablecoin", flow: "transfer", "stablecoin.network": "base" })
    assert.strictEqual(basis({ ...coins, issuer: null }, [30, 0, 0]), "30 transfers, none in EUR")
    assert.strictEqual(basis({ ...coins, issuer: null }, [30, 30, 1]), "30 transfers in EUR, 1 base")
    assert.strictEqual(basis({ ...coins, issuer: null }, [30, 30, 30]), "30 base transfers")
  })

  it("says that it is of a bank's handle without its name", () => {
    assert.strictEqual(basis(askedByUpi({ issuer: "okbank" }), [90, 90, 7]), "90 UPI intents in INR, 7 of this bank")
    assert.strictEqual(basis(askedByUpi({ issuer: "okbank" }), [90, 90, 70]), "70 UPI intents of this bank")
  })

  it("names the segments of the rule, and no value that merchants choose", () => {
    const payment = asked({ metadata: { shop: "a, b" }, amount: 12_345, "card.country": null, "card.funding": null })
    const of = (segment: LensSegment, count: number) => basis(payment, [900, 900, 900, count, 0], [segment])
    assert.strictEqual(of("metadata.shop", 0), "900 visa cards on a hosted page, none with this metadata.shop")
    assert.strictEqual(
      of("metadata.shop", 30),
      "30 visa cards on a hosted page with this metadata.shop, none with BIN 411111"
    )
    assert.strictEqual(of("account", 3), "900 visa cards on a hosted page, 3 of this account")
    assert.strictEqual(of("amount", 3), "900 visa cards on a hosted page, 3 of 5 digits")
  })
})
