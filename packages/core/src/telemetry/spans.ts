/**
 * The spans of the engine. Without a tracer none is created, at no cost.
 *
 * Attributes are our own ids and values of closed sets: never a payer's data or a client's text.
 */
import { Effect, Fiber, Tracer } from "effect"

export interface SpanAttributes {
  readonly [name: string]: string | number | boolean
}

/**
 * Whether a fiber's spans are exported. They are not if its cache has no tracer, or the native tracer, which discards
 * spans.
 */
export const isTraced = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracer !== Tracer.nativeTracer

/** Runs an effect in a span. `attributes` is called only if spans are exported. */
export const spanned =
  (name: string, attributes: () => SpanAttributes, kind: Tracer.SpanKind = "internal") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber<A, E, R>((fiber) =>
      isTraced(fiber)
        ? // Boundary: the type of `withSpan` excludes the parent span from any R.
          (Effect.withSpan(effect, name, {
            kind,
            attributes: attributes(),
            captureStackTrace: false
          }) as Effect.Effect<A, E, R>)
        : effect
    )

/**
 * Runs an adapter's call without a trace context, so that a provider never receives a trace id. Call it in the fiber
 * that runs the result, since it immediately reads whether the current fiber is traced.
 */
export const untraced = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const fiber = Fiber.getCurrent()
  return fiber !== undefined && isTraced(fiber)
    ? Effect.provideService(effect, Tracer.DisablePropagation, true)
    : effect
}

/** Adds attributes to the open span that are known only after it began. */
export const annotated = (attributes: () => SpanAttributes): Effect.Effect<void> =>
  Effect.withFiber((fiber) => (isTraced(fiber) ? Effect.annotateCurrentSpan(attributes()) : Effect.void))
