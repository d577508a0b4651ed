/**
 * The routes of the page. They stand outside the API-key area: anyone with the link is the payer.
 *
 * - `GET /pay/{payment}/{token}`: the page. No side effect: mail scanners and previews open links.
 * - `POST` to it: in test mode, the decision of a simulated payer.
 * - `GET …/status`: JSON for a page of the merchant's own, with CORS for any origin.
 * - `GET …/events`: the same as server-sent events, one for each change.
 * - `GET …/qr.svg`: the QR code of what the payer does next, for a page of the merchant's own.
 * - `GET /pay/assets/{file}`: style and script.
 */
import type { Payment } from "@paymux/core"
import type { ServerSecrets } from "@paymux/core/wire"
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { HostedPage } from "@paymux/core/wire"
import { Clock, Effect, Layer, Result, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { assetsOf } from "./assets/assets.ts"
import { Changes } from "./Changes.ts"
import { qrCode } from "./html/code.ts"
import { messagePage } from "./html/frame.ts"
import { paymentPage } from "./html/page.ts"
import { textsFor } from "./locale/choose.ts"
import type { Texts } from "./locale/Texts.ts"
import { Limits } from "./Limits.ts"
import { brandingOf } from "./options.ts"
import type { CheckoutOptions } from "./options.ts"
import { linkedPayment } from "./PaymentLink.ts"
import { cachedForGood, corsHeaders, imageHeaders, pageHeaders } from "./responseHeaders.ts"
import { statusOf } from "./status.ts"
import { isOpen, viewOf } from "./view.ts"

const decisions = ["approve", "decline", "expire"] as const
export type SimulatedDecision = (typeof decisions)[number]

export interface CheckoutSettings {
  /** The secrets that links were made with. */
  readonly secrets: ServerSecrets
  readonly options: CheckoutOptions
  /** Where the routes are mounted in their host: empty, or `/payments`. */
  readonly basePath: string
  /** Done when the server shuts down: event streams end, which would keep it from stopping. */
  readonly closing: Effect.Effect<void>
  /** Plays the payer of a test payment; `null`: no simulated providers. */
  readonly simulate: ((payment: Payment, decision: SimulatedDecision) => Effect.Effect<void>) | null
  /** The address of the client, or its network where all addresses of one are limited together; `null`: it is not known. */
  readonly addressOf: (request: HttpServerRequest.HttpServerRequest) => string | null
  /** The form that the page posts; fails with the response of a request that is refused. */
  readonly form: Effect.Effect<string, HttpServerResponse.HttpServerResponse, HttpServerRequest.HttpServerRequest>
}

const path = "/pay/:payment/:token"

/** Bytes: the form of the page has 16. */
const longestForm = 1024

/** The addresses that the page answers, and how large a body they read: a server has to know both. */
export const checkoutRoutes = [
  { method: "GET", path, body: "none" },
  { method: "POST", path, body: longestForm },
  { method: "GET", path: `${path}/status`, body: "none" },
  { method: "GET", path: `${path}/events`, body: "none" },
  { method: "GET", path: `${path}/qr.svg`, body: "none" },
  { method: "GET", path: "/pay/assets/:file", body: "none" }
] as const

/** The result is shown for 30 days after the payment ended. */
const shownFor = 30 * 86_400_000

export const layer = (settings: CheckoutSettings): Layer.Layer<never, never, HttpRouter.HttpRouter | PaymentStore> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const handlers = yield* make(settings)
      yield* router.add("GET", "/pay/assets/:file", handlers.asset)
      yield* router.add("GET", path, handlers.page)
      yield* router.add("POST", path, handlers.decide)
      yield* router.add("GET", `${path}/status`, handlers.status)
      yield* router.add("GET", `${path}/events`, handlers.events)
      yield* router.add("GET", `${path}/qr.svg`, handlers.code)
    })
  ).pipe(Layer.provide([Changes.layer, Limits.layer()]))

type Found =
  | { readonly _tag: "Found"; readonly payment: Payment; readonly path: string }
  | { readonly _tag: "NotFound" | "TooMany" }

