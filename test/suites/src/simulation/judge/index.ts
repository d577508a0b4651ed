/**
 * The judge of the simulation: it reads the vendors' ledgers and the public API, and nothing of the engine, so that it
 * cannot share the engine's mistakes.
 */
export type * from "./facts.ts"
export { judge, expectationNames, expectations } from "./judge.ts"
export type { Finding, Judgement, ExpectationName } from "./judge.ts"
export type { Case, Expectation, Verdict } from "./Expectation.ts"
export { captured, held, kept } from "./balance.ts"
export { SECRET } from "./secret.ts"
