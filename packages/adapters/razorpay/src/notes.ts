/** What is written on the vendor's objects: notes, at most 15 of 256 characters each, and a description. */
import type { ProviderOperation } from "@paymux/core"
import { Option, Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"

/** Ours, and of the merchant's metadata what fits: names that begin as ours do are left out. */
export const notesOf = ({ id, metadata }: ProviderOperation) => ({
  ...Object.fromEntries(
    Object.entries(metadata)
      .filter(([name, value]) => name.length <= longest && value.length <= longest && !name.startsWith("paymux_"))
      .slice(0, most - ours)
  ),
  paymux_operation: id
})

/** The same, of a payment whose funds are to be held: a mark that only the holder of the secret key can make. */
export const notesOfHold = (operation: ProviderOperation, order: string, keySecret: Redacted.Redacted) => ({
  ...notesOf(operation),
  paymux_hold: holdMark(order, keySecret)
})

/** A page that opens Razorpay's checkout with the public key id can write notes, too: they are trusted only with the mark. */
export const isHold = (notes: unknown, order: string, keySecret: Redacted.Redacted): boolean =>
  noteOf(notes, "paymux_hold") === holdMark(order, keySecret)

const holdMark = (order: string, keySecret: Redacted.Redacted): string =>
  createHmac("sha256", Redacted.value(keySecret)).update(`paymux hold ${order}`).digest("hex")

/** What is too long is cut, and never within a character. */
export const descriptionOf = ({ description }: ProviderOperation): string | undefined =>
  description?.slice(0, longestDescription).replace(/[\uD800-\uDBFF]$/, "")

const longestDescription = 255

const most = 15
const ours = 2
const longest = 256

/** One of them, of an object that came back; `null`: it is not there. */
export const noteOf = (notes: unknown, name: string): string | null =>
  Option.match(decode(notes), { onNone: () => null, onSome: (found) => readText(found, name) })

const readText = (notes: { readonly [name: string]: unknown }, name: string): string | null => {
  const value = Object.hasOwn(notes, name) ? notes[name] : undefined
  return typeof value === "string" ? value : null
}

const decode = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
