/**
 * Strict JSON: a body that two parsers could read differently is rejected.
 *
 * Unlike `JSON.parse` it rejects invalid UTF-8, a byte order mark (RFC 8259 § 8.1), lone surrogates, NUL, duplicate
 * keys (compared after unescaping), `__proto__`, `prototype` in `constructor`, deep nesting, and numbers that a double
 * cannot represent: `9007199254740993`, `1e400`, `1.00000000000000000001`. `1e3` is 1000.
 *
 * An error repeats no value of the body, and no key that could be a secret.
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

/** The error for a body that was rejected as JSON. */
export class JsonRefusal extends Data.TaggedError("JsonRefusal")<{
  readonly code: JsonRefusalCode
  /** The message for the client, one sentence. */
  readonly message: string
  /** The JSON pointer (RFC 6901) to the fault, up to the first key that may be a secret. `""`: the entire body. */
  readonly pointer: string
  /** The byte offset of the fault in the body, from 0. */
  readonly offset: number
}> {}

export interface JsonLimits {
  /** The maximum nesting depth of objects and arrays. Default 32. */
  readonly maxDepth?: number
}

/** Parses a body of exactly one JSON document. It has no limit of length: limit the body first. */
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

/** Parses a body that must be an object. */
export const parseObject = (bytes: Uint8Array): Result.Result<{ readonly [key: string]: unknown }, JsonRefusal> => {
  const parsed = parse(bytes)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  return isObject(parsed.success) ? Result.succeed(parsed.success) : refuse("not_an_object", 0)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const refuse = (code: JsonRefusalCode, offset: number, pointer = "") =>
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

/** The number of bytes before the first invalid one. Only computed for an error. */
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
    // Each call creates a new decoder, because a decoder in streaming mode may retain input after an error.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

const pointer = ({ path }: Fault): string => {
  const hidden = path.findIndex((segment) => !safeKey.test(segment))
  const shown = hidden < 0 ? path : path.slice(0, hidden)
  return shown.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/** A key may contain any data, such as a card number: long keys and keys with many digits are not repeated. */
const safeKey = /^(?!(?:[^0-9]*[0-9]){8})[ -~]{0,64}$/
