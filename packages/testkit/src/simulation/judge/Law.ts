/** A law looks at one order and everything that became of it. */
import type {
  EventView,
  Facts,
  LedgerCharge,
  Order,
  PaymentView,
  RefundView,
  RequestView,
  UnmatchedReport
} from "./facts.ts"

export interface Case {
  readonly order: Order
  readonly charges: ReadonlyArray<LedgerCharge>
  /** One, unless something is wrong. */
  readonly payments: ReadonlyArray<PaymentView>
  readonly refunds: ReadonlyArray<RefundView>
  readonly events: ReadonlyArray<EventView>
  readonly requests: ReadonlyArray<RequestView>
  readonly unmatched: ReadonlyArray<UnmatchedReport>
  readonly lostCommits: Facts["lostCommits"]
}

export interface Verdict {
  /** How many things this law had to judge in the case. Zero over a whole run means that the law shows nothing. */
  readonly judged: number
  /** What is wrong, one sentence each. */
  readonly findings: ReadonlyArray<string>
}

export type Law = (one: Case) => Verdict

/** Nothing in this case is the law's business. */
export const notJudged: Verdict = { judged: 0, findings: [] }

export const verdict = (judged: number, findings: ReadonlyArray<string | null>): Verdict => ({
  judged,
  findings: findings.filter((each) => each !== null)
})

export const sum = <A>(all: ReadonlyArray<A>, of: (each: A) => number): number =>
  all.reduce((total, each) => total + of(each), 0)
