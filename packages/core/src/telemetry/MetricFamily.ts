/**
 * Metrics with labels. Each combination of values is a series, which is created at its first value and kept until the process
 * ends. So values must be of closed sets (a status, a configured provider), never ids and never a client's text.
 *
 * Names follow the conventions of Prometheus: base units, and `_total` for counters. Series are in the `Metric.MetricRegistry`
 * of the given context, which is global unless another one is provided.
 */
import { Metric } from "effect"
import type { Context } from "effect"

export interface MetricDescription {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  /** The description in one sentence; `HELP` of the exposition. */
  readonly help: string
  readonly labels: ReadonlyArray<string>
}

/** One value for each label, in the same order. */
export type LabelValues<Labels extends ReadonlyArray<string>> = { readonly [label in keyof Labels]: string }

export interface MetricFamily<Labels extends ReadonlyArray<string>, Series> extends MetricDescription {
  readonly labels: Labels
  readonly of: (...values: LabelValues<Labels>) => Series
}

export type CounterFamily<Labels extends ReadonlyArray<string>> = MetricFamily<Labels, Metric.Counter<number>>
export type GaugeFamily<Labels extends ReadonlyArray<string>> = MetricFamily<Labels, Metric.Gauge<number>>
export type HistogramFamily<Labels extends ReadonlyArray<string>> = MetricFamily<Labels, Metric.Histogram<number>>

export const counter = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels
): CounterFamily<Labels> =>
  family({ name, type: "counter", help, labels }, (attributes) =>
    Metric.counter(name, { description: help, incremental: true, attributes })
  )

export const gauge = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels
): GaugeFamily<Labels> =>
  family({ name, type: "gauge", help, labels }, (attributes) => Metric.gauge(name, { description: help, attributes }))

/** A histogram of durations in seconds. */
export const histogram = <const Labels extends ReadonlyArray<string>>(
  name: string,
  help: string,
  labels: Labels
): HistogramFamily<Labels> =>
  family({ name, type: "histogram", help, labels }, (attributes) =>
    Metric.histogram(name, { description: help, boundaries: secondsBoundaries, attributes })
  )

/** The boundaries of OpenTelemetry's HTTP durations, extended to the longest time limit of a provider's call. */
export const secondsBoundaries: ReadonlyArray<number> = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30
]

export const count = (series: Metric.Counter<number>, context: Context.Context<never>): void =>
  series.updateUnsafe(1, context)

const family = <const Labels extends ReadonlyArray<string>, Series>(
  description: MetricDescription & { readonly labels: Labels },
  make: (attributes: { readonly [label: string]: string }) => Series
): MetricFamily<Labels, Series> => {
  const made: Node<Series> = { series: null, next: new Map() }
  return {
    ...description,
    of: (...values) => {
      let node = made
      for (const value of values) node = childOf(node, value)
      node.series ??= make(Object.fromEntries(description.labels.map((label, i) => [label, values[i] ?? ""])))
      return node.series
    }
  }
}

/** A tree of series by the values of their labels, one level per label, which is faster than a joined key. */
interface Node<Series> {
  series: Series | null
  readonly next: Map<string, Node<Series>>
}

const childOf = <Series>({ next }: Node<Series>, value: string): Node<Series> => {
  const known = next.get(value)
  if (known !== undefined) return known
  const made: Node<Series> = { series: null, next: new Map() }
  next.set(value, made)
  return made
}
