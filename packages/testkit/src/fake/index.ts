/**
 * `@paymux/testkit/fake`: a fake provider over real HTTP. It does not need vitest.
 *
 * @module
 */
export { selfSigned } from "./certificate.ts"
export { fakeProvider } from "./fakeProvider.ts"
export type { FakeCredentials, FakeProviderDefinition, FakeRoute, HttpVendor } from "./fakeProvider.ts"
export type { FakeRequest } from "./FakeRequest.ts"
export type { LedgerBooking, LedgerBookingType, NewLedgerBooking } from "./bookings.ts"
export type { FakeAnswer, Fault, FaultyReply } from "./Fault.ts"
export { makeLedger } from "./Ledger.ts"
export type * from "./Ledger.ts"
export { postWebhook } from "./postWebhook.ts"
export { startFake } from "./startFake.ts"
export type { RunningFake, StartFakeOptions } from "./startFake.ts"
export type * from "./Vendor.ts"
