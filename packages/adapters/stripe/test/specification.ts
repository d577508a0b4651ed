/**
 * Stripe's own specification of its API, of 2023-08-16: see `specification`. What the pinned version has since is listed, and
 * put to the SDK's types by `sdk.test.ts`.
 */
import { isObject, type Json, mapped, pick, specification } from "@paymux/test-suites"
import type { SeenRequest } from "@paymux/testkit"
import { Ajv } from "ajv"
import qs from "qs"

/** OpenAPI 3.0 writes `nullable` for what JSON Schema calls a type. */
const nulled = (part: unknown): unknown => {
  const inner = mapped(part, (_key, value) => nulled(value))
  if (!isObject(inner)) return inner
  const { nullable, ...rest } = inner
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest
}

const of = (reads: "text" | "exact") =>
  specification({
    vendor: "Stripe",
    file: "stripe/stripe-openapi-2023-08-16.trimmed.json",
    ajv: () => new Ajv({ strict: false, allErrors: true, coerceTypes: reads === "text", validateFormats: false }),
    prepare: nulled
  })

const exact = of("exact")
/** Numbers and booleans are read in what a form or a query has as text. */
const text = of("text")

export const { isThere, skipped } = exact

const string = { type: "string" }

/** What is sent and is younger than the specification at hand. */
export const laterFields: ReadonlyArray<{ readonly at: string; readonly field: string; readonly schema: Json }> = [
  {
    at: "POST /v1/payment_intents",
    field: "allowed_payment_method_types",
    schema: { type: "array", items: { enum: ["card"] } }
  },
  { at: "POST /v1/payment_intents", field: "confirmation_token", schema: string }
]

/** What is asked for and is not in the specification at hand at all. */
export const laterEndpoints = ["POST /v1/checkout/sessions", "GET /v1/checkout/sessions"]

export const isLater = ({ method, path }: SeenRequest): boolean =>
  laterEndpoints.some((endpoint) => `${method} ${path}`.startsWith(endpoint))

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = (exchange: SeenRequest): ReadonlyArray<string> => {
  const { answer, body, headers, method, status } = exchange
  const [path = "", query = ""] = exchange.path.split("?")
  const at = `${method} ${path} ${status}`
  const operation = exact.operationAt(method, path)
  if (operation === null) return [`${at}: there is no such endpoint`]
  const response = pick(operation, "responses", String(status)) ?? pick(operation, "responses", "default")
  return [
    ...(headers["stripe-version"] === "2026-10-28.endive" ? [] : [`${at}: no Stripe-Version`]),
    ...(method === "POST" && hasNoKey(headers) && body !== closing ? [`${at}: no key`] : []),
    ...(method === "GET"
      ? [
          ...(body === "" ? [] : [`${at}: a GET with a body`]),
          ...text.check(text.queryOf(operation), qs.parse(query), at)
        ]
      : text.check(formOf(operation, `${method} ${path}`), qs.parse(body, { depth: 10 }), `${at} request`)),
    ...exact.check(pick(response, "content", "application/json", "schema"), JSON.parse(answer), `${at} answer`)
  ]
}

const hasNoKey = (headers: SeenRequest["headers"]) => !/^[0-9a-f-]{36}$/.test(headers["idempotency-key"] ?? "")

/** What belongs to no operation, and twice is once. */
const closing = "cancellation_reason=abandoned"

/** Of what Stripe posts: the envelope, and the object in it by its name. */
export const webhookFaults = (body: string): ReadonlyArray<string> => {
  const event = JSON.parse(body)
  const name = event.data.object.object
  return [
    ...exact.check({ $ref: "#/components/schemas/event" }, event, "event"),
    ...(name === "checkout.session"
      ? []
      : exact.check({ $ref: `#/components/schemas/${name}` }, event.data.object, String(event.type)))
  ]
}

/** A form is text: AJV reads numbers and booleans in it, and nothing that the specification does not name. */
const formOf = (operation: Json, at: string): unknown => {
  const schema = pick(operation, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
  const properties = pick(schema, "properties")
  const added = laterFields.filter((later) => later.at === at).map(({ field, schema }) => [field, schema])
  return isObject(schema) && isObject(properties)
    ? { ...schema, additionalProperties: false, properties: { ...properties, ...Object.fromEntries(added) } }
    : null
}
