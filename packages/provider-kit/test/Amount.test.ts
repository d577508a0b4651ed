import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"
import * as Amount from "../src/Amount.ts"

const exponents = FastCheck.constantFrom(0, 2, 3, 6, 8, 18)
const minors = FastCheck.bigInt({ min: 0n, max: 10n ** 40n })
const value = <A, E>(result: Result.Result<A, E>) => Result.getOrThrow(result)
const reason = <A>(result: Result.Result<A, Amount.AmountRefused>) =>
  Result.isFailure(result) ? result.failure.reason : `accepted ${String(result.success)}`

describe("properties", () => {
  it("there and back is the same amount, for every exponent and size", () => {
    FastCheck.assert(
      FastCheck.property(minors, exponents, (minor, exponent) => {
        const major = value(Amount.majorFromMinor(minor, exponent))
        assert.strictEqual(value(Amount.minorFromMajor(major, exponent)), minor)
      })
    )
  })

  it("the text has exactly the exponent's decimals and means minor / 10^exponent", () => {
    FastCheck.assert(
      FastCheck.property(minors, exponents, (minor, exponent) => {
        const [whole = "", fraction = ""] = value(Amount.majorFromMinor(minor, exponent)).split(".")
        assert.strictEqual(fraction.length, exponent)
        assert.strictEqual(BigInt(whole) * 10n ** BigInt(exponent) + BigInt(fraction === "" ? "0" : fraction), minor)
      })
    )
  })

  it("zeros at the end of the fraction change nothing, another digit beyond the exponent is refused", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.bigInt({ min: 0n, max: 10n ** 25n }),
        exponents,
        FastCheck.integer({ min: 1, max: 9 }),
        (minor, exponent, digit) => {
          const major = value(Amount.majorFromMinor(minor, exponent))
          const point = exponent === 0 ? "." : ""
          assert.strictEqual(value(Amount.minorFromMajor(`${major}${point}00`, exponent)), minor)
          assert.strictEqual(reason(Amount.minorFromMajor(`${major}${point}0${digit}`, exponent)), "too_many_decimals")
        }
      )
    )
  })

  it("text of any other form is refused, never read as something near", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), exponents, (text, exponent) => {
        FastCheck.pre(!/^(0|[1-9]\d*)(\.\d+)?$/.test(text))
        assert.strictEqual(reason(Amount.minorFromMajor(text, exponent)), "not_decimal")
      })
    )
  })

  it("text of at most 60 characters is read, a longer one refused", () => {
    assert.strictEqual(value(Amount.minorFromMajor("9".repeat(60), 0)), 10n ** 60n - 1n)
    assert.strictEqual(reason(Amount.minorFromMajor("9".repeat(61), 0)), "not_decimal")
  })

  it("a JSON number literal is written with every digit", () => {
    FastCheck.assert(
      FastCheck.property(minors, exponents, (minor, exponent) => {
        const json = JSON.stringify({ amount: value(Amount.majorJsonNumber(minor, exponent)) })
        assert.strictEqual(json, `{"amount":${value(Amount.majorFromMinor(minor, exponent))}}`)
      })
    )
  })
})

describe("examples", () => {
  const read: ReadonlyArray<readonly [string, number, bigint]> = [
    ["170.5", 2, 17_050n],
    ["170.00", 2, 17_000n],
    ["1.1", 2, 110n],
    ["0.07", 2, 7n],
    ["4.35", 2, 435n], // 4.35 * 100 is 434.99999999999994
    ["500", 0, 500n],
    ["500.0", 0, 500n],
    ["1.234", 3, 1_234n],
    ["1.000000000000000001", 18, 1_000_000_000_000_000_001n],
    ["0", 2, 0n]
  ]
  it("are read exactly", () => {
    for (const [text, exponent, minor] of read) assert.strictEqual(value(Amount.minorFromMajor(text, exponent)), minor)
  })

  it("of other forms are refused", () => {
    const texts = [
      "",
      " ",
      "1 ",
      "+1",
      "-1",
      "01",
      "00.5",
      ".5",
      "5.",
      "1e3",
      "1E3",
      "NaN",
      "Infinity",
      "0x10",
      "1,000"
    ]
    for (const text of [...texts, "1_000", "١", "1.2.3", "9".repeat(61), "1\n"]) {
      assert.strictEqual(reason(Amount.minorFromMajor(text, 2)), "not_decimal", text)
    }
    assert.strictEqual(reason(Amount.minorFromMajor("1.005", 2)), "too_many_decimals")
    assert.strictEqual(reason(Amount.minorFromMajor("0.5", 0)), "too_many_decimals")
  })

  it("beyond the safe integers, negative or fractional are refused as numbers", () => {
    assert.strictEqual(value(Amount.safeMinor(9_007_199_254_740_991n)), Number.MAX_SAFE_INTEGER)
    for (const minor of [9_007_199_254_740_992n, -1n])
      assert.strictEqual(reason(Amount.safeMinor(minor)), "out_of_range")
    for (const minor of [-1, 1.5, Number.NaN, Infinity, 2 ** 53]) {
      assert.strictEqual(reason(Amount.bigMinor(minor)), "out_of_range")
    }
    assert.strictEqual(reason(Amount.majorFromMinor(-1n, 2)), "out_of_range")
  })

  it("an exponent that is none is a fault of the program", () => {
    for (const exponent of [-1, 19, 1.5, Number.NaN])
      assert.throws(() => Amount.minorFromMajor("1", exponent), RangeError)
  })
})

describe("schemas", () => {
  it("decode and encode the same text, and refuse what does not fit", () => {
    const Rupees = Amount.SafeIntFromMajor(2)
    const Ether = Amount.BigIntFromMajor(18)
    assert.strictEqual(Schema.decodeUnknownSync(Rupees)("170.5"), 17_050)
    assert.strictEqual(Schema.encodeSync(Rupees)(17_050), "170.50")
    assert.strictEqual(
      Schema.encodeSync(Ether)(Schema.decodeUnknownSync(Ether)("1.000000000000000001")),
      "1.000000000000000001"
    )
    for (const input of ["1e3", "0.001", "90071992547409.92", 170.5, null]) {
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(Rupees)(input)), String(input))
    }
    assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(Rupees)(-1)))
  })
})
