/**
 * `application/x-www-form-urlencoded` with nested brackets, as Stripe reads it:
 * `{ metadata: { order: "7" }, expand: ["customer"] }` is `expand[0]=customer&metadata[order]=7`.
 *
 * Keys are in code-unit order and lists by index, so equal content gives equal bytes. A field that is `undefined` is
 * left out, as are empty lists and objects; an empty string is sent (Stripe reads it as "unset").
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

export type FormValue = string | number | bigint | boolean | undefined | ReadonlyArray<FormValue> | Form

export interface Form {
  readonly [key: string]: FormValue
}

/**
 * - `key`: a name that is empty, or has a bracket in it and would be read as another field (`a][b`)
 * - `number`: not a safe integer; decimals are sent as strings
 * - `text`: a lone surrogate
 * - `depth`: nested more than 16 deep
 */
export class FormRefused extends Schema.TaggedError<FormRefused>()("FormRefused", {
  reason: Schema.Literals(["key", "number", "text", "depth"])
}) {}

export const encode = (form: Form): Result.Result<string, FormRefused> => {
  const pairs: Array<string> = []
  const refused = collect(pairs, "", form, 0)
  return refused === undefined ? Result.succeed(pairs.join("&")) : Result.fail(new FormRefused({ reason: refused }))
}

/** Adds the pairs of one value under its encoded name; answers the reason where it must be refused. */
const collect = (
  pairs: Array<string>,
  name: string,
  value: FormValue,
  depth: number
): FormRefused["reason"] | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== "object") return collectText(pairs, name, value)
  if (depth > 16) return "depth"
  const entries: ReadonlyArray<readonly [string, FormValue]> = Array.isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [key, item] of entries) {
    if (key === "" || /[[\]]/.test(key)) return "key"
    if (!key.isWellFormed()) return "text"
    const inner = depth === 0 ? percentEncode(key) : `${name}[${percentEncode(key)}]`
    const refused = collect(pairs, inner, item, depth + 1)
    if (refused !== undefined) return refused
  }
  return undefined
}

const collectText = (pairs: Array<string>, name: string, value: string | number | bigint | boolean) => {
  if (typeof value === "number" && !Number.isSafeInteger(value)) return "number"
  const text = String(value)
  if (!text.isWellFormed()) return "text"
  pairs.push(`${name}=${percentEncode(text)}`)
  return undefined
}

const percentEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
