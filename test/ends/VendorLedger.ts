/** A vendor's own ledger: every charge with every movement of its money. It is independent of the engine. */
import type { LedgerCharge, LedgerMovement } from "../suites/src/simulation/judge/index.ts"

export interface Movement extends LedgerMovement {
  /** The vendor's id of this movement. */
  readonly reference: string
}

export interface Charge extends LedgerCharge {
  isWaiting: boolean
  readonly movements: Array<Movement>
}

export interface VendorLedger {
  readonly charges: ReadonlyArray<Charge>
  readonly open: (order: string, currency: string) => Charge
  readonly find: (reference: string | null) => Charge | undefined
  /** The charge that was opened as number `place`, from 1. */
  readonly charge: (place: number) => Charge
  readonly add: (charge: Charge, movement: Omit<Movement, "reference">) => Movement
}

export const makeVendorLedger = (provider: string): VendorLedger => {
  const charges: Array<Charge> = []
  let movements = 0
  return {
    charges,
    open: (order, currency) => {
      const reference = `${provider}_ch_${charges.length + 1}`
      const charge: Charge = { provider, reference, order, currency, isWaiting: false, movements: [] }
      charges.push(charge)
      return charge
    },
    charge: (place) => {
      const charge = charges[place - 1]
      if (charge === undefined) throw new Error(`${provider} has no charge ${place}`)
      return charge
    },
    find: (reference) => charges.find((charge) => charge.reference === reference),
    add: (charge, movement) => {
      const added = { ...movement, reference: `${provider}_${movement.kind}_${++movements}` }
      charge.movements.push(added)
      charge.isWaiting = false
      return added
    }
  }
}

/** The movement of this kind that happened as number `place`, from 1. */
export const movementOf = ({ movements, reference }: Charge, kind: Movement["kind"], place: number): Movement => {
  const found = movements.filter((movement) => movement.kind === kind)[place - 1]
  if (found === undefined) throw new Error(`${reference} has no movement ${kind} ${place}`)
  return found
}

/** The total of one kind of movement. */
export const total = ({ movements }: LedgerCharge, kind: LedgerMovement["kind"]): number =>
  movements.reduce((sum, each) => sum + (each.kind === kind ? each.minorUnits : 0), 0)
