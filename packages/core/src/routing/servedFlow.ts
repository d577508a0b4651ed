/** The flow by which a provider serves a payment, and the kind of payment for the provider's account. Pure. */
import type { OperationKind } from "../domain/Operation.ts"
import type { Client, NewPayment } from "../domain/Payment.ts"
import { flow } from "../domain/PaymentMethod.ts"
import type { Flow, Rail, ServedMethod } from "../domain/PaymentMethod.ts"
import type { Capabilities, MethodCapability, RequiredFact } from "../provider/Capabilities.ts"
import type { Provider } from "../provider/Provider.ts"
import type { DropReason } from "./Plan.ts"

/** The parts of a payment that contain the facts that a flow may require. */
type Facts = Pick<NewPayment, "client" | "customer" | "description" | "returnUrl">

/**
 * Determines the flow by which a provider serves the payment: the requested flow, or, for an intent whose required
 * facts are missing, the hosted page if the provider has one.
 */
export const servedFlow = (facts: Facts, asked: Flow, flows: MethodCapability["flows"]): Flow =>
  asked === "intent" &&
  flows.hosted !== undefined &&
  (flows.intent === undefined || missingFact(facts, flows.intent.requires) !== null)
    ? "hosted"
    : asked

/** The method as passed to an adapter. */
export const servedMethod = (
  payment: Facts & Pick<NewPayment, "method">,
  methods: { readonly upi?: MethodCapability }
): ServedMethod => {
  const { method } = payment
  if (method.rail !== "upi" || method.flow !== "intent" || methods.upi === undefined) return method
  return servedFlow(payment, method.flow, methods.upi.flows) === "hosted" ? { ...method, flow: "hosted" } : method
}

/** Whether the provider declares the operation for the payment: an undeclared one is never called. */
export const supports = (
  { methods, operations }: Capabilities,
  kind: OperationKind,
  payment: Facts & Pick<NewPayment, "method">
): boolean => {
  if (operations[kind] === undefined) return false
  const { flows = {} } = methods[payment.method.rail] ?? {}
  return kind !== "cancel" || flows[servedFlow(payment, flow(payment.method), flows)]?.cancelable !== false
}

/** The reason why a requirement is not met; `null`: all are met. */
export const missingFact = (facts: Facts, required: ReadonlyArray<RequiredFact> = []): DropReason | null => {
  for (const fact of required) {
    const { reason, valueOf } = requirements[fact]
    if (valueOf(facts) === null) return reason
  }
  return null
}

interface Requirement {
  /** The value of a fact; `null`: the payment does not have it. */
  readonly valueOf: (facts: Facts) => unknown
  readonly reason: DropReason
}

const ofClient = (fact: keyof Client): Requirement => ({
  valueOf: ({ client }) => (client === null ? null : client[fact]),
  reason: "client_required"
})

const requirements: { readonly [fact in RequiredFact]: Requirement } = {
  "client.ip": ofClient("ip"),
  "client.user_agent": ofClient("userAgent"),
  "client.referer": ofClient("referer"),
  "client.accept_header": ofClient("acceptHeader"),
  "client.language": ofClient("language"),
  "client.time_zone": ofClient("timeZone"),
  "client.screen": ofClient("screen"),
  "customer.email": { valueOf: ({ customer }) => customer.email, reason: "customer_email_required" },
  "customer.phone": { valueOf: ({ customer }) => customer.phone, reason: "customer_phone_required" },
  "customer.name": { valueOf: ({ customer }) => customer.name, reason: "customer_name_required" },
  "customer.address": { valueOf: ({ customer }) => customer.address, reason: "customer_address_required" },
  description: { valueOf: ({ description }) => description, reason: "description_required" },
  return_url: { valueOf: ({ returnUrl }) => returnUrl, reason: "return_url_required" }
}

/** The facts of a payment on which the permissions of an account depend. */
export interface PaymentKind {
  /** The id of the provider instance. */
  readonly provider: string
  readonly rail: Rail
  /** The flow by which the provider serves the payment. */
  readonly flow: Flow
  readonly currency: string
}

export const paymentKind = (
  { capabilities, id }: Pick<Provider, "id" | "capabilities">,
  payment: NewPayment
): PaymentKind => {
  const { rail } = payment.method
  const flows = capabilities.methods[rail]?.flows ?? {}
  const { currency } = payment.amount
  return { provider: id, rail, flow: servedFlow(payment, flow(payment.method), flows), currency }
}
