/**
 * What a simulated provider keeps: who was charged, held and refunded, when and under which key. It is the oracle of the
 * simulation: nothing that the engine believes can change it.
 */
import type { IdempotencyKey, Inquiry, Money, OperationId, Outcome } from "@paymux/core"
import type { Act } from "./Plan.ts"

export type ChargeStatus = "waiting" | "held" | "captured" | "declined" | "expired" | "canceled"

export interface Charge {
  /** The provider's own reference. */
  readonly id: string
  readonly n: number
  readonly operation: OperationId
  readonly key: IdempotencyKey
  readonly act: Act
  readonly asked: Money.Money
  /** When its request left; its key counts from here. */
  readonly sentAt: number
  status: ChargeStatus
  /** What was, or will be, taken. */
  amount: Money.Money
  firstAnswer: Outcome.Outcome | null
  /** The provider took money that it had finally declined, or after it had confirmed a cancel. */
  brokeItsWord: boolean
  readonly asks: Array<Ask>
}

/** A capture, cancel or refund that arrived. */
export interface Ask {
  readonly kind: "capture" | "cancel" | "refund"
  readonly operation: OperationId
  readonly key: IdempotencyKey
  readonly minorUnits: number
  readonly done: boolean
}

export const refunded = (charge: Charge): number =>
  charge.asks.reduce((sum, ask) => sum + (ask.kind === "refund" && ask.done ? ask.minorUnits : 0), 0)

/** Money that the payer is without: captured and not given back. */
export const kept = (charge: Charge): number =>
  charge.status === "captured" ? charge.amount.minorUnits - refunded(charge) : 0

export interface Ledger {
  readonly charges: ReadonlyArray<Charge>
  readonly add: (charge: Charge) => void
  readonly ofPayment: (n: number) => ReadonlyArray<Charge>
  readonly ofOperation: (operation: OperationId) => ReadonlyArray<Charge>
  readonly ofReference: (id: string) => Charge | undefined
  /** By key, the latest first. */
  readonly ofKey: (key: IdempotencyKey) => Charge | undefined
}

export const make = (): Ledger => {
  const charges: Array<Charge> = []
  const payments = new Map<number, Array<Charge>>()
  const operations = new Map<OperationId, Array<Charge>>()
  const references = new Map<string, Charge>()
  const keys = new Map<IdempotencyKey, Charge>()
  return {
    charges,
    add: (charge) => {
      charges.push(charge)
      push(payments, charge.n, charge)
      push(operations, charge.operation, charge)
      references.set(charge.id, charge)
      keys.set(charge.key, charge)
    },
    ofPayment: (n) => payments.get(n) ?? [],
    ofOperation: (operation) => operations.get(operation) ?? [],
    ofReference: (id) => references.get(id),
    ofKey: (key) => keys.get(key)
  }
}

const push = <K>(groups: Map<K, Array<Charge>>, key: K, charge: Charge): void => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [charge])
  else group.push(charge)
}

/** What the provider says of a charge now. */
export const truthOf = (charge: Charge): Inquiry => {
  const told = { reference: charge.id }
  switch (charge.status) {
    case "waiting":
      return { _tag: "Pending", ...told, ...actionOf(charge) }
    case "held":
      return { _tag: "Authorized", ...told, amount: charge.amount }
    case "captured":
      return { _tag: "Succeeded", ...told, amount: charge.amount }
    case "declined":
      return charge.act.fate.kind === "declined"
        ? { _tag: "Declined", ...told, code: charge.act.fate.code, retry: charge.act.fate.retry, vendorCode: "sim_51" }
        : { _tag: "Declined", ...told, code: "authentication_failed", retry: "same_later" }
    case "expired":
      return { _tag: "Expired", ...told }
    case "canceled":
      return { _tag: "Canceled", ...told }
  }
}

const actionOf = ({ act, id }: Charge) =>
  act.fate.kind === "waits" && act.fate.action
    ? { nextAction: { type: "redirect", url: `https://pay.example/${id}`, expiresAt: null } as const }
    : {}
