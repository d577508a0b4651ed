/** Sends traces and metrics to a collector by OTLP over HTTP. What cannot be sent is dropped: payments wait for nothing. */
import { Clock, ConfigProvider, Effect, Layer, Redacted, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { OtlpExporter, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { version } from "../version.ts"
import { redactedTracer } from "./RedactedTracer.ts"
import { sampledTracer } from "./SampledTracer.ts"
import type { TelemetrySettings } from "./telemetryOption.ts"

/** The tracer of everything above it, and the metrics of the registry that is below. */
export const layer = (settings: TelemetrySettings) => {
  const { attributes, headers, metricsUrl, protocol, sampleRatio, serviceName, tracesUrl } = settings
  const common = {
    resource: { serviceName, serviceVersion: version, attributes },
    headers: Redacted.value(headers),
    // A collector that is away must not hold the end of the process.
    shutdownTimeout: "2 seconds"
  } as const
  const traces =
    tracesUrl === null
      ? Layer.empty
      : Layer.effect(
          Tracer.Tracer,
          Effect.map(OtlpTracer.make({ ...common, url: tracesUrl }), (tracer) =>
            sampledTracer(redactedTracer(tracer), sampleRatio)
          )
        )
  const metrics = metricsUrl === null ? Layer.empty : OtlpMetrics.layer({ ...common, url: metricsUrl })
  return Layer.merge(traces, metrics).pipe(
    Layer.provide([
      OtlpExporter.layerFlusher,
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      reportingClient.pipe(Layer.provide(FetchHttpClient.layer)),
      // The exporters would read the environment by themselves: only who asked for it gets it.
      ConfigProvider.layer(ConfigProvider.fromUnknown({}))
    ])
  )
}

/** An unreachable collector is logged once a minute, without its address: an address may contain a key. */
const reportingClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) => {
    const state = { quietUntil: 0 }
    return HttpClient.tapError(HttpClient.filterStatusOk(client), (error) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now < state.quietUntil) return Effect.void
        state.quietUntil = now + 60_000
        return Effect.logWarning(`Telemetry cannot be sent (${error.reason._tag}): it is dropped until it can`)
      })
    )
  })
)
