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
export { providerConformance } from "./conformance/providerConformance.ts"
export type { ConformanceOptions } from "./conformance/providerConformance.ts"
export { lawIds } from "./conformance/lawIds.ts"
export type { LawId } from "./conformance/lawIds.ts"
export { selfSigned } from "./fake/certificate.ts"
export { fakeProvider } from "./fake/fakeProvider.ts"
export type { FakeCredentials, FakeProviderDefinition, FakeRoute, HttpVendor } from "./fake/fakeProvider.ts"
export type { FakeRequest } from "./fake/FakeRequest.ts"
export type { FakeAnswer, Fault, FaultyReply } from "./fake/Fault.ts"
export { postWebhook } from "./fake/postWebhook.ts"
export { startFake } from "./fake/startFake.ts"
export type { RunningFake, StartFakeOptions } from "./fake/startFake.ts"
export { makeLedger } from "./fake/Ledger.ts"
export type * from "./fake/Ledger.ts"
export type * from "./fake/Vendor.ts"
export { judge as judgeProvider } from "./conformance/judge.ts"
export type { Judge } from "./conformance/judge.ts"
export { laws as conformanceLaws } from "./conformance/laws.ts"
export type { Law as ConformanceLaw, LawFacts } from "./conformance/Law.ts"
