/**
 * `@paymux/client/browser`: the status of one payment in a browser, by its `hosted_url`. Needs no API key.
 *
 * @module
 */
export { paymentStatus, watchPayment } from "./watchPayment.ts"
export type { BrowserPayment, WatchOptions } from "./watchPayment.ts"
