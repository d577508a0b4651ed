/**
 * `@paymux/client/browser`: the status of one payment in a browser, by its `hosted_url`, and what providers ask of the payer's
 * browser. Needs no API key.
 *
 * @module
 */
export { paymentStatus, watchPayment } from "./watchPayment.ts"
export type { BrowserPayment, WatchOptions } from "./watchPayment.ts"
export { browserFacts } from "./browserFacts.ts"
export type { BrowserFacts } from "./browserFacts.ts"
