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
  readonly body: string
}

/** `tell` receives the code of each rejection, to count it. */
export const make = (
  basePath: string,
  inFlight: InFlight,
  shedder: LoadShedder["Service"],
  tell: (code: Refused) => void = () => undefined
): AdmissionGate => {
  const refusal = (code: Refused, options: Omit<ProblemOptions, "requestId">): Refusal => {
    tell(code)
    return refusalOf(code, options)
  }
  // Creates, captures, cancels and refunds, also under the path of a cell.
  const isOfPayments = (path: string): boolean =>
    path.startsWith(basePath) && inCell(path.slice(basePath.length)).url.startsWith("/v1/payments")
  return {
    enter: (method, path) => {
      if (method === "POST" && isOfPayments(decoded(path)) && shedder.refuses())
        return refusal("overloaded", { basePath })
      return inFlight.begin()
        ? null
        : refusal("service_unavailable", { basePath, detail: "The server is stopping: ask again." })
    },
    leave: inFlight.end
  }
}

/** As the router reads it: `/%76%31/payments` is `/v1/payments`. */
const decoded = (address: string): string => {
  const path = address.split("?", 1)[0] ?? ""
  if (!path.includes("%")) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Refused = "overloaded" | "service_unavailable"

const refusalOf = (code: Refused, options: Omit<ProblemOptions, "requestId">): Refusal => {
  const requestId = newRequestId()
  const { headers, ...answer } = toAnswer(problem(code, { ...options, requestId }))
  return { ...answer, headers: { ...headers, "request-id": requestId } }
}
