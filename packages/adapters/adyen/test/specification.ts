/** Adyen's own specifications, Checkout API v72 and Webhooks v1: see `specification`. */
import { closed, pick, specification } from "@paymux/test-suites"
import type { SeenRequest } from "@paymux/testkit"
import { Ajv } from "ajv"

const of = (file: string) => specification({ vendor: "Adyen", file: `adyen/${file}`, prepare: closed, ajv })

const ajv = () => {
  const made = new Ajv({ strict: false, discriminator: true })
  for (const format of ["byte", "double", "int32", "int64"]) made.addFormat(format, true)
  made.addFormat("date", /^\d{4}-\d\d-\d\d$/)
  return made.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
}

const checkout = of("adyen-checkout-v72.trimmed.json")
const webhooks = of("adyen-webhooks-v1.trimmed.json")

export const isThere = checkout.isThere && webhooks.isThere
export const { skipped } = checkout

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = ({ answer, body, headers, method, path, status }: SeenRequest): ReadonlyArray<string> => {
  const at = `${method} ${path} ${status}`
  const operation = checkout.operationAt(method, path)
  if (operation === null) return [`${at}: there is no such endpoint`]
  const request = pick(operation, "requestBody", "content", "application/json", "schema")
  const response = pick(operation, "responses", String(status), "content", "application/json", "schema")
  const key = headers["idempotency-key"]
  return [
    ...(headers["x-api-key"] === undefined ? [`${at}: no x-api-key`] : []),
    ...((key !== undefined) === (method === "POST") ? [] : [`${at}: a key is for POST, and for POST only`]),
    ...(key === undefined || /^[\w-]{1,64}$/.test(key) ? [] : [`${at}: the key is too long`]),
    ...(method === "GET"
      ? body === ""
        ? []
        : [`${at}: a GET with a body`]
      : checkout.check(request, JSON.parse(body), at)),
    ...checkout.check(response, JSON.parse(answer), `${at} answer`)
  ]
}

/** What is wrong with a webhook; `null`: its event code is not specified. */
export const webhookFaults = (body: string, eventCode: string): ReadonlyArray<string> | null => {
  const event = webhooks.at("webhooks", `/${eventCode}`)
  const schema = pick(event, "post", "requestBody", "content", "application/json", "schema")
  return event === null ? null : webhooks.check(schema, JSON.parse(body), `webhook ${eventCode}`)
}
