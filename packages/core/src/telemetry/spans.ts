/**
 * Spans of what the engine does. Without a tracer none is created, and there is no cost.
 *
 * Attributes are ids of our own and words of closed sets: nothing of a payer, and nothing that a client wrote.
 */
import { Effect, Fiber, Tracer } from "effect"

export interface SpanAttributes {
  readonly [name: string]: string | number | boolean
}

/** Whether spans are exported. The native tracer discards them; without a tracer the fiber has none in its cache. */
export const isTraced = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracer !== Tracer.nativeTracer

/** `attributes` are made where there is a span to have them. */
export const spanned =
  (name: string, attributes: () => SpanAttributes, kind: Tracer.SpanKind = "internal") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber<A, E, R>((fiber) =>
      isTraced(fiber)
        ? // Boundary: an effect that asks for a parent span finds one; the type would take it out of any R.
          (Effect.withSpan(effect, name, {
            kind,
            attributes: attributes(),
            captureStackTrace: false
          }) as Effect.Effect<A, E, R>)
        : effect
    )

/** The same for steps of `Effect.gen`, which delegates to them with `yield*`. */
export const spannedSteps = function* <A, E, R>(
  name: string,
  attributes: () => SpanAttributes,
  steps: () => Effect.fn.Return<A, E, R>,
  kind?: Tracer.SpanKind
): Effect.fn.Return<A, E, R> {
  return isTracedHere() ? yield* spanned(name, attributes, kind)(Effect.gen(steps)) : yield* steps()
}

/** Whether spans of the running fiber are exported: asked without a step of Effect's runtime. */
const isTracedHere = (): boolean => {
  const fiber = Fiber.getCurrent()
  return fiber !== undefined && isTraced(fiber)
}

/**
 * Runs an adapter's call without a trace context: a provider never receives a trace id. Call it in the fiber that runs the
 * result: whether that fiber is traced is read immediately.
 */
export const untraced = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isTracedHere() ? Effect.provideService(effect, Tracer.DisablePropagation, true) : effect

/** What is known only later, of the span that is open. */
export const annotated = (attributes: () => SpanAttributes): Effect.Effect<void> =>
  Effect.withFiber((fiber) => (isTraced(fiber) ? Effect.annotateCurrentSpan(attributes()) : Effect.void))

/** The same for steps of `Effect.gen`. */
export const annotatedSteps = function* (attributes: () => SpanAttributes): Effect.fn.Return<void> {
  if (isTracedHere()) yield* Effect.annotateCurrentSpan(attributes())
}
