/**
 * `@paymux/testkit`: suites that every implementation of a port must pass, for vitest.
 *
 * @module
 */
export { breakerConformance } from "./breakerConformance.ts"
export { paymentStoreSuite } from "./paymentStoreSuite.ts"
export type { Law } from "./paymentStore/Law.ts"
export * as PaymentRecords from "./paymentStore/records.ts"
export * as ClockBreaker from "./ClockBreaker.ts"
