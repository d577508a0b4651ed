/** How the simulated vendor executes an operation, and what it answers to an inquiry about one. */
import { Outcome } from "@paymux/core"
import type { InquiryOutcome, ProviderOperation } from "@paymux/core"
import { total } from "./VendorLedger.ts"
import type { Charge, Movement, VendorLedger } from "./VendorLedger.ts"

/** An operation that was executed, refused or accepted. */
export interface Entry {
  readonly operation: ProviderOperation["id"]
  readonly key: string
  readonly charge: Charge | null
  readonly movement: Movement | null
  readonly outcome: Outcome.SendOutcome
}

export const refusal = Outcome.declined({ code: "processing_error", retry: "never" })

/** Executes the operation, once more with each call. */
export const executed = (ledger: VendorLedger, operation: ProviderOperation, at: number, minorUnits: number): Entry => {
  const { amount, id, key, kind } = operation
  const entry = (charge: Charge | null, movement: Movement | null, outcome: Outcome.SendOutcome): Entry => ({
    operation: id,
    key,
    charge,
    movement,
    outcome
  })
  const moved = { ...amount, minorUnits }
  if (kind === "create") {
    const charge = ledger.open(orderOf(operation), amount.currency)
    const isHold = operation.captureMethod === "manual"
    const movement = ledger.add(charge, { kind: isHold ? "held" : "captured", minorUnits, at, by: "request" })
    const details = { reference: charge.reference, amount: moved }
    return entry(charge, movement, isHold ? Outcome.authorized(details) : Outcome.succeeded(details))
  }
  const charge = ledger.find(operation.original?.reference ?? null)
  if (kind === "cancel" && charge?.isWaiting === true) {
    charge.isWaiting = false
    return entry(charge, null, Outcome.succeeded({ reference: charge.reference }))
  }
  const open = charge === undefined ? 0 : openFor(charge, kind)
  if (charge === undefined || open < (kind === "cancel" ? 1 : minorUnits)) {
    return entry(null, null, refusal)
  }
  const units = kind === "cancel" ? open : minorUnits
  const movement = ledger.add(charge, { kind: movements[kind], minorUnits: units, at, by: "request" })
  return entry(charge, movement, Outcome.succeeded({ reference: movement.reference, amount: moved }))
}

/** The merchant's metadata travels with the request. */
export const orderOf = ({ metadata }: ProviderOperation): string => metadata["n"] ?? ""

const movements = { capture: "captured", cancel: "released", refund: "refunded" } as const

/** How much an operation of this kind can still move. */
const openFor = (charge: Charge, kind: Exclude<ProviderOperation["kind"], "create">): number =>
  kind === "refund"
    ? total(charge, "captured") - total(charge, "refunded")
    : total(charge, "held") - total(charge, "released") - total(charge, "captured")

/** The truthful answer to an inquiry. If the operation was executed twice, `reference` selects one of the two. */
export const found = (
  entries: ReadonlyArray<Entry>,
  { amount, id, kind, reference }: ProviderOperation
): InquiryOutcome => {
  const own = entries.filter(({ operation }) => operation === id)
  const done = own.filter(({ charge }) => charge !== null)
  const named = done.find(({ charge, movement }) => [charge?.reference, movement?.reference].includes(reference ?? ""))
  const entry = named ?? done.at(-1) ?? own.at(-1)
  if (entry === undefined) return Outcome.notFound()
  return kind === "create" && entry.charge !== null ? stateOf(entry.charge, amount) : entry.outcome
}

const stateOf = (charge: Charge, asked: ProviderOperation["amount"]): InquiryOutcome => {
  const details = { reference: charge.reference }
  if (charge.isWaiting) return Outcome.pending(details)
  const [captured, held] = [total(charge, "captured"), total(charge, "held")]
  if (captured > 0) return Outcome.succeeded({ ...details, amount: { ...asked, minorUnits: captured } })
  if (total(charge, "released") >= held) return Outcome.canceled(details)
  return Outcome.authorized({ ...details, amount: { ...asked, minorUnits: held } })
}
