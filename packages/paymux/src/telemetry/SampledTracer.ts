/** A tracer that keeps a share of the traces that begin here. One that was begun elsewhere is kept or not as it says. */
import { Option, Tracer } from "effect"

/** `ratio`: from 0, none, to 1, all. The trace's id decides, so that all who see it decide alike. */
export const sampledTracer = (tracer: Tracer.Tracer, ratio: number): Tracer.Tracer =>
  ratio >= 1
    ? tracer
    : Tracer.make({
        span: (options) => {
          const span = tracer.span(options)
          return Option.isSome(options.parent) || isKept(span.traceId, ratio)
            ? span
            : Tracer.nativeTracer.span({ ...options, sampled: false })
        }
      })

/** By its last 52 bits, which are random in every implementation (W3C Trace Context, level 2). */
const isKept = (traceId: string, ratio: number): boolean => parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13
