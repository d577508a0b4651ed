/**
 * The judge of the simulation: it reads the vendors' ledgers and the public API, and nothing of the engine, so that it
 * cannot share the engine's mistakes.
 */
export type * from "./facts.ts"
export { judge, lawNames, laws } from "./judge.ts"
export type { Finding, Judgement, LawName } from "./judge.ts"
export type { Case, Law, Verdict } from "./Law.ts"
export { captured, held, kept } from "./balance.ts"
export { SECRET } from "./secret.ts"
