/** A run before the judge and the invariants: what is wrong, and how often each law had something to judge. */
import { checkInvariants, invariantNames } from "./invariants/invariants.ts"
import type { InvariantName } from "./invariants/invariants.ts"
import { judge, lawNames } from "./judge/index.ts"
import type { Judgement, LawName as JudgedLaw } from "./judge/index.ts"
import type { Run } from "./Simulation.ts"

export type LawName = JudgedLaw | InvariantName

/** All laws, the judge's first. */
export const allLaws: ReadonlyArray<LawName> = [...lawNames, ...invariantNames]

export interface Violation {
  readonly law: LawName
  /** The payment of the plan. */
  readonly n: number
  /** ms since the start; `null`: at the end. */
  readonly elapsed: number | null
  readonly text: string
}

export interface Verdict {
  readonly violations: ReadonlyArray<Violation>
  readonly judged: { readonly [law in LawName]: number }
  readonly endings: Judgement["endings"]
}

export const verdictOn = (run: Run): Verdict => {
  const { endings, findings, judged } = judge(run.facts)
  const checked = checkInvariants(run)
  return {
    violations: [
      ...findings.map(({ law, order, text }) => ({ law, n: Number(order), elapsed: null, text })),
      ...checked.breaches
    ],
    judged: { ...judged, ...checked.judged },
    endings
  }
}
