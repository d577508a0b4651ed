/**
 * A payment provider that keeps its promises: the same key answers the first result, what was taken is in its ledger,
 * and it can be asked. What it does badly is the network: it resets, breaks and stays silent where a request says so.
 */
import type { EntryKind, Ledger } from "./Ledger.ts"

/** How a request goes wrong, the first time it is sent under its key; `silent_twice`, also the second time. */
export const faults = [
  "none",
  "slow",
  "reset_before",
  "reset_after",
  "error_before",
  "error_after",
  "silent_after",
  "silent_twice",
  "not_executed",
  "declined",
  "declined_then_captured"
] as const
export type Fault = (typeof faults)[number]

/** What the payer does: pays while the request waits, a little later, or never; or says no. */
export type Payer = "pays_at_once" | "pays_later" | "walks_away" | "says_no"

type VendorStatus = "pending" | "held" | "captured" | "declined" | "canceled" | "expired" | "refunded"

/** One request that was executed, and what came of it. */
export interface VendorOperation {
  readonly account: string
  readonly key: string
  readonly kind: "create" | "capture" | "cancel" | "refund"
  readonly minorUnits: number
  readonly currency: string
  readonly payment: VendorPayment
  /** The merchant's name for it. */
  readonly merchantOperation: string
  /** Of a create, its payment's. */
  outcome: VendorStatus
}

interface VendorPayment {
  readonly id: string
  readonly account: string
  readonly key: string
  /** The merchant's name for it. */
  readonly merchantPayment: string
  readonly purchase: string
  readonly minorUnits: number
  readonly currency: string
  readonly manual: boolean
  status: VendorStatus
  captured: number
  refunded: number
}

interface CreateRequest {
  readonly account: string
  readonly key: string
  /** Made before; a payment without one gets an id of its own. */
  readonly order: string | null
  readonly merchantPayment: string
  readonly merchantOperation: string
  /** What the payer buys. */
  readonly purchase: string
  readonly minorUnits: number
  readonly currency: string
  readonly manual: boolean
  readonly payer: Payer
  readonly fault: Fault
}

interface LaterRequest {
  readonly account: string
  readonly key: string
  readonly kind: "capture" | "cancel" | "refund"
  readonly object: string
  readonly merchantOperation: string
  readonly minorUnits: number
}

export interface VendorEvent {
  readonly id: string
  readonly account: string
  readonly object: string
  readonly type: VendorStatus
  readonly minorUnits: number
  readonly currency: string
}

export interface Vendor {
  readonly order: (request: Omit<CreateRequest, "order" | "minorUnits" | "manual" | "payer" | "fault">) => string
  readonly create: (request: CreateRequest) => VendorOperation
  /** `null`: there is no such payment. */
  readonly later: (request: LaterRequest) => VendorOperation | null
  readonly find: (account: string, key: string) => VendorOperation | null
}

