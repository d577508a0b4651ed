/** A payments service written by hand: `node:http`, checks of each field, the bare script with shared commits. Its database is argument 1. */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto"
import type { ServerResponse } from "node:http"
import { openBareScript } from "../BareScript.ts"
import type { SampleRequest } from "../Sample.ts"
import { readBody } from "./ReadBody.ts"
import { serve } from "./Serve.ts"

const script = openBareScript(process.argv[2] ?? "bare.db")
const apiKey = randomUUID()
const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
const expected = digest(`Bearer ${apiKey}`)

serve(
  (request, response) => {
    const { authorization = "" } = request.headers
    if (!timingSafeEqual(digest(authorization), expected)) return answer(response, 401, '{"error":"unauthorized"}')
    if (request.method !== "POST" || request.url !== "/v1/payments")
      return answer(response, 404, '{"error":"not found"}')
    const key = request.headers["idempotency-key"]
    readBody(
      request,
      (body) =>
        void pay(response, body, typeof key === "string" ? key : null).catch(() =>
          answer(response, 500, '{"error":"internal"}')
        )
    )
  },
  apiKey,
  () => script.close()
)

const pay = async (response: ServerResponse, body: string, key: string | null): Promise<void> => {
  const payment = parsed(body)
  if (payment === null) return answer(response, 400, '{"error":"invalid"}')
  if (key === null) return answer(response, 201, await script.pay(payment))
  const fingerprint = createHash("sha256").update(body).digest("hex")
  const answered = await script.payOnce(payment, { key, fingerprint })
  if (answered === null) return answer(response, 409, '{"error":"key_reused"}')
  answer(response, 201, answered)
}

const parsed = (body: string): SampleRequest | null => {
  try {
    const payment: unknown = JSON.parse(body)
    return isPayment(payment) ? payment : null
  } catch {
    return null
  }
}

type Input = { readonly [field: string]: unknown }

const isObject = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const hasOnly = (value: Input, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => names.has(name))
const isText = (value: unknown, most: number): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.length <= most)

const names = new Set(
  "amount currency payment_method payment_method_details description customer metadata return_url".split(" ")
)
const cardNames = new Set(["token", "network", "country", "funding", "bin"])
const customerNames = new Set(["email", "phone", "name", "address"])
const email = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/
const phone = /^\+[1-9]\d{6,14}$/
const vpa = /^[\w.-]{1,200}@[A-Za-z][A-Za-z0-9]{1,54}$/
const network = /^[a-z][a-z_]{1,31}$/
const country = /^[A-Z]{2}$/
const funding = /^(?:credit|debit|prepaid|unknown)$/
const bin = /^\d{6,8}$/
const metadataKey = /^[^\p{Cc}\p{Cf}]{1,40}$/u

const isPayment = (payment: unknown): payment is SampleRequest =>
  isObject(payment) &&
  hasOnly(payment, names) &&
  Number.isSafeInteger(payment["amount"]) &&
  Number(payment["amount"]) > 0 &&
  payment["currency"] === "INR" &&
  isMethod(payment["payment_method"], payment["payment_method_details"] ?? {}) &&
  isText(payment["description"], 1000) &&
  isCustomer(payment["customer"]) &&
  isMetadata(payment["metadata"] ?? {}) &&
  isAddress(payment["return_url"] ?? null)

const isMethod = (method: unknown, details: unknown): boolean => {
  if (!isObject(details) || !Object.keys(details).every((name) => name === method)) return false
  const own = details[String(method)] ?? {}
  return method === "upi" ? isUpi(own) : method === "card" && isCard(own)
}

const isUpi = (upi: unknown): boolean =>
  isObject(upi) && Object.keys(upi).every((name) => name === "vpa") && isOptional(upi["vpa"], vpa)

const isCard = (card: unknown): boolean =>
  isObject(card) &&
  hasOnly(card, cardNames) &&
  isText(card["token"], 255) &&
  isOptional(card["network"], network) &&
  isOptional(card["country"], country) &&
  isOptional(card["funding"], funding) &&
  isOptional(card["bin"], bin)

const isOptional = (value: unknown, form: RegExp): boolean =>
  value === null || value === undefined || (typeof value === "string" && form.test(value))

const isAddress = (url: unknown): boolean =>
  url === null || (typeof url === "string" && URL.parse(url)?.protocol === "https:")

const isCustomer = (customer: unknown): boolean =>
  isObject(customer) &&
  hasOnly(customer, customerNames) &&
  typeof customer["email"] === "string" &&
  customer["email"].length <= 254 &&
  email.test(customer["email"]) &&
  typeof customer["phone"] === "string" &&
  phone.test(customer["phone"]) &&
  isText(customer["name"], 255) &&
  isText(customer["address"], 1000)

const isMetadata = (metadata: unknown): boolean =>
  isObject(metadata) &&
  Object.keys(metadata).length <= 50 &&
  Object.entries(metadata).every(
    ([key, value]) => metadataKey.test(key) && typeof value === "string" && isText(value, 500)
  )

const answer = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}
