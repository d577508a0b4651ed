/** The messages between the run and the servers that it starts, over the channel between them. */
import type { InquiryOutcome } from "@paymux/core"

export const vendors = { card: { currency: "EUR", refunds: true }, coin: { currency: "USD", refunds: false } } as const
export type VendorId = keyof typeof vendors

/** Argument 1 of a server, as JSON. */
export interface ServerSettings {
  /** `sqlite:<file>` or `postgres://…` */
  readonly database: string
  /** Of the replies of commits that are lost. */
  readonly seed: string
}

/** A request to a vendor. */
export interface VendorRequest {
  readonly call: "create" | "cancel" | "refund" | "inquire"
  readonly vendor: VendorId
  readonly kind: string
  readonly operation: string
  readonly key: string
  readonly minorUnits: number
  readonly order: string
  readonly place: string
  /** The vendor's reference of the charge that it is about. */
  readonly original: string | null
}

export type VendorAnswer = InquiryOutcome

/** What a client has asked for. */
export interface Asked {
  readonly order: string
  /** The request within its order, and its idempotency key. */
  readonly place: string
  readonly currency: "EUR" | "USD"
  readonly isKeyed: boolean
  readonly replaces: boolean
}

export type Answered =
  | { readonly _tag: "Begun"; readonly payment: string; readonly operation: string | null }
  /** `by`: the payment that has the order. */
  | { readonly _tag: "Taken"; readonly by: string; readonly isUnclosed: boolean }
  /** The tag of the error. */
  | { readonly _tag: "Failed"; readonly reason: string }

export type ToServer =
  | { readonly request: number; readonly create: Asked }
  | { readonly request: number; readonly receive: { readonly vendor: VendorId; readonly body: string } }
  | { readonly answered: number; readonly outcome: VendorAnswer }

export type FromServer =
  | { readonly answered: number; readonly answer: Answered }
  | { readonly request: number; readonly ask: VendorRequest }
  | { readonly lostReplies: 1 }
  | { readonly ready: true }
