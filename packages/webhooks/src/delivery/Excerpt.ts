/** Extracts the beginning of a receiver's response body, safe to store and to print on an operator's terminal. */
import { findRawCardData } from "@paymux/core/wire"

/**
 * Returns one line of at most 240 characters; `null` for an empty body. Control characters and bidirectional formatting
 * are escaped, secrets are masked, and a body that contains a card number is withheld.
 *
 * @example
 * ```ts
 * excerptOf(Buffer.from("no such\n\u001b[31mroute")) // => "no such\\n\\u001b[31mroute"
 * ```
 */
export const excerptOf = (bytes: Uint8Array | undefined): string | null => {
  if (bytes === undefined || bytes.byteLength === 0) return null
  const text = new TextDecoder().decode(bytes).replaceAll(secrets, "$1…")
  if (findRawCardData(text) !== null) return "(withheld: it holds what looks like a card number)"
  const characters = Array.from(text)
  const shown = characters.slice(0, longest).map(escaped).join("")
  return characters.length > longest ? `${shown}…` : shown
}

const escaped = (character: string): string => {
  const known = short.get(character)
  if (known !== undefined) return known
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character)) return character
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`
}

const short: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

/**
 * Matches secrets in a body to their end, even if JSON or a URL has escaped some of their characters: `\/`, `\u002b`,
 * `%2F`.
 */
const secrets = /(whsec_|pmx_live_|pmx_test_)(?:[A-Za-z0-9+/=_%-]|\\\/|\\u[0-9A-Fa-f]{4})*/g

const longest = 240
