/**
 * `@paymux/checkout`: a hosted page on which a payer completes a payment, for every payment method.
 *
 * @module
 */
export { checkoutRoutes, layer as checkoutLayer } from "./Checkout.ts"
export type { CheckoutSettings, SimulatedDecision } from "./Checkout.ts"
export { simulatedPages } from "./html/providerPage.ts"
export type { SimulatedPages, SimulatedPayment } from "./html/providerPage.ts"
export { linkedPayment, paymentLink } from "./PaymentLink.ts"
export type { PaymentLinkOptions } from "./PaymentLink.ts"
export { checkoutProblems } from "./options.ts"
export type { CheckoutOptions, Language } from "./options.ts"
export type { PaymentStatusJson } from "./status.ts"
