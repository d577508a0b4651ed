/**
 * Rejects requests before their API key is checked or their body is read: every request once Paymux is closed, and requests
 * for new payments and operations under overload. Most requests end here then, so a rejection must cost little.
 */
import type { LoadShedder } from "@paymux/core/engine"
import { inCell, newRequestId, problem, toAnswer } from "@paymux/http"
import type { ProblemOptions } from "@paymux/http"
import type { InFlight } from "./InFlight.ts"

export interface AdmissionGate {
  /** `null`: the request is admitted, and ends with `leave`. `path` is the whole path, with the base path. */
  readonly enter: (method: string | undefined, path: string) => Refusal | null
  readonly leave: () => void
}

/** @internal Exported for the test of the gate. */
export interface Refusal {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** ASCII. */
  readonly body: string
}

/** `count` receives the code of each rejection. */
export const make = (
  basePath: string,
  inFlight: InFlight,
  shedder: LoadShedder["Service"],
  count: (code: Refused) => void = () => undefined
): AdmissionGate => {
  const overloaded = refusals("overloaded", { basePath }, count)
  const stopping = refusals("service_unavailable", { basePath, detail: "The server is stopping: ask again." }, count)
  const payments = `${basePath}/v1/payments`
  const cells = `${basePath}/cells/`
  return {
    enter: (method, address) => {
      if (method === "POST") {
        const path = address.includes("%") ? decoded(address) : address
        // Creates, captures, cancels and refunds, also under the path of a cell.
        const isOfPayments =
          path.startsWith(payments) ||
          (path.startsWith(cells) && inCell(path.slice(basePath.length)).url.startsWith("/v1/payments"))
        if (isOfPayments && shedder.refuses()) return overloaded()
      }
      return inFlight.begin() ? null : stopping()
    },
    leave: inFlight.end
  }
}

/** The decoded path, as the router compares it: `/%76%31/payments` is `/v1/payments`. */
const decoded = (address: string): string => {
  const path = address.split("?", 1)[0] ?? ""
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Refused = "overloaded" | "service_unavailable"

/** Serialized once; only the request id differs. At five times the capacity, there are four rejections for each payment. */
const refusals = (code: Refused, options: Omit<ProblemOptions, "requestId">, count: (code: Refused) => void) => {
  const sample = newRequestId()
  const { body, headers, status } = toAnswer(problem(code, { ...options, requestId: sample }))
  const [before = "", after = ""] = body.split(sample)
  return (): Refusal => {
    count(code)
    const requestId = newRequestId()
    return { status, headers: { ...headers, "request-id": requestId }, body: `${before}${requestId}${after}` }
  }
}
