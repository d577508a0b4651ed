/**
 * A tracer that hands on nothing that must not be written: every text of a span goes through `redactText`, errors with
 * their stacks as well. Statements of the database are no spans: a poll of each second would be most of what is sent.
 */
import { redactText } from "@paymux/core/telemetry"
import { Cause, Exit, Tracer } from "effect"
import type { Context, Option } from "effect"

export const redactedTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) =>
      ofDatabase.test(options.name)
        ? Tracer.nativeTracer.span({ ...options, sampled: false })
        : new RedactedSpan(tracer.span({ ...options, name: redactText(options.name) }))
  })

/** As `effect/sql` names them. */
const ofDatabase = /^(?:sql\.\w+|sqlite|postgresql|Migrator .*)$/

class RedactedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly #span: Tracer.Span

  constructor(span: Tracer.Span) {
    this.#span = span
  }

  get name(): string {
    return this.#span.name
  }
  get spanId(): string {
    return this.#span.spanId
  }
  get traceId(): string {
    return this.#span.traceId
  }
  get parent(): Option.Option<Tracer.AnySpan> {
    return this.#span.parent
  }
  get annotations(): Context.Context<never> {
    return this.#span.annotations
  }
  get status(): Tracer.SpanStatus {
    return this.#span.status
  }
  get attributes(): ReadonlyMap<string, unknown> {
    return this.#span.attributes
  }
  get links(): ReadonlyArray<Tracer.SpanLink> {
    return this.#span.links
  }
  get sampled(): boolean {
    return this.#span.sampled
  }
  get kind(): Tracer.SpanKind {
    return this.#span.kind
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.#span.end(endTime, withoutSecrets(exit))
  }
  attribute(key: string, value: unknown): void {
    this.#span.attribute(key, clean(value))
  }
  event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    this.#span.event(redactText(name), startTime, attributes === undefined ? undefined : cleanAll(attributes))
  }
  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#span.addLinks(links.map(({ attributes, span }) => ({ span, attributes: cleanAll(attributes) })))
  }
}

/** What is no plain value is not looked into: it says its type. */
const clean = (value: unknown): unknown => {
  switch (typeof value) {
    case "string":
      return redactText(value)
    case "number":
    case "boolean":
    case "bigint":
      return value
    default:
      return `[${typeof value}]`
  }
}

const cleanAll = (attributes: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, clean(value)]))

const withoutSecrets = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [first] = Cause.prettyErrors(exit.cause)
  return Exit.fail(redactedError(first ?? new Error("failed")))
}

const redactedError = ({ message, name, stack }: Error): Error => {
  const error = new Error(redactText(message))
  error.name = name
  error.stack = redactText(stack ?? "")
  return error
}
