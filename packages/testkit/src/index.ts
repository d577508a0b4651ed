/**
 * `@paymux/testkit`: the conformance suite for provider adapters, and the fake that it runs against.
 *
 * @module
 */
export { providerConformance } from "./conformance/providerConformance.ts"
export type { ConformanceOptions } from "./conformance/providerConformance.ts"
export { codeTableTests, refusalStatuses } from "./codes/codeTableTests.ts"
export type { CodeMeaning, CodeTableOptions, RefusedRequest } from "./codes/codeTableTests.ts"
export { checkIds } from "./conformance/checkIds.ts"
export type { CheckId } from "./conformance/checkIds.ts"
export * from "./fake/index.ts"
export { judge as judgeProvider } from "./conformance/judge.ts"
export type { Judge } from "./conformance/judge.ts"
export { checks as conformanceChecks } from "./conformance/checks.ts"
export type { ConformanceCheck, CheckFacts } from "./conformance/ConformanceCheck.ts"
