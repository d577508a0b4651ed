/** A run before the judge and the invariants: what is wrong, and how often each expectation had something to judge. */
import { checkInvariants, invariantNames } from "./invariants/invariants.ts"
import type { InvariantName } from "./invariants/invariants.ts"
import { judge, expectationNames } from "./judge/index.ts"
import type { Judgement, ExpectationName as JudgedLaw } from "./judge/index.ts"
import type { Run } from "./Simulation.ts"

export type ExpectationName = JudgedLaw | InvariantName

/** All expectations, the judge's first. */
export const allExpectations: ReadonlyArray<ExpectationName> = [...expectationNames, ...invariantNames]

export interface Violation {
  readonly expectation: ExpectationName
  /** The payment of the plan. */
  readonly n: number
  /** ms since the start; `null`: at the end. */
  readonly elapsed: number | null
  readonly text: string
}

export interface Verdict {
  readonly violations: ReadonlyArray<Violation>
  readonly judged: { readonly [expectation in ExpectationName]: number }
  readonly endings: Judgement["endings"]
}

export const verdictOn = (run: Run): Verdict => {
  const { endings, findings, judged } = judge(run.facts)
  const checked = checkInvariants(run)
  return {
    violations: [
      ...findings.map(({ expectation, order, text }) => ({ expectation, n: Number(order), elapsed: null, text })),
      ...checked.breaches
    ],
    judged: { ...judged, ...checked.judged },
    endings
  }
}
