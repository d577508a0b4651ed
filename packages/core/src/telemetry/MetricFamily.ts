/**
 * Metrics with labels. Each combination of values is a series, which is created at its first value and kept until the
 * process ends. So values must be of closed sets (a status, a configured provider), never ids and never a client's
 * text.
 *
 * Names follow the conventions of Prometheus: base units, and `_total` for counters. Series are in the
 * `Metric.MetricRegistry` of the given context, which is global unless another one is provided.
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

/** The boundaries of OpenTelemetry's HTTP durations, extended to the longest time limit of a provider's call. */
export const secondsBoundaries: ReadonlyArray<number> = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30
]

export const count = (series: Metric.Counter<number>, context: Context.Context<never>): void =>
  series.updateUnsafe(1, context)

/** The constructor of metric families of one type. */
const familyOf =
  <Series>(
    type: MetricDescription["type"],
    make: (name: string, options: { readonly description: string; readonly attributes: Attributes }) => Series
  ) =>
  <const Labels extends ReadonlyArray<string>>(
    name: string,
    help: string,
    labels: Labels
  ): MetricFamily<Labels, Series> => {
    const root: Node<Series> = { series: null, next: new Map() }
    return {
      name,
      type,
      help,
      labels,
      of: (...values) => {
        let node = root
        for (const value of values) node = childOf(node, value)
        node.series ??= make(name, {
          description: help,
          attributes: Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ""]))
        })
        return node.series
      }
    }
  }

interface Attributes {
  readonly [label: string]: string
}

export const counter = familyOf("counter", (name, options) => Metric.counter(name, { ...options, incremental: true }))

export const gauge = familyOf("gauge", (name, options) => Metric.gauge(name, options))

/** A histogram of durations in seconds. */
export const histogram = familyOf("histogram", (name, options) =>
  Metric.histogram(name, { ...options, boundaries: secondsBoundaries })
)

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
