/** The JSON of the API, by name. A newer server may send fields and values that are not listed: nothing here refuses them. */
import type { components, ListEventsQuery, ListPaymentsQuery } from "./generated/Api.ts"

type Schemas = components["schemas"]

export type Payment = Schemas["Payment"]
export type Refund = Schemas["Refund"]
export type Problem = Schemas["Problem"]
export type CreatePayment = Schemas["CreatePayment"]
export type CapturePayment = Schemas["CapturePayment"]
export type CreateRefund = Schemas["CreateRefund"]

/** One page, as the API answers it. */
export interface Page<Item> {
  readonly object: "list"
  readonly data: ReadonlyArray<Item>
  /** More lie beyond this page, in the direction that was asked for; with `searched_until`, they may. */
  readonly has_more: boolean
  readonly next_cursor: string | null
  /** Of payments: a search for metadata without an index ended at this time of creation, and others may match. */
  readonly searched_until?: string
}

/** As in the query of the API; an array means any of. */
export type ListPayments = {
  readonly [Name in keyof Omit<ListPaymentsQuery, "metadata">]: OneOrMore<ListPaymentsQuery[Name]>
} & { readonly metadata?: { readonly [key: string]: string | ReadonlyArray<string> } }

/** As in the query of the API; an array means any of. */
export type ListEvents = {
  readonly [Name in keyof Omit<ListEventsQuery, "after">]: OneOrMore<ListEventsQuery[Name]>
} & {
  /** `null`, as `error.resumeAfter` may be: from the oldest event. */
  readonly after?: string | null
}

export type FollowEvents = ListEvents & {
  /** ms to wait before the next request if nothing is new; default 1000. */
  readonly interval?: number
}

type OneOrMore<Value> = Value extends ReadonlyArray<infer Each> ? Each | ReadonlyArray<Each> : Value

/** What a webhook reports. Events of refunds have the refund, too, and events of reviews the review. */
export type WebhookEvent = PaymentEvent | RefundEvent | ReviewEvent

export interface PaymentEvent extends Omit<Schemas["Event"], "type"> {
  readonly type: Exclude<Schemas["Event"]["type"], RefundEvent["type"] | ReviewEvent["type"]>
}

export interface RefundEvent extends Omit<Schemas["Event"], "type" | "data"> {
  readonly type: Extract<Schemas["Event"]["type"], `refund.${string}`>
  readonly data: Schemas["Event"]["data"] & { readonly refund: Refund }
}

export interface ReviewEvent extends Omit<Schemas["Event"], "type" | "data"> {
  readonly type: Extract<Schemas["Event"]["type"], `payment.review_${string}`>
  readonly data: Schemas["Event"]["data"] & { readonly review: NonNullable<Schemas["Event"]["data"]["review"]> }
}
