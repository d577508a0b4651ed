/** Log lines to standard error: standard output is the host's. */
import { isTraced, redact, redactText } from "@paymux/core/telemetry"
import { CurrentRequestId } from "@paymux/http"
import { Cause, Context, Logger, Option, Predicate, References, Tracer } from "effect"
import type { Fiber } from "effect"
import { logLine } from "./LogLine.ts"
import type { LogEntry } from "./LogLine.ts"
import type { LogFormat } from "./logsOption.ts"

/** `null`: nothing is written. */
export const layer = (format: LogFormat | null) =>
  Logger.layer(
    format === null ? [] : [Logger.withConsoleError(Logger.make((logged) => logLine(format, entryOf(logged))))]
  )

/**
 * With the request, the trace and the payment that it is about, where they are known.
 *
 * @internal Exported for tests that collect log entries.
 */
export const entryOf = ({ cause, date, fiber, logLevel, message }: Logger.Options<unknown>): LogEntry => {
  const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
  const errors = parts.filter((part) => part instanceof Error)
  const causes = Cause.fromReasons([...cause.reasons, ...errors.map((error) => Cause.makeFailReason(error))])
  const { payment_id, request_id, ...annotations } = fiber.getRef(References.CurrentLogAnnotations)
  const text = shortened(
    parts
      .filter((part) => !(part instanceof Error))
      .map(textOf)
      .join(" ")
  )
  const known = {
    request_id: request_id ?? Context.getOrUndefined(fiber.context, CurrentRequestId),
    ...spanOf(fiber),
    payment_id: payment_id ?? /\bpay_[0-9a-z]{26}(?:_[a-z][0-9a-z]{0,7})?\b/.exec(text)?.[0]
  }
  return {
    time: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: text,
    fields: redactedFields({ ...known, ...annotations }),
    error: causes.reasons.length === 0 ? null : shortened(redactText(Cause.pretty(causes)))
  }
}

const textOf = (part: unknown): string => {
  if (typeof part === "string") return redactText(part)
  const plain = redact(part)
  return typeof plain === "string" ? plain : (JSON.stringify(plain) ?? String(plain))
}

/** The name of an annotation also shows what its value is. */
const redactedFields = (annotations: object): { readonly [name: string]: unknown } => {
  const plain = redact(annotations)
  return Predicate.isObject(plain) ? present({ ...plain }) : {}
}

const present = (fields: { readonly [name: string]: unknown }) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

const spanOf = (fiber: Fiber.Fiber<unknown, unknown>) => {
  const span = isTraced(fiber) ? Context.getOption(fiber.context, Tracer.ParentSpan) : Option.none()
  return Option.isSome(span) ? { trace_id: span.value.traceId.padStart(32, "0"), span_id: span.value.spanId } : {}
}

/** Longer lines are not read, and log collectors truncate them. */
const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`

const LONGEST = 16_384
