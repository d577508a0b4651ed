/** Tries laws on one adapter, without a test runner. */
import type { Provider } from "@paymux/core"
import { Effect } from "effect"
import type { Fake, Vendor } from "../fake/Vendor.ts"
import { type Law, type LawBroken, type LawFacts, sentenceOf } from "./Law.ts"
import { capabilityTable } from "./capabilityTable.ts"
import { laws } from "./laws.ts"
import type { LawId } from "./lawIds.ts"
import { makeTrial } from "./Trial.ts"
import type { Trial } from "./Trial.ts"

export interface Judge {
  /** Why a law does not apply; `null`: it does. */
  readonly exempt: (law: Law) => Effect.Effect<string | null>
  /** `null`: kept. Otherwise what to tell the author. */
  readonly tryLaw: (law: Law) => Effect.Effect<string | null>
  /** The capability table of a README. */
  readonly table: (skip: { readonly [id in LawId]?: string }) => Effect.Effect<string>
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
    Effect.map(start("test"), (vendor): { readonly facts: LawFacts; readonly trial: Trial } => {
      const { capabilities } = make(vendor)
      return {
        facts: {
          capabilities,
          declineCodes: fake.declineCodes,
          hasNetwork: vendor.network !== null,
          webhooks: vendor.webhooks
        },
        trial: makeTrial({
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
    exempt: (law) => Effect.map(known, ({ facts }) => law.exempt?.(facts) ?? null),
    tryLaw: (law) =>
      Effect.flatMap(known, ({ trial }) =>
        law.check(trial).pipe(
          Effect.as(null),
          Effect.catchTag("LawBroken", (broken: LawBroken) => Effect.succeed(sentenceOf(law, broken)))
        )
      ),
    table: (skip) =>
      Effect.map(known, ({ facts }) =>
        capabilityTable(facts.capabilities, {
          skipped: laws.flatMap(({ id }) => (skip[id] === undefined ? [] : [{ id, reason: skip[id] }])),
          exempt: laws.flatMap((law) => {
            const reason = skip[law.id] === undefined ? (law.exempt?.(facts) ?? null) : null
            return reason === null ? [] : [{ id: law.id, reason }]
          })
        })
      )
  }
}
