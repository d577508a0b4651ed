/**
 * `@paymux/testkit`: the conformance suite for provider adapters, and the fake that it runs against.
 *
 * @module
 */
export { providerConformance } from "./conformance/providerConformance.ts"
export type { ConformanceOptions } from "./conformance/providerConformance.ts"
export { checkIds } from "./conformance/checkIds.ts"
export type { CheckId } from "./conformance/checkIds.ts"
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
export { checks as conformanceChecks } from "./conformance/checks.ts"
export type { ConformanceCheck, CheckFacts } from "./conformance/ConformanceCheck.ts"
