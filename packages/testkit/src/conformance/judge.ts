/** Runs conformance checks on one adapter, without a test runner. */
import type { Provider } from "@paymux/core"
import { Effect } from "effect"
import type { Fake, Vendor } from "../fake/Vendor.ts"
import { type ConformanceCheck, type CheckFailed, type CheckFacts, sentenceOf } from "./ConformanceCheck.ts"
import { capabilityTable } from "./capabilityTable.ts"
import { checks } from "./checks.ts"
import type { CheckId } from "./checkIds.ts"
import { makeConformanceContext } from "./ConformanceContext.ts"
import type { ConformanceContext } from "./ConformanceContext.ts"

export interface Judge {
  /** Why a check does not apply; `null`: it does. */
  readonly exempt: (check: ConformanceCheck) => Effect.Effect<string | null>
  /** `null`: passed. Otherwise the message for the author. */
  readonly tryCheck: (check: ConformanceCheck) => Effect.Effect<string | null>
  /** The capability table of a README. */
  readonly table: (skip: { readonly [id in CheckId]?: string }) => Effect.Effect<string>
}

export const judge = <V extends Vendor>({
  fake,
  make
}: {
  readonly fake: Fake<V>
  readonly make: (vendor: V) => Provider
}): Judge => {
  const start = (mode: "test" | "live") => fake.start({ mode })
  const known = Effect.scoped(
    Effect.map(start("test"), (vendor): { readonly facts: CheckFacts; readonly context: ConformanceContext } => {
      const { capabilities } = make(vendor)
      return {
        facts: {
          capabilities,
          declineCodes: fake.declineCodes,
          hasNetwork: vendor.network !== null,
          webhooks: vendor.webhooks
        },
        context: makeConformanceContext({
          make,
          start,
          capabilities,
          prepare: fake.prepare ?? ((operation) => operation),
          declineCodes: fake.declineCodes
        })
      }
    })
  )
  return {
    exempt: (check) => Effect.map(known, ({ facts }) => check.exempt?.(facts) ?? null),
    tryCheck: (check) =>
      Effect.flatMap(known, ({ context }) =>
        check.check(context).pipe(
          Effect.as(null),
          Effect.catchTag("CheckFailed", (failure: CheckFailed) => Effect.succeed(sentenceOf(check, failure)))
        )
      ),
    table: (skip) =>
      Effect.map(known, ({ facts }) =>
        capabilityTable(facts.capabilities, {
          skipped: checks.flatMap(({ id }) => (skip[id] === undefined ? [] : [{ id, reason: skip[id] }])),
          exempt: checks.flatMap((check) => {
            const reason = skip[check.id] === undefined ? (check.exempt?.(facts) ?? null) : null
            return reason === null ? [] : [{ id: check.id, reason }]
          })
        })
      )
  }
}
