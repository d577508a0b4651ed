/**
 * Amounts between integer minor units and a vendor's decimal major units, as text from end to end: no float takes part,
 * and what does not fit exactly is refused, never rounded.
 *
 * The exponent is the number of decimals: 0 (JPY), 2 (INR), 3 (KWD), 6 (USDC), at most 18.
 *
 * The text is a JSON number without sign and exponent: `0`, `12`, `0.50`. Decimals beyond the exponent are accepted where
 * they are zero (`1.000` of INR), because they say the same amount. `+1`, `-1`, `01`, `.5`, `5.`, `1e3`, `1,000`, `NaN` and
 * blanks are refused.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * - `not_decimal`: not of the form above, or over 60 characters
 * - `too_many_decimals`: a fraction of a minor unit
 * - `out_of_range`: negative, or beyond the safe integers where a `number` is asked for
 */
export class AmountRefused extends Schema.TaggedError<AmountRefused>()("AmountRefused", {
  reason: Schema.Literals(["not_decimal", "too_many_decimals", "out_of_range"])
}) {}

/** Minor units of a decimal text in major units. `minorFromMajor("170.5", 2)` is `17050n`. */
export const minorFromMajor = (text: string, exponent: number): Result.Result<bigint, AmountRefused> => {
  assertExponent(exponent)
  const parts = text.length <= 60 ? /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) : null
  if (parts === null) return refuse("not_decimal")
  const [, whole = "0", fraction = ""] = parts
  if (/[1-9]/.test(fraction.slice(exponent))) return refuse("too_many_decimals")
  return Result.succeed(BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, "0")))
}

/** Decimal text of minor units, with exactly `exponent` decimals. `majorFromMinor(17050n, 2)` is `"170.50"`. */
export const majorFromMinor = (minor: bigint, exponent: number): Result.Result<string, AmountRefused> => {
  assertExponent(exponent)
  if (minor < 0n) return refuse("out_of_range")
  const digits = minor.toString().padStart(exponent + 1, "0")
  if (exponent === 0) return Result.succeed(digits)
  return Result.succeed(`${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`)
}

/** The same amount as a `number` that holds it exactly. */
export const safeMinor = (minor: bigint): Result.Result<number, AmountRefused> =>
  minor >= 0n && minor <= BigInt(Number.MAX_SAFE_INTEGER) ? Result.succeed(Number(minor)) : refuse("out_of_range")

/** The same amount as a `bigint`; a fraction, a negative number or one that lost digits is refused. */
export const bigMinor = (minor: number): Result.Result<bigint, AmountRefused> =>
  Number.isSafeInteger(minor) && minor >= 0 ? Result.succeed(BigInt(minor)) : refuse("out_of_range")

/**
 * Minor units as a value that `JSON.stringify` writes as a decimal number literal (`{"order_amount":170.50}`), for vendors
 * that want no string. (`JSON.rawJSON`: Node 21 and later.)
 */
export const majorJsonNumber = (minor: bigint, exponent: number): Result.Result<unknown, AmountRefused> =>
  Result.map(majorFromMinor(minor, exponent), rawJson)

/** Schema: decimal text ↔ `bigint` minor units, for tokens of up to 18 decimals. */
export const BigIntFromMajor = (exponent: number) =>
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.BigInt,
      SchemaTransformation.transformEffect({
        decode: (text: string) => orIssue(minorFromMajor(text, exponent)),
        encode: (minor: bigint) => orIssue(majorFromMinor(minor, exponent))
      })
    )
  )

/** Schema: decimal text ↔ minor units as a safe integer. */
export const SafeIntFromMajor = (exponent: number) =>
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transformEffect({
        decode: (text: string) => orIssue(Result.flatMap(minorFromMajor(text, exponent), safeMinor)),
        encode: (minor: number) => orIssue(Result.flatMap(bigMinor(minor), (big) => majorFromMinor(big, exponent)))
      })
    )
  )

const refuse = (reason: AmountRefused["reason"]) => Result.fail(new AmountRefused({ reason }))

const orIssue = <A>(result: Result.Result<A, AmountRefused>) =>
  Effect.fromResult(
    Result.mapError(result, ({ reason }) => new SchemaIssue.InvalidValue({ expected: `an exact amount (${reason})` }))
  )

const assertExponent = (exponent: number) => {
  if (Number.isInteger(exponent) && exponent >= 0 && exponent <= 18) return
  throw new RangeError("an amount's exponent is an integer from 0 to 18")
}

// Boundary: JSON.rawJSON is not yet in TypeScript's library.
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON
