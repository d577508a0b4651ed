/** Statuses as the series of a chart, in a fixed order, so that each keeps its color. */
import type { Series } from "../charts/chart.ts"
import { numberOf } from "./texts.ts"
import type { SeriesPoint } from "./reads.ts"

interface Outcome {
  readonly name: string
  readonly statuses: ReadonlyArray<string>
}

export const paymentOutcomes: ReadonlyArray<Outcome> = [
  { name: "Succeeded", statuses: ["succeeded"] },
  { name: "Authorized", statuses: ["authorized"] },
  { name: "Failed", statuses: ["failed"] },
  { name: "Canceled", statuses: ["canceled"] },
  { name: "Pending", statuses: ["pending"] }
]

export const attemptOutcomes: ReadonlyArray<Outcome> = [
  { name: "Succeeded", statuses: ["succeeded", "authorized"] },
  { name: "Not executed", statuses: ["not_executed"] },
  { name: "Declined", statuses: ["declined"] },
  { name: "Expired or canceled", statuses: ["expired", "canceled"] },
  { name: "Open", statuses: ["sending", "pending", "unknown"] }
]

/** The points of a series without groups, by the starts of its steps. */
const byStart = (points: ReadonlyArray<SeriesPoint>): ReadonlyMap<number, SeriesPoint> =>
  new Map(points.map((point) => [point.start, point]))

export const outcomeSeries = (
  outcomes: ReadonlyArray<Outcome>,
  points: ReadonlyArray<SeriesPoint>,
  starts: ReadonlyArray<number>
): ReadonlyArray<Series> => {
  const pointAt = byStart(points)
  return outcomes.map(({ name, statuses }) => ({
    name,
    values: starts.map((start) =>
      statuses.reduce((sum, status) => sum + (pointAt.get(start)?.outcomes[status] ?? 0), 0)
    )
  }))
}

/** A step without anything decided is a gap. */
export const rateSeries = (points: ReadonlyArray<SeriesPoint>, starts: ReadonlyArray<number>): Series => {
  const pointAt = byStart(points)
  return { name: "Success rate", values: starts.map((start) => numberOf(pointAt.get(start)?.successRate ?? null)) }
}

/** ms; a step in which no attempt ended is a gap. */
export const durationSeries = (
  points: ReadonlyArray<SeriesPoint>,
  starts: ReadonlyArray<number>
): ReadonlyArray<Series> => {
  const pointAt = byStart(points)
  return (["p50", "p95"] as const).map((name) => ({
    name,
    values: starts.map((start) => numberOf(pointAt.get(start)?.duration?.[name] ?? null))
  }))
}

/** What was captured of a currency, in minor units. */
export const volumeSeries = (
  points: ReadonlyArray<SeriesPoint>,
  currency: string,
  starts: ReadonlyArray<number>
): Series => {
  const pointAt = byStart(points.filter(({ group }) => group === currency))
  const captured = (start: number) =>
    Number(pointAt.get(start)?.amounts.find((each) => each.currency === currency)?.succeeded ?? 0)
  return { name: currency, values: starts.map(captured) }
}
