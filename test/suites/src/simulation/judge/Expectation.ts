/** A expectation looks at one order and everything that became of it. */
import type { Facts, Order } from "./facts.ts"

/** The facts about one order. `payments` has one entry, unless something is wrong. */
export interface Case extends Omit<Facts, "orders"> {
  readonly order: Order
}

export interface Verdict {
  /** How many things this expectation had to judge in the case. Zero over a whole run means that the expectation shows nothing. */
  readonly judged: number
  /** What is wrong, one sentence each. */
  readonly findings: ReadonlyArray<string>
}

export type Expectation = (one: Case) => Verdict

/** The expectation does not apply to this case. */
export const notJudged: Verdict = { judged: 0, findings: [] }

export const verdict = (judged: number, findings: ReadonlyArray<string | null>): Verdict => ({
  judged,
  findings: findings.filter((each) => each !== null)
})

export const sum = <A>(all: ReadonlyArray<A>, of: (each: A) => number): number =>
  all.reduce((total, each) => total + of(each), 0)
