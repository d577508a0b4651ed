/** Holds the facts of a run against every expectation, and counts how often each expectation had something to judge. */
import { isInReview } from "./reviews.ts"
import type { Facts } from "./facts.ts"
import type { Case, Expectation } from "./Expectation.ts"
import * as money from "./expectations/money.ts"
import * as progress from "./expectations/progress.ts"
import * as promises from "./expectations/promises.ts"

export const expectations = { ...money, ...promises, ...progress } satisfies { readonly [name: string]: Expectation }
export type ExpectationName = keyof typeof expectations

export interface Finding {
  readonly expectation: ExpectationName
  readonly order: string
  readonly text: string
}

export interface Judgement {
  readonly findings: ReadonlyArray<Finding>
  /** How many things each expectation judged. */
  readonly judged: { readonly [expectation in ExpectationName]: number }
  /** How many payments ended in each state, as the API shows it; `in review` counts beside the states. */
  readonly endings: { readonly [state: string]: number }
}

/** The keys of the object above, which TypeScript widens to `string`. */
export const expectationNames = Object.keys(expectations) as ReadonlyArray<ExpectationName>

export const judge = (facts: Facts): Judgement => {
  const findings: Array<Finding> = []
  const judged = Object.fromEntries(expectationNames.map((expectation) => [expectation, 0])) as {
    [expectation in ExpectationName]: number
  }
  const all = cases(facts)
  const known = new Set(facts.orders.map(({ id }) => id))
  for (const { id, metadata } of facts.payments.filter(({ metadata }) => !known.has(metadata["n"] ?? ""))) {
    findings.push({
      expectation: "oneKeyOnePayment",
      order: metadata["n"] ?? "none",
      text: `${id} belongs to no order`
    })
  }
  for (const one of all) {
    for (const expectation of expectationNames) {
      const verdict = expectations[expectation](one)
      judged[expectation] += verdict.judged
      for (const text of verdict.findings) findings.push({ expectation, order: one.order.id, text })
    }
  }
  return { findings, judged, endings: endingsOf(all) }
}

const cases = (facts: Facts): ReadonlyArray<Case> => {
  const charges = Map.groupBy(facts.charges, ({ order }) => order)
  const payments = Map.groupBy(facts.payments, ({ metadata }) => metadata["n"] ?? "")
  const refunds = Map.groupBy(facts.refunds, ({ payment }) => payment)
  const events = Map.groupBy(facts.events, ({ payment }) => payment)
  const requests = Map.groupBy(facts.requests, ({ order }) => order)
  return facts.orders.map((order) => {
    const own = payments.get(order.id) ?? []
    return {
      order,
      charges: charges.get(order.id) ?? [],
      payments: own,
      refunds: own.flatMap(({ id }) => refunds.get(id) ?? []),
      events: own.flatMap(({ id }) => events.get(id) ?? []),
      requests: requests.get(order.id) ?? [],
      unmatched: facts.unmatched,
      lostCommits: facts.lostCommits.filter(({ orders }) => orders.has(order.id))
    }
  })
}

const endingsOf = (all: ReadonlyArray<Case>): Judgement["endings"] => {
  const endings: { [state: string]: number } = {}
  const count = (state: string) => void (endings[state] = (endings[state] ?? 0) + 1)
  for (const one of all) {
    for (const { status } of one.payments) count(status)
    if (isInReview(one)) count("in review")
  }
  return endings
}
