/**
 * An invariant looks at the commits and calls of one payment, step by step. It knows the engine's rows, so it can say
 * where something went wrong; whether money is right is for the judge to say, which knows none of them.
 */
import type { PaymentRecord } from "@paymux/core"
import type { Entry } from "../History.ts"
import type { PaymentPlan, Plan } from "../Plan.ts"

export interface Case {
  readonly plan: Plan
  readonly payment: PaymentPlan
  /** All that happened to it, in order. */
  readonly entries: ReadonlyArray<Entry>
  /** As they stand at the end: one, unless something is wrong. */
  readonly records: ReadonlyArray<PaymentRecord>
  /** Times, in ms since the start, from which a process that ends may cut its sends short, and until when. */
  readonly endings: ReadonlyArray<{ readonly from: number; readonly to: number }>
  /** A standby took over without the last commits: versions and sequences start again from an earlier one. */
  readonly isRolledBack: boolean
}

export interface Fault {
  /** ms since the start; `null`: at the end. */
  readonly elapsed: number | null
  readonly text: string
}

export interface Checked {
  /** How many things there were to check. */
  readonly judged: number
  readonly faults: ReadonlyArray<Fault>
}

export type Invariant = (one: Case) => Checked

export type Of<Kind extends Entry["kind"]> = Extract<Entry, { readonly kind: Kind }>

export const only = <Kind extends Entry["kind"]>(entries: ReadonlyArray<Entry>, kind: Kind): ReadonlyArray<Of<Kind>> =>
  entries.filter((entry): entry is Of<Kind> => entry.kind === kind)

/** Checks each entry of a kind alone. */
export const each = <Kind extends Entry["kind"]>(
  { entries }: Case,
  kind: Kind,
  check: (entry: Of<Kind>) => ReadonlyArray<Fault>
): Checked => {
  const own = only(entries, kind)
  return { judged: own.length, faults: own.flatMap(check) }
}

export const unchecked: Checked = { judged: 0, faults: [] }

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
