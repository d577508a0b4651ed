/**
 * `@paymux/core/telemetry`: metrics, spans, and the redaction of every text that leaves the process.
 *
 * @module
 */
export { engineMetricDescriptions } from "./EngineMetrics.ts"
export * as MetricFamily from "./MetricFamily.ts"
export type { MetricDescription } from "./MetricFamily.ts"
export { annotated, isTraced, spanned } from "./spans.ts"
export type { SpanAttributes } from "./spans.ts"
export { redact, redactText } from "./redact.ts"
