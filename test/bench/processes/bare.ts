/** A payments service written by hand: `node:http`, the bare script, one payment at a time. Its database is argument 1. */
import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { openBareScript } from "../BareScript.ts"
import type { SampleRequest } from "../Sample.ts"
import { readBody } from "./ReadBody.ts"
import { serve } from "./Serve.ts"

const script = openBareScript(process.argv[2] ?? "bare.db")
const apiKey = randomUUID()

serve(
  (request, response) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) return answer(response, 401, '{"error":"unauthorized"}')
    if (request.method !== "POST" || request.url !== "/v1/payments")
      return answer(response, 404, '{"error":"not found"}')
    readBody(request, (body) => void pay(response, body))
  },
  apiKey,
  () => script.close()
)

const pay = async (response: ServerResponse, body: string): Promise<void> => {
  const payment: unknown = JSON.parse(body)
  if (!isPayment(payment)) return answer(response, 400, '{"error":"invalid"}')
  answer(response, 201, await inTurn(() => script.payOne(payment)))
}

/** One connection to the database, one transaction at a time: a payment waits for the one before it. */
const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
  const result = last.then(work)
  last = result
  return result
}
let last: Promise<unknown> = Promise.resolve()

const isPayment = (payment: unknown): payment is SampleRequest =>
  typeof payment === "object" &&
  payment !== null &&
  "amount" in payment &&
  Number.isSafeInteger(payment.amount) &&
  "currency" in payment &&
  payment.currency === "INR" &&
  "payment_method" in payment &&
  payment.payment_method === "upi" &&
  "customer" in payment &&
  typeof payment.customer === "object"

const answer = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}
