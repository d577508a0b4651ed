/**
 * JSON as a payments API must read it: a body that two readers could understand differently is refused.
 *
 * Beyond RFC 8259 it refuses what `JSON.parse` lets pass: invalid UTF-8, a byte order mark (RFC 8259 § 8.1 forbids to
 * send one), half of a surrogate pair, NUL, the same key twice (compared after unescaping), `__proto__`, `prototype` in
 * `constructor`, depth, and numbers that a double does not hold: `9007199254740993`, `1e400`,
 * `1.00000000000000000001`. `1e3` is 1000.
 *
 * A refusal repeats no value of the body, and of its keys only those that could not be a secret.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 *
 * const body = parse(new TextEncoder().encode(`{"amount":1,"amount":2}`))
 * Result.isFailure(body) && body.failure.code // => "duplicate_key"
 * ```
 */
import { Data, Result } from "effect"
import { JsonScan } from "./JsonScan.ts"
import type { Fault, JsonFault } from "./JsonScan.ts"

export type JsonRefusalCode = JsonFault | "empty" | "invalid_utf8" | "byte_order_mark" | "not_an_object"

/** Why a body was refused. */
export class JsonRefusal extends Data.TaggedError("JsonRefusal")<{
  readonly code: JsonRefusalCode
  /** One sentence for the client. */
  readonly message: string
  /** JSON pointer (RFC 6901) to where it happened, as far as its keys may be repeated. `""` is the whole body. */
  readonly pointer: string
  /** Byte of the body, from 0. */
  readonly offset: number
}> {}

export interface JsonLimits {
  /** How many objects and arrays may be open at once. Default 32. */
  readonly maxDepth?: number
}

/** The value of a body that is exactly one JSON document. Not bounded in length: bound the body first. */
export const parse = (bytes: Uint8Array, limits?: JsonLimits): Result.Result<unknown, JsonRefusal> => {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return refuse("invalid_utf8", validPrefix(bytes))
  }
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) return refuse("byte_order_mark", 0)
  const fault = new JsonScan(bytes, text, limits?.maxDepth ?? 32).firstFault()
  if (fault === null) return Result.succeed(JSON.parse(text))
  if (fault.code === "syntax" && /^[ \t\r\n]*$/.test(text)) return refuse("empty", 0)
  return refuse(fault.code, fault.at, pointer(fault))
}

/** As `parse`, for a body whose top level must be an object. */
export const parseObject = (
  bytes: Uint8Array,
  limits?: JsonLimits
): Result.Result<{ readonly [key: string]: unknown }, JsonRefusal> => {
  const parsed = parse(bytes, limits)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  return isObject(parsed.success) ? Result.succeed(parsed.success) : refuse("not_an_object", 0)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const refuse = (code: JsonRefusalCode, offset: number, pointer = ""): Result.Result<never, JsonRefusal> =>
  Result.fail(new JsonRefusal({ code, message: messages[code], pointer, offset }))

const messages: { readonly [code in JsonRefusalCode]: string } = {
  empty: "The body is empty; a JSON object is expected.",
  invalid_utf8: "The body is not valid UTF-8.",
  byte_order_mark: "The body begins with a byte order mark, which JSON does not allow.",
  syntax: "The body is not valid JSON.",
  trailing_data: "Something follows the JSON document.",
  too_deep: "Objects and arrays are nested too deeply.",
  duplicate_key: "Duplicate key in the same object.",
  forbidden_key: "This key is not allowed.",
  lone_surrogate: "A string holds half of a surrogate pair.",
  nul_character: "A string holds the character NUL.",
  number_out_of_range: "A number cannot be held exactly; integers go to 9007199254740991.",
  not_an_object: "The body must be a JSON object."
}

const BYTE_ORDER_MARK = 0xfeff

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** How many bytes come before the first that cannot stand in UTF-8. Only a refusal pays for it. */
const validPrefix = (bytes: Uint8Array): number => {
  let valid = 0
  let invalid = bytes.length + 1
  while (valid + 1 < invalid) {
    const middle = (valid + invalid) >>> 1
    if (isPrefix(bytes.subarray(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

const isPrefix = (bytes: Uint8Array): boolean => {
  try {
    // A decoder of its own: one that has failed in a stream may keep what it has read.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const pointer = ({ path }: Fault): string => {
  const unspeakable = path.findIndex((segment) => !speakable.test(segment))
  const spoken = unspeakable < 0 ? path : path.slice(0, unspeakable)
  return spoken.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/** A key may be anything the client put there, a card number too: long ones and ones of many digits are not repeated. */
const speakable = /^(?!(?:[^0-9]*[0-9]){8})[ -~]{0,64}$/
