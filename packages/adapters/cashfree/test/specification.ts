/** Cashfree's own specification of its API (2025-01-01): see `specification`. */
import { closed, isObject, type Json, mapped, pick, specification } from "@paymux/test-suites"
import type { SeenRequest } from "@paymux/testkit"
import { Ajv } from "ajv"

/** Where the specification says less or other than its own examples and documentation. */
export const exceptions = [
  {
    at: "PaymentMethodUPIInPaymentsEntity",
    why: "it requires `channel` beside `upi`, and its own example has it within",
    howToFix: ({ required: _required, ...schema }: Json): Json => schema
  }
] as const

const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)

const ajv = () => {
  const made = new Ajv({ strict: false, allErrors: true })
  for (const format of ["double", "float64", "int32", "int64", "BANKR", "YYYY-MM-DD", "boolean"]) {
    made.addFormat(format, true)
  }
  made.addFormat("ISO8601", isTime)
  made.addFormat("date-time", isTime)
  return made.addFormat("UUID", isUuid)
}

const corrected = (name: string, schema: unknown): unknown => {
  const exception = exceptions.find(({ at }) => at === name)
  return closed(exception !== undefined && isObject(schema) ? exception.howToFix(schema) : schema)
}

const {
  at: partOf,
  check,
  isThere,
  operationAt,
  resolved,
  skipped
} = specification({
  vendor: "Cashfree",
  file: "cashfree/cashfree-pg-2025-01-01.trimmed.json",
  ajv,
  prepare: (document) => {
    const components = pick(document, "components")
    const schemas = mapped(pick(components, "schemas"), corrected)
    return { ...document, ...(isObject(components) && { components: { ...components, schemas } }) }
  }
})
export { isThere, skipped }

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = (exchange: SeenRequest): ReadonlyArray<string> => {
  const { answer, body, headers, method, path, status } = exchange
  const operation = operationAt(method, path)
  const at = `${method} ${path} ${status}`
  if (operation === null) return [`${at}: there is no such endpoint`]
  const request = schemaOf(operation["requestBody"])
  const response = pick(operation, "responses", String(status))
  const needsCredentials = Array.isArray(operation["security"]) && operation["security"].length > 0
  const has = (name: string) => headers[name] !== undefined
  return [
    ...(headers["x-api-version"] === "2025-01-01" ? [] : [`${at}: no x-api-version`]),
    ...(has("x-client-id") === needsCredentials && has("x-client-secret") === needsCredentials
      ? []
      : [`${at}: credentials ${needsCredentials ? "are" : "are not"} to be sent`]),
    ...(headers["x-idempotency-key"] === undefined || isUuid(headers["x-idempotency-key"])
      ? []
      : [`${at}: the idempotency key is no UUID`]),
    ...(method === "GET"
      ? body === ""
        ? []
        : [`${at}: a GET with a body`]
      : check(request, JSON.parse(body), `${at} request`)),
    ...(response === null
      ? [`${at}: there is no such answer`]
      : check(schemaOf(response), JSON.parse(answer), `${at} answer`))
  ]
}

/** What is wrong with a payment's webhook. */
export const webhookFaults = (body: string): ReadonlyArray<string> =>
  check(schemaOf(partOf(...callback, "post", "requestBody")), JSON.parse(body), "webhook")

const callback = ["components", "callbacks", "PaymentWebhook", "object Object"]

const schemaOf = (content: unknown): unknown => pick(resolved(content), "content", "application/json", "schema")
