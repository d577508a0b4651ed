/**
 * The endpoint to which a payer returns from a provider's page: `GET /return/{operation}/{token}`, or a form posted to
 * the same path.
 *
 * The parameters are passed to the adapter, which queries the payment at the provider. Then the payer is redirected to
 * the merchant, or sees the status of the payment. The outcome is never read from the URL. Repeating the request has no
 * further effect.
 */
import { Payments } from "@paymux/core"
import type { Payment } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { HostedPage } from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { readBytes } from "../request/RequestBody.ts"
import type { KnownRoute } from "../server/KnownRoute.ts"
import { statusOf } from "../problems/Problem.ts"
import { returningOperation } from "../request/ReturnAddress.ts"
import type { ReturnKey } from "../request/ReturnAddress.ts"
import { guarded } from "../pages/htmlPage.ts"
import { page, statusPage } from "../pages/returnPage.ts"

const path = "/return/:operation/:token"

/** The routes for returning payers. `key`: the key of the return addresses. */
export const returnRoutes = (key: ReturnKey) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const store = yield* PaymentStore
      const hostedUrl = yield* HostedPage
      const returning = returningOperation(key)
      const handled = Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { operation = "", token = "" } = yield* HttpRouter.params
        const id = returning(operation, token)
        if (id === null) return notFound
        const query = yield* returnQuery(request)
        const before = yield* store.findByOperation(id)
        if (before === null) return notFound
        const after = yield* Effect.catchCause(payments.complete(before.payment.id, query), (cause) =>
          // If the inquiry fails, the payer is redirected without waiting for the outcome. A webhook or a later inquiry
          // reports the outcome.
          Effect.as(Effect.logWarning("A payer returned, and the inquiry at the provider failed", cause), before)
        )
        return redirect(after.payment, hostedUrl)
      })
      const handle = Effect.catchTags(handled, {
        ApiProblem: (problem) => Effect.succeed(notReadable(problem)),
        StoreUnavailable: ({ cause }) => Effect.as(Effect.logError("The database did not answer", cause), unavailable)
      })
      yield* router.add("GET", path, handle)
      yield* router.add("POST", path, handle)
    })
  )

/**
 * Redirects the payer to the merchant, or to the payment page if the payment has no return URL. Without either URL, the
 * response is a page with the status.
 */
const redirect = ({ id, returnUrl, state }: Payment, hostedUrl: HostedUrl) => {
  const address = returnUrl === null ? hostedUrl(id) : merchantAddress(returnUrl, id)
  return address === null
    ? statusPage(state.status)
    : HttpServerResponse.redirect(address, { status: 303, headers: guarded })
}

/** Adds the payment id to the merchant's return URL. The other parameters of the URL's query are kept unchanged. */
const merchantAddress = (returnUrl: string, id: string): string => {
  const address = new URL(returnUrl)
  if (address.searchParams.has("payment_id")) address.searchParams.set("payment_id", id)
  else address.search = `${address.search === "" ? "" : `${address.search}&`}payment_id=${id}`
  return address.href
}

const notReadable = ({ code }: Pick<ApiProblem, "code">) =>
  page(statusOf(code), "This page cannot be shown", "What came with you cannot be read. Go back to the shop.")

/** Maximum size of the query and of the form, in bytes. */
const maxReturnBytes = 8 * 1024

const MAX_PARAMETERS = 50
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * Reads the parameters of the query and of the posted form. They are untrusted. If a parameter occurs several times,
 * the first value is used; a form field takes precedence over the query.
 */
const returnQuery = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const { method, url } = request
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""
  if (query.length > maxReturnBytes) return yield* new ApiProblem({ code: "payload_too_large" })
  const form = method === "POST" ? yield* readForm(request) : ""
  const parameters = [...new URLSearchParams(form), ...new URLSearchParams(query)]
  if (parameters.length > MAX_PARAMETERS) return yield* new ApiProblem({ code: "invalid_request" })
  return Object.fromEntries(parameters.toReversed())
})

const readForm = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const bytes = yield* readBytes(request)
  if (bytes.length > 0 && !FORM.test(request.headers["content-type"] ?? "")) {
    return yield* new ApiProblem({ code: "unsupported_media_type" })
  }
  return new TextDecoder().decode(bytes)
})

/**
 * The return routes with their body limits. A rejected request gets an HTML page instead of a JSON problem, because
 * payers see the response.
 */
export const returnRoutesKnown: ReadonlyArray<KnownRoute> = [
  { method: "GET", path, body: "none", refused: notReadable },
  { method: "POST", path, body: maxReturnBytes, refused: notReadable }
]

const notFound = page(404, "Not found", "There is no such page. Go back to the shop.")

const unavailable = HttpServerResponse.setHeader(
  page(503, "One moment", "We cannot say now how the payment stands. Load this page again, or go back to the shop."),
  "retry-after",
  "1"
)