const make = Effect.fnUntraced(function* ({
  addressOf,
  basePath,
  closing,
  form,
  options,
  secrets,
  simulate
}: CheckoutSettings) {
  const store = yield* PaymentStore
  const changes = yield* Changes
  const limits = yield* Limits
  const hostedUrl = yield* HostedPage
  const branding = brandingOf(options)
  const assets = assetsOf(branding.color)
  const page = { branding, assets, basePath, canSimulate: simulate !== null }
  const linked = linkedPayment(secrets)
  const files = new Map([assets.style, assets.script].map((each) => [each.name, each]))

  const clientAddress = Effect.map(HttpServerRequest.HttpServerRequest, addressOf)

  const find = Effect.gen(function* () {
    const { payment: id = "", token = "" } = yield* HttpRouter.params
    const paymentId = linked(id, token)
    if (paymentId === null) {
      const isAllowed = yield* limits.miss((yield* clientAddress) ?? "")
      return { _tag: isAllowed ? "NotFound" : "TooMany" } satisfies Found
    }
    if (!(yield* limits.hit(paymentId))) return { _tag: "TooMany" } satisfies Found
    const record = yield* store.get(paymentId)
    const now = yield* Clock.currentTimeMillis
    if (record === null || isOver(record.payment, now)) return { _tag: "NotFound" } satisfies Found
    return { _tag: "Found", payment: record.payment, path: `${basePath}/pay/${id}/${token}` } satisfies Found
  })

  const message = (status: number, texts: Texts, key: "notFound" | "tooMany" | "unavailable") =>
    HttpServerResponse.text(messagePage(page, texts, texts[key]), {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { ...pageHeaders(branding, null), ...(status === 404 ? {} : { "retry-after": "60" }) }
    })

  const show = Effect.gen(function* () {
    const texts = yield* requestTexts(branding.language)
    const found: Found = yield* find
    if (found._tag !== "Found") return message(found._tag === "NotFound" ? 404 : 429, texts, lower(found._tag))
    const body = yield* paymentPage(page, found.payment, found.path, texts)
    return HttpServerResponse.text(body, {
      contentType: "text/html; charset=utf-8",
      headers: pageHeaders(branding, imageOf(found.payment))
    })
  })

  const decide = Effect.gen(function* () {
    const texts = yield* requestTexts(branding.language)
    const found: Found = yield* find
    if (found._tag !== "Found") return message(found._tag === "NotFound" ? 404 : 429, texts, lower(found._tag))
    const posted = yield* Effect.result(form)
    if (Result.isFailure(posted)) return posted.failure
    const { payment } = found
    if (simulate !== null && !payment.livemode) {
      const decision = decisionIn(posted.success)
      if (decision !== null) yield* simulate(payment, decision)
    }
    // Relative: a host puts its base path before a whole path.
    const location = `./${found.path.slice(found.path.lastIndexOf("/") + 1)}`
    return HttpServerResponse.redirect(location, { status: 303, headers: pageHeaders(branding, null) })
  })

  const status = Effect.gen(function* () {
    const found: Found = yield* find
    return found._tag === "Found" ? statusResponse(statusOf(found.payment, hostedUrl)) : refused(found._tag)
  })

  const events = Effect.gen(function* () {
    const found: Found = yield* find
    if (found._tag !== "Found") return refused(found._tag)
    if (!(yield* limits.stream(yield* clientAddress))) return refused("TooMany")
    const sent = changes.of(found.payment).pipe(
      // A payment that ended changes no more: the last event ends the stream.
      Stream.takeUntil((change) => change !== null && !isOpen(viewOf(change))),
      Stream.interruptWhen(closing),
      Stream.map((change) =>
        encoder.encode(change === null ? ": \n\n" : `data: ${JSON.stringify(statusOf(change, hostedUrl))}\n\n`)
      )
    )
    return HttpServerResponse.stream(sent, {
      contentType: "text/event-stream; charset=utf-8",
      headers: { ...corsHeaders, "x-accel-buffering": "no" }
    })
  })

  const code = Effect.gen(function* () {
    const found: Found = yield* find
    if (found._tag !== "Found") return refused(found._tag)
    const text = codeTextOf(found.payment)
    const drawn = text === null ? null : yield* qrCode(text)
    return drawn === null
      ? refused("NotFound")
      : HttpServerResponse.text(drawn.text, { contentType: "image/svg+xml", headers: imageHeaders })
  })

  const asset = Effect.map(HttpRouter.params, ({ file = "" }) => {
    const found = files.get(file)
    return found === undefined
      ? HttpServerResponse.empty({ status: 404, headers: corsHeaders })
      : HttpServerResponse.text(found.text, { contentType: found.contentType, headers: cachedForGood })
  })

  const orUnavailable = <R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, StoreUnavailable, R>) =>
    Effect.catchTag(answer, "StoreUnavailable", ({ cause }) =>
      Effect.gen(function* () {
        yield* Effect.logError("The payment page cannot read the database", cause)
        return message(503, yield* requestTexts(branding.language), "unavailable")
      })
    )
  return {
    asset,
    page: orUnavailable(show),
    decide: orUnavailable(decide),
    status: Effect.catchTag(status, "StoreUnavailable", () => Effect.succeed(unavailable)),
    code: Effect.catchTag(code, "StoreUnavailable", () => Effect.succeed(unavailable)),
    events: Effect.catchTag(events, "StoreUnavailable", () => Effect.succeed(unavailable))
  }
})

/** `null`: it is not one button of the page and nothing else. */
const decisionIn = (form: string): SimulatedDecision | null => {
  const [first, ...more] = new URLSearchParams(form)
  const [name, value] = first ?? []
  return name === "decision" && more.length === 0 ? (decisions.find((each) => each === value) ?? null) : null
}

const encoder = new TextEncoder()

const lower = (tag: "NotFound" | "TooMany") => (tag === "NotFound" ? "notFound" : "tooMany")

/** Ended so long ago that its result is shown no more. */
const isOver = (payment: Payment, now: number): boolean =>
  !isOpen(viewOf(payment)) && now - payment.updatedAt > shownFor

const requestTexts = (language: Parameters<typeof textsFor>[0]) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => textsFor(language, headers["accept-language"]))

/** `null`: the payer does nothing that a code could hold. */
const codeTextOf = ({ state }: Payment): string | null => {
  const action = state.status === "pending" ? state.nextAction : null
  switch (action?.type) {
    case "upi_intent":
    case "stablecoin_transfer":
      return action.uri
    case "upi_qr":
      return action.payload
    default:
      return null
  }
}

/** The image of a provider's QR code may be at the provider. */
const imageOf = ({ state }: Payment): string | null =>
  state.status === "pending" && state.nextAction?.type === "upi_qr" ? state.nextAction.image : null

const statusResponse = (body: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json", headers: corsHeaders })

const refused = (tag: "NotFound" | "TooMany") =>
  tag === "NotFound" ? statusResponse({ error: "not_found" }, 404) : statusResponse({ error: "too_many_requests" }, 429)

const unavailable = statusResponse({ error: "unavailable" }, 503)
