/**
 * Where the shopper comes back to from a provider's page: `GET /return/{operation}/{token}`, or a form posted to it.
 *
 * What came with them goes to the adapter, which finds out what became of the payment; then they go on to the merchant, or
 * read how it stands. Success is never read from the address. Coming back twice is coming back once.
 */
import { Payments } from "@paymux/core"
import type { Payment } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { HostedPage } from "@paymux/core/wire"
import type { HostedUrl } from "@paymux/core/wire"
import { Effect } from "effect"
import type { Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { readBytes } from "../request/RequestBody.ts"
import type { KnownRoute } from "../server/KnownRoute.ts"
import { statusOf } from "../problems/Problem.ts"
import { returningOperation } from "../request/ReturnAddress.ts"
import type { ReturnKey } from "../request/ReturnAddress.ts"
import { guarded } from "../pages/htmlPage.ts"
import { page, statusPage } from "../pages/returnPage.ts"

const path = "/return/:operation/:token"

/** `key`: the one that the addresses were made with. */
export const returnRoutes = (
  key: ReturnKey
): Layer.Layer<never, never, HttpRouter.HttpRouter | Payments | PaymentStore> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const handle = comeBack(yield* Payments, yield* PaymentStore, returningOperation(key), yield* HostedPage)
      yield* router.add("GET", path, handle)
      yield* router.add("POST", path, handle)
    })
  )

const comeBack = (
  payments: Payments["Service"],
  store: PaymentStore["Service"],
  returning: ReturnType<typeof returningOperation>,
  hostedUrl: HostedUrl
) => {
  const go = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { operation = "", token = "" } = yield* HttpRouter.params
    const id = returning(operation, token)
    if (id === null) return notFound
    const query = yield* returnQuery(request)
    const before = yield* store.findByOperation(id)
    if (before === null) return notFound
    const after = yield* Effect.catchCause(payments.complete(before.payment.id, query), (cause) =>
      // A webhook or an inquiry brings the outcome; the shopper does not wait for it.
      Effect.as(Effect.logWarning("A shopper came back, and the provider could not be asked", cause), before)
    )
    return goOn(after.payment, hostedUrl)
  })
  return Effect.catchTags(go, {
    ApiProblem: (problem) => Effect.succeed(notReadable(problem)),
    StoreUnavailable: ({ cause }) => Effect.as(Effect.logError("The database did not answer", cause), unavailable)
  })
}

/** To the merchant's page, otherwise to the payment page, otherwise to a page that names the status. */
const goOn = ({ id, returnUrl, state }: Payment, hostedUrl: HostedUrl): HttpServerResponse.HttpServerResponse => {
  const address = returnUrl === null ? hostedUrl(id) : merchantAddress(returnUrl, id)
  return address === null
    ? statusPage(state.status)
    : HttpServerResponse.redirect(address, { status: 303, headers: guarded })
}

/** The merchant's own query stays as it was written. */
const merchantAddress = (returnUrl: string, id: string): string => {
  const address = new URL(returnUrl)
  if (address.searchParams.has("payment_id")) address.searchParams.set("payment_id", id)
  else address.search = `${address.search === "" ? "" : `${address.search}&`}payment_id=${id}`
  return address.href
}

const notReadable = ({ code }: Pick<ApiProblem, "code">): HttpServerResponse.HttpServerResponse =>
  page(statusOf(code), "This page cannot be shown", "What came with you cannot be read. Go back to the shop.")

/** Bytes of the query, and of the form. */
const longestReturn = 8 * 1024

const MAX_PARAMETERS = 50
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Of a name that stands twice, the first; a posted field takes precedence over the query. Nothing of it is trusted. */
const returnQuery = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { method, url } = request
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""
  if (query.length > longestReturn) return yield* new ApiProblem({ code: "payload_too_large" })
  const form = method === "POST" ? yield* readForm(request) : ""
  const parameters = [...new URLSearchParams(form), ...new URLSearchParams(query)]
  if (parameters.length > MAX_PARAMETERS) return yield* new ApiProblem({ code: "invalid_request" })
  return Object.fromEntries(parameters.toReversed())
})

const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* readBytes(request)
  if (bytes.length > 0 && !FORM.test(request.headers["content-type"] ?? "")) {
    return yield* new ApiProblem({ code: "unsupported_media_type" })
  }
  return new TextDecoder().decode(bytes)
})

/** Shoppers read what is refused here, so it is a page. */
export const returnRoutesKnown: ReadonlyArray<KnownRoute> = [
  { method: "GET", path, body: "none", refused: notReadable },
  { method: "POST", path, body: longestReturn, refused: notReadable }
]

const notFound = page(404, "Not found", "There is no such page. Go back to the shop.")

const unavailable = HttpServerResponse.setHeader(
  page(503, "One moment", "We cannot say now how the payment stands. Load this page again, or go back to the shop."),
  "retry-after",
  "1"
)
