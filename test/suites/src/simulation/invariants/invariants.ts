/** Holds the history of a run against every invariant, and counts how often each had something to check. */
import * as History from "../History.ts"
import type { Run } from "../Simulation.ts"
import * as attempts from "./attempts.ts"
import * as books from "./books.ts"
import * as commits from "./commits.ts"
import type { Case, Fault, Invariant } from "./Invariant.ts"
import * as sends from "./sends.ts"

export const invariants = { ...attempts, ...books, ...commits, ...sends } satisfies {
  readonly [name: string]: Invariant
}
export type InvariantName = keyof typeof invariants

export interface Breach extends Fault {
  readonly expectation: InvariantName
  /** The payment of the plan. */
  readonly n: number
}

/** The keys of the object above, which TypeScript widens to `string`. */
export const invariantNames = Object.keys(invariants) as ReadonlyArray<InvariantName>

export const checkInvariants = (
  run: Run
): { readonly breaches: ReadonlyArray<Breach>; readonly judged: { readonly [name in InvariantName]: number } } => {
  const breaches: Array<Breach> = []
  const judged = Object.fromEntries(invariantNames.map((expectation) => [expectation, 0])) as {
    [name in InvariantName]: number
  }
  for (const one of cases(run)) {
    for (const expectation of invariantNames) {
      const checked = invariants[expectation](one)
      judged[expectation] += checked.judged
      for (const fault of checked.faults) breaches.push({ ...fault, expectation, n: one.payment.n })
    }
  }
  return { breaches, judged }
}

const cases = ({ entries, plan, records }: Run): ReadonlyArray<Case> => {
  const own = History.byPayment(entries)
  const recordsOf = Map.groupBy(records, ({ payment }) => Number(payment.metadata["n"]))
  const endings = entries.flatMap((entry) =>
    entry.kind === "process" && entry.what !== "started" ? [{ from: entry.elapsed, to: entry.elapsed + ENDING }] : []
  )
  const isRolledBack = plan.incidents.some(({ kind }) => kind === "rollback")
  return plan.payments.map((payment) => ({
    plan,
    payment,
    entries: own.get(payment.n) ?? [],
    records: recordsOf.get(payment.n) ?? [],
    endings,
    isRolledBack
  }))
}

/** A process that is asked to stop has stopped by then. */
const ENDING = 15_000
