/**
 * `@paymux/routing`: routing rules for the engine of `@paymux/core`. The language of rules, the router that decides by
 * them, and the tools that check, explain and test rules.
 *
 * @module
 */

// Part 1 of the exports: the language of rules.
export { conditionWords } from "./language/vocabulary.ts"
export type { ConditionWords } from "./language/vocabulary.ts"
export { defaultRouting, defineRouting, RoutingConfig } from "./RoutingConfig.ts"
export type { RoutingConfigInput } from "./RoutingConfig.ts"
export { durationMs } from "./language/words.ts"
export { checkRouting } from "./check/checkRouting.ts"
export { RoutingInvalid } from "./check/RoutingInvalid.ts"

// Part 2 of the exports: the routing decision.
export { Routing } from "./Routing.ts"
export type { Ruleset } from "./Routing.ts"
export { compile } from "./CompiledRouting.ts"
export { compileWithWarnings } from "./check/warnings/routingWarnings.ts"
export type { RoutingWithWarnings } from "./check/warnings/routingWarnings.ts"
export type { CompiledRouting } from "./CompiledRouting.ts"
export { compileChecked } from "./compileChecked.ts"
export type { CheckedRules } from "./compileChecked.ts"
export { facts } from "./Facts.ts"
export type { Facts } from "./Facts.ts"
export { unknownHealth } from "./Health.ts"
export type { Health } from "./Health.ts"
export { segmentOfPayment } from "./learn/Segment.ts"
export { ratesAt } from "./learn/readBack.ts"
export type { Lens } from "./learn/Lens.ts"
export * as SuccessRates from "./learn/SuccessRates.ts"
export { plan } from "./choose/plan.ts"

// Part 3 of the exports: explanations, and backtests of draft rules.
export { explain, explainDecided } from "./explain.ts"
export type { ExplainedCondition, ExplainedRule, Explanation } from "./explain.ts"
export * as Backtest from "./backtest/Backtest.ts"
export type * from "./backtest/BacktestReport.ts"
export * as Experiment from "./experiment/Experiment.ts"
export type { ExperimentArm, ExperimentEffect, ExperimentReport } from "./experiment/ExperimentReport.ts"

// Part 4 of the exports: the usage of rules by past payments.
export * as RulesUsage from "./usage/RulesUsage.ts"
export type { RuleUsage, UsageReport } from "./usage/RulesUsage.ts"
export { usageWarnings } from "./usage/usageWarnings.ts"
