/** The flow by which a provider serves a payment. Pure. */
import type { OperationKind } from "../domain/Operation.ts"
import type { NewPayment } from "../domain/Payment.ts"
import { flow } from "../domain/PaymentMethod.ts"
import type { Flow, ServedMethod } from "../domain/PaymentMethod.ts"
import type { Capabilities, MethodCapability, RequiredFact } from "../provider/Capabilities.ts"
import type { DropReason } from "./Plan.ts"

/** What a flow may require. */
type Facts = Pick<NewPayment, "client" | "customer" | "returnUrl">

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

const missing = ({ client, customer, returnUrl }: Facts, fact: RequiredFact): DropReason | null => {
  switch (fact) {
    case "client.ip":
      return client === null || client.ip === null ? "client_required" : null
    case "client.user_agent":
      return client === null || client.userAgent === null ? "client_required" : null
    case "client.referer":
      return client === null || client.referer === null ? "client_required" : null
    case "customer.name":
      return customer.name === null ? "customer_name_required" : null
    case "return_url":
      return returnUrl === null ? "return_url_required" : null
  }
}
