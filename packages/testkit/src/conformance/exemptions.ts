/** Why a check cannot be tried at a provider, in one sentence. */
import type { OperationKind } from "@paymux/core"
import type { CheckFacts } from "./ConformanceCheck.ts"

export const withoutNetwork = ({ hasNetwork }: CheckFacts): string | null =>
  hasNetwork ? null : "its vendor is reached without a network"

export const withoutWebhooks = ({ webhooks }: CheckFacts): string | null =>
  webhooks === null ? "its vendor sends no webhooks" : null

export const without =
  (kind: Exclude<OperationKind, "create">) =>
  ({ capabilities }: CheckFacts): string | null =>
    capabilities.operations[kind] === undefined ? `it declares no ${kind}` : null

/** The first reason that holds. */
export const anyOf =
  (...reasons: ReadonlyArray<(facts: CheckFacts) => string | null>) =>
  (facts: CheckFacts): string | null => {
    for (const reason of reasons) {
      const found = reason(facts)
      if (found !== null) return found
    }
    return null
  }
