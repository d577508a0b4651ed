/**
 * `@paymux/test-suites`: what the tests of this workspace share. It is not published.
 *
 * @module
 */
export { breakerConformance } from "./breakerConformance.ts"
export * as ClockBreaker from "./ClockBreaker.ts"
export { clockCorrectionSuite } from "./clockCorrectionSuite.ts"
export { instanceSuite } from "./instanceSuite.ts"
export { memoryContext } from "./memoryContext.ts"
export { paymentStoreSuite } from "./paymentStoreSuite.ts"
export type { StoreCheck } from "./paymentStore/StoreCheck.ts"
export * as PaymentRecords from "./paymentStore/records.ts"
export { closed, isObject, mapped, pick, specification } from "./specification.ts"
export type { Json, Specification } from "./specification.ts"
export { statementPages } from "./statementPages.ts"
export { plain, settled, stateOf, testEngine } from "./testEngine.ts"
export type { RunningEngine } from "./testEngine.ts"
export { virtualTime } from "./virtualTime.ts"
export type { VirtualTime } from "./virtualTime.ts"
