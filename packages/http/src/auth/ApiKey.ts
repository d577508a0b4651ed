/**
 * The text of an API key: `pmx_test_` or `pmx_live_`, 32 random base62 characters (190 bits), and a checksum of 6. In a
 * cell, the name of the cell comes before the random characters, `pmx_live_eu1_…`, so that a load balancer can route by
 * the prefix of the key.
 *
 * The checksum (CRC-32 of the preceding characters, as in GitHub's tokens) detects a mistyped or invented key without a
 * look-up, and lets secret scanners identify a leaked key. The checksum does not authenticate: only the hash does.
 *
 * @example
 * ```ts
 * const key = generate("test")
 * parse(key) // => { mode: "test", cell: null, last4: key.slice(-4) }
 * parse(`${key.slice(0, -1)}!`) // => null
 * ```
 */
import { hash as digest } from "node:crypto"
import { crc32 } from "node:zlib"

export type ApiKeyMode = "test" | "live"

export interface ParsedApiKey {
  readonly mode: ApiKeyMode
  /** The cell that issued the key; `null`: the issuing installation is not a cell. */
  readonly cell: string | null
  /**
   * The last four characters of the key, for display: they are part of the checksum, so they reveal nothing of the
   * secret.
   */
  readonly last4: string
}

/** Returns a new array of `length` cryptographically random bytes. */
export type RandomBytes = (length: number) => Uint8Array

export const randomBytes: RandomBytes = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length))

/** Generates a new API key. Show it once, and store its `hash`. `cell: null`: the installation is not a cell. */
export const generate = (mode: ApiKeyMode, random: RandomBytes = randomBytes, cell: string | null = null): string => {
  const body = `pmx_${mode}_${cell === null ? "" : `${cell}_`}${randomBase62(32, random)}`
  return body + checksum(body)
}

/** Parses a key; `null`: malformed. Only a look-up shows whether a well-formed key was issued and is still valid. */
export const parse = (text: string): ParsedApiKey | null => {
  const [, mode, cell = null] = pattern.exec(text) ?? []
  if (mode !== "test" && mode !== "live") return null
  return checksum(text.slice(0, -6)) === text.slice(-6) ? { mode, cell, last4: text.slice(-4) } : null
}

/** The stored form of a key: SHA-256 in hexadecimal. A key is random, so it needs neither salt nor a slow hash. */
export const hash = (key: string): string => digest("sha256", key)

/** Generates random base62 text without bias: bytes from 248 are discarded, because 62 does not divide 256. */
export const randomBase62 = (length: number, random: RandomBytes = randomBytes): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of random(length - text.length)) if (byte < 248) text += ALPHABET[byte % 62]
  }
  return text
}

const pattern = /^pmx_(test|live)_(?:([a-z][0-9a-z]{0,7})_)?[0-9A-Za-z]{38}$/

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const checksum = (text: string): string => {
  let digits = ""
  for (let rest = crc32(text); digits.length < 6; rest = Math.floor(rest / 62)) digits = ALPHABET[rest % 62] + digits
  return digits
}
