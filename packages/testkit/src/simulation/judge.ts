/** Holds a run against every law. */
import * as History from "./History.ts"
import * as attempts from "./laws/attempts.ts"
import * as clients from "./laws/clients.ts"
import * as end from "./laws/end.ts"
import type { Case, Fault, Law } from "./laws/Law.ts"
import * as money from "./laws/money.ts"
import * as records from "./laws/records.ts"
import type { Run } from "./Simulation.ts"

export const laws = { ...money, ...attempts, ...records, ...clients, ...end } satisfies { readonly [name: string]: Law }
export type LawName = keyof typeof laws

export interface Violation extends Fault {
  readonly law: LawName
  /** The payment of the plan. */
  readonly n: number
}

export const judge = (run: Run): ReadonlyArray<Violation> =>
  cases(run).flatMap((one) =>
    // The names are the keys of the object above.
    (Object.keys(laws) as Array<LawName>).flatMap((law) =>
      laws[law](one).map((fault) => ({ ...fault, law, n: one.payment.n }))
    )
  )

const cases = ({ charges, entries, plan, records }: Run): ReadonlyArray<Case> => {
  const own = History.byPayment(entries)
  const recordsOf = Map.groupBy(records, ({ payment }) => Number(payment.metadata["n"]))
  const chargesOf = Map.groupBy(charges, ({ n }) => n)
  const endings = entries.flatMap((entry) =>
    entry.kind === "process" && entry.what !== "started" ? [{ from: entry.elapsed, to: entry.elapsed + ENDING }] : []
  )
  return plan.payments.map((payment) => ({
    plan,
    payment,
    entries: own.get(payment.n) ?? [],
    records: recordsOf.get(payment.n) ?? [],
    charges: chargesOf.get(payment.n) ?? [],
    endings
  }))
}

/** A process that is told to go has gone by then. */
const ENDING = 15_000
