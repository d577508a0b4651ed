/** Everything that a run lets out: Effect's log lines and spans, the console, the process's streams. */
import { Cause, Effect, Exit, Logger, References, Semaphore, Tracer } from "effect"
import type { Scope } from "effect"
import { format, inspect } from "node:util"

export interface CapturedOutput {
  /** For people: `console.error`. */
  readonly where: string
  readonly text: string
}

/**
 * Gives what `run` lets out to `capture`, while it lets it out; what `capture` finds fault with (`true`) is not passed on to the
 * console. Log lines and spans are kept from the test's own loggers and tracer.
 */
export const capturingOutput = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  capture: (captured: CapturedOutput) => boolean
): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
  Effect.scoped(Effect.andThen(streams(capture), run)).pipe(
    Effect.provideService(Tracer.Tracer, tracerTo(capture)),
    Effect.provideService(Tracer.MinimumTraceLevel, "All"),
    Effect.provideService(References.TracerEnabled, true),
    Effect.provideService(Logger.CurrentLoggers, new Set([loggerTo(capture)])),
    Effect.provideService(References.MinimumLogLevel, "All"),
    // The console is one for the whole process.
    oneAtATime.withPermits(1)
  )

const oneAtATime = Semaphore.makeUnsafe(1)

/** All there is to see, whether it is meant to be seen or not. */
export const seenIn = (value: unknown): string =>
  inspect(value, {
    depth: Infinity,
    showHidden: true,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Infinity
  })

const loggerTo = (capture: (captured: CapturedOutput) => boolean) =>
  Logger.make(({ cause, fiber, logLevel, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    const spans = fiber.getRef(References.CurrentLogSpans)
    capture({
      where: `a log line (${logLevel})`,
      text: [seenIn(message), Cause.pretty(cause), seenIn(cause), seenIn(annotations), seenIn(spans)].join("\n")
    })
  })

const tracerTo = (capture: (captured: CapturedOutput) => boolean): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const captureOf = (what: string, value: unknown) =>
        capture({
          where: `the span "${options.name}", ${what}`,
          text: typeof value === "string" ? value : seenIn(value)
        })
      captureOf("its name", options.name)
      return new CapturedSpan(options, captureOf)
    }
  })

/** Captures everything at once: a span that never ends may be exported, too. */
class CapturedSpan extends Tracer.NativeSpan {
  readonly #capture: (what: string, value: unknown) => void

  constructor(
    options: ConstructorParameters<typeof Tracer.NativeSpan>[0],
    capture: (what: string, value: unknown) => void
  ) {
    super(options)
    this.#capture = capture
    capture("its links", options.links)
  }

  override attribute(key: string, value: unknown): void {
    this.#capture("an attribute", `${key}: ${seenIn(value)}`)
    super.attribute(key, value)
  }

  override event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    this.#capture("an event", `${name}: ${seenIn(attributes)}`)
    super.event(name, startTime, attributes)
  }

  override addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#capture("its links", links)
    super.addLinks(links)
  }

  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    // What it succeeded with is not a part of a span; what it failed with is recorded as an exception.
    if (Exit.isFailure(exit)) this.#capture("its exception", `${Cause.pretty(exit.cause)}\n${seenIn(exit.cause)}`)
    super.end(endTime, exit)
  }
}

const streams = (capture: (captured: CapturedOutput) => boolean): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => [...consoleTo(capture), streamTo("stdout", capture), streamTo("stderr", capture)]),
      (restores) => Effect.sync(() => restores.forEach((restore) => restore()))
    )
  )

// Boundary: the global itself is replaced, function by function, and put back.
const consoleTo = (capture: (captured: CapturedOutput) => boolean): ReadonlyArray<() => void> => {
  const methods = globalThis.console as unknown as Record<string, unknown>
  return Object.keys(methods).flatMap((name) => {
    const original = methods[name]
    if (typeof original !== "function") return []
    methods[name] = (...args: ReadonlyArray<unknown>): unknown => {
      const text = [format(...args), ...args.map(seenIn)].join("\n")
      return capture({ where: `console.${name}`, text }) ? undefined : Reflect.apply(original, methods, args)
    }
    return [() => void (methods[name] = original)]
  })
}

const streamTo = (name: "stdout" | "stderr", capture: (captured: CapturedOutput) => boolean): (() => void) => {
  const stream = process[name]
  const write: typeof stream.write = Reflect.get(stream, "write")
  const replaced = (chunk: Uint8Array | string, ...rest: ReadonlyArray<unknown>): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")
    if (!capture({ where: `process.${name}`, text })) return Reflect.apply(write, stream, [chunk, ...rest])
    const done = rest.at(-1)
    if (typeof done === "function") done()
    return true
  }
  stream.write = replaced
  return () => void Reflect.set(stream, "write", write)
}
