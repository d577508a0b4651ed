/** Ordinary texts of a request that must not be mistaken for card data: 10,000 of them, the same on every run. */
import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { findRawCardData } from "../../src/domain/RawCardData.ts"
import { drawing } from "./orderIds.ts"

const draw = drawing(20_261_123)
const digits = (length: number) => Array.from({ length }, () => draw(10)).join("")
const letters = (length: number) => Array.from({ length }, () => "ABCDEFGHJKLMNPQRSTUVWXYZ"[draw(24)]).join("")
const hex = (length: number) => createHash("sha256").update(digits(12)).digest("hex").slice(0, length)
const one = <A>(of: readonly [A, ...ReadonlyArray<A>]): A => of[draw(of.length)] ?? of[0]
const two = (below: number) => String(1 + draw(below)).padStart(2, "0")
const date = () => `20${two(30)}-${two(12)}-${two(28)}`

/** Check digits by ISO 13616: an IBAN without them is none. */
const iban = (country: string, account: string) => {
  const moved = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = 98n - (BigInt(moved) % 97n)
  return `${country}${String(check).padStart(2, "0")}${account}`
}

const inFours = (text: string) => text.replace(/(.{4})(?=.)/g, "$1 ")

// Shapes as shop systems, banks and chains write them.
const shapes: { readonly [kind: string]: () => string } = {
  "order numbers with letters": () =>
    one([`ORD-${digits(8)}`, `#${digits(6)}-A`, `SO${digits(9)}`, `PO/${digits(4)}/${digits(5)}`]),
  "invoices by year": () => `INV/${one(["2025-26", "26-27"])}/${digits(6)}`,
  "orders with a date": () => `${date()}-${letters(3)}-${digits(5)}`,
  "order numbers with dashes": () => `${digits(3)}-${digits(7)}-${digits(7)}`,
  "phone numbers": () =>
    one([
      `+91 ${digits(5)} ${digits(5)}`,
      `+44 20 ${digits(4)} ${digits(4)}`,
      `+1 (${digits(3)}) ${digits(3)}-${digits(4)}`
    ]),
  UUIDs: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  hashes: () => one([hex(32), hex(40), hex(64), `sha256:${hex(64)}`]),
  "chain addresses": () => `0x${hex(40)}`,
  "postal addresses": () => `${draw(9_999)} ${letters(8)} Road, ${letters(6)} ${digits(6)}, IN`,
  "IBANs of Germany": () => one([(text: string) => text, inFours])(iban("DE", digits(18))),
  "IBANs of France": () =>
    one([(text: string) => text, inFours])(iban("FR", `${digits(10)}${letters(1)}${digits(12)}`)),
  times: () => `${date()}T${two(23)}:${two(59)}:${two(59)}.${digits(3)}Z`,
  amounts: () => `₹${two(99)},${digits(2)},${digits(3)}.${digits(2)} of ₹${two(99)},${digits(3)}.${digits(2)}`,
  coordinates: () => `${two(89)}.${digits(6)},${two(89)}.${digits(6)}`,
  "tracking numbers": () => `${letters(2)}${digits(9)}IN`,
  "IP addresses": () => `${draw(256)}.${draw(256)}.${draw(256)}.${draw(256)}:${draw(65_536)}`,
  "return URLs": () => `https://shop.example/thanks?order=${digits(7)}&at=${hex(16)}%20${two(12)}%2F${digits(4)}`
}

describe("10,000 ordinary texts", () => {
  it("hold no card number", () => {
    const kinds = Object.entries(shapes)
    const refused: Array<string> = []
    for (let n = 0; n < 10_000; n++) {
      const [kind, make] = kinds[n % kinds.length] ?? ["none", () => ""]
      const text = make()
      if (findRawCardData({ metadata: { note: text } }) !== null) refused.push(`${kind}: ${text}`)
    }
    assert.deepStrictEqual(refused, [])
  })
})
