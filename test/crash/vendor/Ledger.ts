/**
 * What a payment provider did, in an append-only file that is written before anybody is answered: the oracle of the crash
 * tests. It survives its process; machines do not fail here. It knows nothing of the engine, so that what it says cannot be
 * wrong in the same way.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"

const entryKinds = [
  "order_made",
  "received",
  "held",
  "captured",
  "declined",
  "canceled",
  "expired",
  "refunded"
] as const
export type EntryKind = (typeof entryKinds)[number]

export interface LedgerEntry {
  readonly kind: EntryKind
  /** One of the two merchants' accounts that the vendor serves: each is a provider instance of the engine. */
  readonly account: string
  /** The idempotency key of the request that did it. */
  readonly key: string
  /** The vendor's own name for the payment. */
  readonly object: string
  /** The merchant's name for it. */
  readonly payment: string
  /** The merchant's name for the request. */
  readonly operation: string
  /** What the payer buys: of all payments for one order, one is to be kept. */
  readonly purchase: string
  /** Of what moved; 0 where nothing did. */
  readonly minorUnits: number
  readonly currency: string
}

export interface Ledger {
  /** In the file when it returns. */
  readonly write: (entry: LedgerEntry) => void
  readonly close: () => void
}

export const openLedger = (file: string): Ledger => {
  const descriptor = openSync(file, "a")
  return {
    write: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor)
  }
}

export const readLedger = (file: string): ReadonlyArray<LedgerEntry> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): LedgerEntry => JSON.parse(line))