/** `payLater` runs a payer's decision after a while; `tell` sends a webhook. */
export const makeVendor = (
  ledger: Ledger,
  payLater: (decide: () => void) => void,
  tell: (event: VendorEvent) => void
): Vendor => {
  const operations = new Map<string, VendorOperation>()
  const payments = new Map<string, VendorPayment>()
  let ids = 0
  let events = 0

  const write = (kind: EntryKind, { key, merchantOperation, payment }: VendorOperation, minorUnits: number) =>
    ledger.write({
      kind,
      account: payment.account,
      key,
      object: payment.id,
      payment: payment.merchantPayment,
      operation: merchantOperation,
      purchase: payment.purchase,
      minorUnits,
      currency: payment.currency
    })

  const announce = (payment: VendorPayment, minorUnits: number) =>
    tell({
      id: `ve_${++events}`,
      account: payment.account,
      object: payment.id,
      type: payment.status,
      minorUnits,
      currency: payment.currency
    })

  /** The payer has paid: held where the merchant wants to capture, else taken. */
  const pay = (operation: VendorOperation) => {
    const { payment } = operation
    if (payment.status !== "pending" && payment.status !== "declined") return
    if (payment.manual) {
      payment.status = "held"
      write("held", operation, payment.minorUnits)
    } else {
      payment.status = "captured"
      payment.captured = payment.minorUnits
      write("captured", operation, payment.minorUnits)
    }
    operation.outcome = payment.status
    announce(payment, payment.minorUnits)
  }

  const refuse = (operation: VendorOperation) => {
    const { payment } = operation
    if (payment.status !== "pending") return
    payment.status = "declined"
    operation.outcome = "declined"
    write("declined", operation, 0)
    announce(payment, 0)
  }

  const decide = (operation: VendorOperation, { fault, payer }: CreateRequest) => {
    if (fault === "declined") return refuse(operation)
    if (fault === "declined_then_captured") {
      refuse(operation)
      return payLater(() => pay(operation))
    }
    switch (payer) {
      case "pays_at_once":
        return pay(operation)
      case "pays_later":
        return payLater(() => pay(operation))
      case "says_no":
        return payLater(() => refuse(operation))
      case "walks_away":
        return
    }
  }

  const create = (request: CreateRequest): VendorOperation => {
    const known = operations.get(named(request))
    if (known !== undefined) return known
    const { account, currency, key, manual, merchantOperation, merchantPayment, minorUnits, order, purchase } = request
    const id = order ?? `vp_${++ids}`
    // An order is paid once, under whatever key.
    const paid = payments.get(id)
    const payment: VendorPayment = paid ?? {
      id,
      account,
      key,
      merchantPayment,
      purchase,
      minorUnits,
      currency,
      manual,
      status: "pending",
      captured: 0,
      refunded: 0
    }
    const operation: VendorOperation = {
      account,
      key,
      kind: "create",
      minorUnits,
      currency,
      payment,
      merchantOperation,
      outcome: payment.status
    }
    payments.set(id, payment)
    operations.set(named(request), operation)
    write("received", operation, 0)
    if (paid === undefined) decide(operation, request)
    return operation
  }

  const later = (request: LaterRequest): VendorOperation | null => {
    const known = operations.get(named(request))
    if (known !== undefined) return known
    const payment = payments.get(request.object)
    if (payment === undefined || payment.account !== request.account) return null
    const { object: _, ...asked } = request
    const operation: VendorOperation = { ...asked, currency: payment.currency, payment, outcome: "declined" }
    operations.set(named(request), operation)
    operation.outcome = execute(operation)
    return operation
  }

  const execute = (operation: VendorOperation): VendorStatus => {
    const { kind, minorUnits, payment } = operation
    switch (kind) {
      case "capture":
        if (payment.status !== "held" || minorUnits > payment.minorUnits) return "declined"
        payment.status = "captured"
        payment.captured = minorUnits
        write("captured", operation, minorUnits)
        announce(payment, minorUnits)
        return "captured"
      case "cancel":
        if (payment.status === "canceled") return "canceled"
        if (payment.status !== "held" && payment.status !== "pending") return "declined"
        payment.status = "canceled"
        write("canceled", operation, 0)
        return "canceled"
      case "refund":
        if (payment.status !== "captured" || payment.refunded + minorUnits > payment.captured) return "declined"
        payment.refunded += minorUnits
        write("refunded", operation, minorUnits)
        return "refunded"
      case "create":
        return "declined"
    }
  }

  const order: Vendor["order"] = ({ merchantOperation, merchantPayment, ...asked }) => {
    const id = `vo_${++ids}`
    const named = { object: id, payment: merchantPayment, operation: merchantOperation }
    ledger.write({ kind: "order_made", ...asked, ...named, minorUnits: 0 })
    return id
  }

  return {
    order,
    create,
    later,
    find: (account, key) => operations.get(named({ account, key })) ?? null
  }
}

const named = ({ account, key }: { readonly account: string; readonly key: string }): string => `${account} ${key}`
