/**
 * Everything that is counted, in the text format of Prometheus. What has to be read first is read at most once in five
 * seconds, however often it is scraped.
 */
import { engineMetricDescriptions } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { httpMetricDescriptions } from "@paymux/http"
import { Context, Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import * as BacklogMetrics from "./BacklogMetrics.ts"
import { deliveryMetricDescriptions } from "./DeliveryTelemetry.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"

/** All that there is, for its documentation. */
export const metricDescriptions: ReadonlyArray<MetricDescription> = [
  ...engineMetricDescriptions,
  ...httpMetricDescriptions,
  ...deliveryMetricDescriptions,
  ...BacklogMetrics.backlogMetricDescriptions,
  ...ProcessMetrics.processMetricDescriptions
]

export class MetricsText extends Context.Service<
  MetricsText,
  {
    readonly text: Effect.Effect<string>
    /** Reads anew what has to be read, for who takes the metrics out of their registry. */
    readonly refresh: Effect.Effect<void>
  }
>()("paymux/telemetry/MetricsText") {
  static readonly layer = Layer.effect(
    MetricsText,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const registry = Context.make(Metric.MetricRegistry, yield* Metric.MetricRegistry)
  const writeProcess = yield* ProcessMetrics.make
  const writeBacklog = yield* BacklogMetrics.make
  const refresh = yield* Effect.cachedWithTTL(
    Effect.andThen(writeProcess(registry), writeBacklog(registry)),
    "5 seconds"
  )
  const text = Effect.andThen(
    refresh,
    Effect.sync(() => asCounters(PrometheusMetrics.formatUnsafe(registry)))
  )
  return MetricsText.of({ text, refresh })
})

/** An observable counter is read as a gauge, and shown as a counter. */
const asCounters = (text: string): string => text.replace(/^# TYPE (\w+_total) gauge$/gm, "# TYPE $1 counter")
