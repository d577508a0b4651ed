/** Values that must be found nowhere: each names the position that it was put into, and is unlike any other. */
import { createHash } from "node:crypto"

const numberOf = (position: string): number => createHash("sha256").update(position).digest().readUInt32BE(0)

/** A card number that no card has: a network's prefix, the position, and the check digit. */
export const panOf = (position: string): string => {
  const digits = `400000${String(numberOf(position) % 1_000_000_000).padStart(9, "0")}`
  const sum = Array.from(digits).reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Letters and digits, as makers of secrets use them. */
export const secretOf = (position: string, prefix = ""): string =>
  `${prefix}${createHash("sha256").update(`secret ${position}`).digest("hex").slice(0, 32)}`

/** Three letters that stand for a security code: digits would be found by chance. */
export const codeOf = (position: string): string => `cvv${numberOf(position).toString(36)}`

/** Where `canary` stands in `text`: as it is, in groups, or in a usual encoding. */
export const isHeldBy = (text: string, compact: string, canary: string): boolean =>
  text.includes(canary) || compact.includes(canary) || encodings(canary).some((encoded) => text.includes(encoded))

/** The letters and digits alone, in ASCII: without what people put between digits, and without scripts and styles. */
export const compactOf = (text: string): string =>
  text
    .replace(/%20/g, "")
    .normalize("NFKC")
    .replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x9e6))
    .replace(/[^0-9A-Za-z]/g, "")

const encodings = (canary: string): ReadonlyArray<string> => [
  Buffer.from(canary).toString("hex"),
  // The middle of what base64 makes of it behind 0, 1 or 2 other bytes.
  ...[0, 1, 2].map((before) =>
    Buffer.from(`${" ".repeat(before)}${canary}`)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(before === 0 ? 0 : 4, -2)
  )
]
