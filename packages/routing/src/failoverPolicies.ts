/**
 * Computes the failover policies of a ruleset. A rule inherits each setting of the top-level policy that it does not
 * override.
 */
import { declineCodes } from "@paymux/core"
import type { DeclineCode } from "@paymux/core"
import { defaultFailover } from "@paymux/core/routing"
import type { FailoverPolicy } from "@paymux/core/routing"
import type { Failover } from "./language/Failover.ts"
import type { RoutingConfig } from "./RoutingConfig.ts"
import type { Steps } from "./Steps.ts"

/** Returns the failover policy by the name of a rule. An unknown rule has the top-level policy. */
export type PolicyOfRule = (rule: string) => FailoverPolicy

/** Computes the policies in short steps, since a configuration may have many rules. */
export function* failoverSteps({
  failover,
  rules = []
}: Pick<RoutingConfig, "failover" | "rules">): Steps<PolicyOfRule> {
  const top = policyOf({ ...failover })
  const own = new Map<string, FailoverPolicy>()
  for (const rule of rules) {
    if (rule.failover !== undefined) own.set(rule.name, policyOf({ ...failover, ...rule.failover }))
    yield
  }
  return (rule) => own.get(rule) ?? top
}

const policyOf = ({ deadline, max_attempts, not_on = [], on = defaultFailover.on }: Failover): FailoverPolicy => {
  const codes = on.flatMap((each) => (each === "not_executed" || each === "soft_decline" ? [] : [each]))
  const softDecline = on.includes("soft_decline") || codes.length > 0
  return {
    maxAttempts: max_attempts ?? defaultFailover.maxAttempts,
    deadlineMs: deadline ?? defaultFailover.deadlineMs,
    on: [
      ...(on.includes("not_executed") ? (["not_executed"] as const) : []),
      ...(softDecline ? (["soft_decline"] as const) : [])
    ],
    notOn: codes.length === 0 ? not_on : others(codes, not_on)
  }
}

const others = (codes: ReadonlyArray<DeclineCode>, excluded: ReadonlyArray<DeclineCode>): ReadonlyArray<DeclineCode> =>
  declineCodes.filter((code) => !codes.includes(code) || excluded.includes(code))
