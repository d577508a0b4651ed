/** A law looks at what happened to one payment, or at the whole run, and says what it finds wrong. */
import type { PaymentRecord } from "@paymux/core"
import type { Entry } from "../History.ts"
import type { Charge } from "../Ledger.ts"
import type { PaymentPlan, Plan } from "../Plan.ts"

export interface Case {
  readonly plan: Plan
  readonly payment: PaymentPlan
  /** All that happened to it, in order. */
  readonly entries: ReadonlyArray<Entry>
  /** As they stand at the end: one, unless something is wrong. */
  readonly records: ReadonlyArray<PaymentRecord>
  readonly charges: ReadonlyArray<Charge>
  /** Times, in ms since the start, from which a process that goes may cut its sends short, and until when. */
  readonly endings: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

export interface Fault {
  /** ms since the start; `null`: at the end. */
  readonly elapsed: number | null
  readonly text: string
}

export type Law = (one: Case) => ReadonlyArray<Fault>

export type Of<Kind extends Entry["kind"]> = Extract<Entry, { readonly kind: Kind }>

export const only = <Kind extends Entry["kind"]>(entries: ReadonlyArray<Entry>, kind: Kind): ReadonlyArray<Of<Kind>> =>
  entries.filter((entry): entry is Of<Kind> => entry.kind === kind)

/** The ledger as it stood after each entry: calls `visit` with every entry and the charges so far. */
export const withLedger = (
  entries: ReadonlyArray<Entry>,
  visit: (entry: Entry, charges: ReadonlyMap<string, Of<"charge">>) => void
): void => {
  const charges = new Map<string, Of<"charge">>()
  for (const entry of entries) {
    if (entry.kind === "charge") charges.set(entry.charge, entry)
    visit(entry, charges)
  }
}
