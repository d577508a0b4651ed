/** The flow by which a provider serves a payment. Pure. */
import type { OperationKind } from "../domain/Operation.ts"
import type { NewPayment } from "../domain/Payment.ts"
import { flow } from "../domain/PaymentMethod.ts"
import type { Flow, ServedMethod } from "../domain/PaymentMethod.ts"
import type { Capabilities, MethodCapability, RequiredFact } from "../provider/Capabilities.ts"
import type { DropReason } from "./Plan.ts"

/** What a flow may require. */
type Facts = Pick<NewPayment, "client" | "customer" | "description" | "returnUrl">

/** The requested flow; for an intent whose requirements are not met, the hosted page, if there is one. */
export const servedFlow = (facts: Facts, asked: Flow, flows: MethodCapability["flows"]): Flow =>
  asked === "intent" &&
  flows.hosted !== undefined &&
  (flows.intent === undefined || missingFact(facts, flows.intent.requires) !== null)
    ? "hosted"
    : asked

/** The method as an adapter gets it. */
export const servedMethod = (
  payment: Facts & Pick<NewPayment, "method">,
  methods: { readonly upi?: MethodCapability }
): ServedMethod => {
  const { method } = payment
  if (method.rail !== "upi" || method.flow !== "intent" || methods.upi === undefined) return method
  return servedFlow(payment, method.flow, methods.upi.flows) === "hosted" ? { ...method, flow: "hosted" } : method
}

/** Whether this can be done to the payment: what is not declared is never called. */
export const supports = (
  { methods, operations }: Capabilities,
  kind: OperationKind,
  payment: Facts & Pick<NewPayment, "method">
): boolean => {
  if (operations[kind] === undefined) return false
  const { flows = {} } = methods[payment.method.rail] ?? {}
  return kind !== "cancel" || flows[servedFlow(payment, flow(payment.method), flows)]?.cancelable !== false
}

/** Why a requirement is not met, or `null`. */
export const missingFact = (facts: Facts, required: ReadonlyArray<RequiredFact> = []): DropReason | null => {
  for (const fact of required) {
    const reason = missing(facts, fact)
    if (reason !== null) return reason
  }
  return null
}

const missing = (facts: Facts, fact: RequiredFact): DropReason | null =>
  valueOf[fact](facts) === null ? reasonWithout[fact] : null

const valueOf: { readonly [fact in RequiredFact]: (facts: Facts) => unknown } = {
  "client.ip": ({ client }) => client && client.ip,
  "client.user_agent": ({ client }) => client && client.userAgent,
  "client.referer": ({ client }) => client && client.referer,
  "client.accept_header": ({ client }) => client && client.acceptHeader,
  "client.language": ({ client }) => client && client.language,
  "client.time_zone": ({ client }) => client && client.timeZone,
  "client.screen": ({ client }) => client && client.screen,
  "customer.email": ({ customer }) => customer.email,
  "customer.phone": ({ customer }) => customer.phone,
  "customer.name": ({ customer }) => customer.name,
  "customer.address": ({ customer }) => customer.address,
  description: ({ description }) => description,
  return_url: ({ returnUrl }) => returnUrl
}

const reasonWithout: { readonly [fact in RequiredFact]: DropReason } = {
  "client.ip": "client_required",
  "client.user_agent": "client_required",
  "client.referer": "client_required",
  "client.accept_header": "client_required",
  "client.language": "client_required",
  "client.time_zone": "client_required",
  "client.screen": "client_required",
  "customer.email": "customer_email_required",
  "customer.phone": "customer_phone_required",
  "customer.name": "customer_name_required",
  "customer.address": "customer_address_required",
  description: "description_required",
  return_url: "return_url_required"
}
