/** A vendor with pages, and a ledger of what was paid on them: the truth that the judge reads. */
import type { SeededRandom } from "@paymux/test-suites/simulation"
import type { VendorId } from "./processes/Protocol.ts"

export interface Charge {
  readonly vendor: VendorId
  /** The vendor's reference, and the operation that it was made for. */
  readonly reference: string
  readonly operation: string
  readonly order: string
  readonly minorUnits: number
  isClosed: boolean
  /** ms UTC; `null`: it is not paid. */
  paidAt: number | null
  /** By idempotency key. */
  readonly refunds: Map<string, Refund>
}

export interface Refund {
  readonly operation: string
  readonly minorUnits: number
  /** ms UTC */
  readonly at: number
}

export type Issuing = "page" | "paid" | "declined" | "expires"

export interface Ledger {
  readonly charges: ReadonlyArray<Charge>
  /** The same charge for the same operation. */
  readonly open: (request: Pick<Charge, "minorUnits" | "operation" | "order">, issuing: Issuing) => Charge
  readonly find: (operation: string | null) => Charge | undefined
  readonly byReference: (reference: string | null) => Charge | undefined
}

export const makeLedger = (vendor: VendorId): Ledger => {
  const byOperation = new Map<string, Charge>()
  const byReference = new Map<string, Charge>()
  return {
    get charges() {
      return [...byOperation.values()]
    },
    open: (request, issuing) => {
      const known = byOperation.get(request.operation)
      if (known !== undefined) return known
      const charge: Charge = {
        ...request,
        vendor,
        reference: `${vendor}_${byOperation.size + 1}`,
        isClosed: issuing === "declined",
        paidAt: issuing === "paid" ? Date.now() : null,
        refunds: new Map()
      }
      byOperation.set(charge.operation, charge)
      byReference.set(charge.reference, charge)
      return charge
    },
    find: (operation) => (operation === null ? undefined : byOperation.get(operation)),
    byReference: (reference) => (reference === null ? undefined : byReference.get(reference))
  }
}

export const keptOf = ({ minorUnits, paidAt, refunds }: Charge): number =>
  paidAt === null ? 0 : minorUnits - [...refunds.values()].reduce((sum, each) => sum + each.minorUnits, 0)

/** What issuer and payer do with the charge of an operation, the same at each repeat. */
export const issuingOf = (draw: SeededRandom.SeededRandom): Issuing =>
  draw.weighted<Issuing>([
    [55, "page"],
    [20, "paid"],
    [15, "declined"],
    [10, "expires"]
  ])
