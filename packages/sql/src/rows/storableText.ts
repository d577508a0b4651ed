/**
 * Encodes text that a database cannot hold as text that it can hold: PostgreSQL refuses NUL, and both lose halves of
 * surrogate pairs.
 *
 * Each such character, and the escape character itself, becomes U+001A and its four hex digits. No other text changes,
 * and none is lost: two texts are the same exactly if their stored texts are.
 */

export const toStorable = (text: string): string =>
  isStorable(text) ? text : text.replace(unstorable, (character) => escape + hex(character))

export const fromStorable = (text: string): string =>
  text.includes(escape)
    ? text.replace(escaped, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text

const escape = "\u001a"

// With the flag u, a surrogate matches only if it is not half of a pair.
const unstorable = /[\0\u001a\p{Surrogate}]/gu
const escaped = /\u001a([0-9a-f]{4})/g

const isStorable = (text: string): boolean => !text.includes("\0") && !text.includes(escape) && text.isWellFormed()

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, "0")
