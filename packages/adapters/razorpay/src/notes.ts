/** What is written into the notes of the vendor's objects: at most 15 of 256 characters each. */
import type { ProviderOperation } from "@paymux/core"
import { Option, Schema } from "effect"

/** Ours, and of the merchant's metadata what fits. */
export const notesOf = ({ captureMethod, id, metadata, paymentId }: ProviderOperation) => ({
  ...Object.fromEntries(
    Object.entries(metadata)
      .filter(([name, value]) => name.length <= longest && value.length <= longest)
      .slice(0, most - ours)
  ),
  paymux_operation: id,
  paymux_payment: paymentId,
  ...(captureMethod === "manual" && { paymux_capture: captureMethod })
})

const most = 15
const ours = 3
const longest = 256

/** One of them, of an object that came back; `null`: it is not there. */
export const noteOf = (notes: unknown, name: string): string | null =>
  Option.match(decode(notes), { onNone: () => null, onSome: (found) => readText(found, name) })

const readText = (notes: { readonly [name: string]: unknown }, name: string): string | null => {
  const value = Object.hasOwn(notes, name) ? notes[name] : undefined
  return typeof value === "string" ? value : null
}

const decode = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
