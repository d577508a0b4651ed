/** Rules for tests, and what becomes of them. */
import { Effect, Result } from "effect"
import type { NewPayment } from "@paymux/core"
import type { RoutingResult } from "@paymux/core/routing"
import { checkRouting } from "../src/check/checkRouting.ts"
import { plan } from "../src/choose/plan.ts"
import { compile } from "../src/CompiledRouting.ts"
import type { CompiledRouting } from "../src/CompiledRouting.ts"
import { facts } from "../src/Facts.ts"
import { unknownHealth } from "../src/Health.ts"
import { paymentId, providers, tenant } from "../../core/test/routing/samples.ts"

export * from "../../core/test/routing/samples.ts"

export const compiled = (config: unknown, among = providers): Promise<CompiledRouting> =>
  Effect.runPromise(compile(config, among))

export const route = (routing: CompiledRouting, made: NewPayment, id = paymentId(1), by = tenant): RoutingResult =>
  plan(routing, made, facts(made, by, id, 0), unknownHealth)

/** The candidates' names in order, or `null` if the plan is empty. */
export const order = (answer: RoutingResult): ReadonlyArray<string> | null =>
  answer._tag === "Plan" ? answer.candidates.map((candidate) => candidate.provider) : null

/** What a configuration is refused with: nothing where it is not. */
export const refusals = (config: unknown, among = providers): ReadonlyArray<string> => {
  const checked = checkRouting(config, among)
  return Result.isFailure(checked) ? checked.failure.problems.map(({ message }) => message) : []
}

export type Place = ReadonlyArray<string | number>

/** The same with their places. */
export const problems = (config: unknown, among = providers): ReadonlyArray<readonly [Place, string]> => {
  const checked = checkRouting(config, among)
  return Result.isFailure(checked) ? checked.failure.problems.map(({ message, path }) => [path, message]) : []
}

/** A configuration with one rule, named "x". */
export const withRule = (when: unknown, choose: unknown): unknown => ({
  version: 1,
  rules: [{ name: "x", when, choose }],
  default: { priority: ["stripe"] }
})
