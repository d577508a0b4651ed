/**
 * The page that a sandbox `redirect` leads to: `GET` and `POST /sandbox/pay/:provider/:reference`.
 *
 * It belongs outside the API-key area: the holder of the address, which cannot be guessed, is the payer.
 */
import { ByteSize, Clock, Effect, Schema } from "effect"
import type { Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { applyDue, approval } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { messagePage, paymentPage } from "./pageHtml.ts"
import { amend, LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"

import { decideNow } from "./SandboxSimulator.ts"
import { SandboxNotifier } from "./SandboxNotifier.ts"

const path = "/sandbox/pay/:provider/:reference"

/** The methods that the page answers, for the `Allow` header. */
export const routes = [
  { method: "GET", path },
  { method: "POST", path }
] as const

/** Adds the page to the router. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | SandboxLedger | SandboxNotifier> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    // Read once: a service asked for inside a handler would have to be provided with each request.
    const ledger = yield* SandboxLedger
    const notifier = yield* SandboxNotifier

    const find = Effect.gen(function* () {
      const { provider = "", reference = "" } = yield* HttpRouter.params
      return yield* ledger.findByReference(provider, reference)
    })

    const show = Effect.gen(function* () {
      const entry = yield* find
      if (entry === null) return notFound
      const now = yield* Clock.currentTimeMillis
      const settled = yield* amend(ledger, entry, (latest) => applyDue(latest, now))
      return html(200, paymentPage(settled ?? entry), entry.returnUrl)
    })

    const decide = Effect.gen(function* () {
      const entry = yield* find
      if (entry === null) return notFound
      const { decision } = yield* readForm
      const now = yield* Clock.currentTimeMillis
      const decided = yield* decideNow(ledger, entry, [eventOf(decision, entry)], now)
      // A second click finds it decided: the payer is sent on all the same.
      if (decided !== null) yield* notifier.notify(decided)
      return entry.returnUrl === null
        ? html(200, paymentPage(decided ?? (yield* find) ?? entry), null)
        : HttpServerResponse.redirect(entry.returnUrl, { status: 303, headers: headers(null) })
    })

    yield* router.add("GET", path, bookIsAway(show))
    yield* router.add(
      "POST",
      path,
      bookIsAway(decide).pipe(
        Effect.catchTags({
          SchemaError: () => Effect.succeed(badRequest),
          HttpServerError: () => Effect.succeed(badRequest)
        })
      )
    )
  })
)

const Form = Schema.Struct({ decision: Schema.Literals(["approve", "decline"]) })

const readForm = HttpServerRequest.schemaBodyUrlParams(Form, { onExcessProperty: "error" }).pipe(
  Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(1024))
)

const eventOf = (decision: "approve" | "decline", entry: LedgerEntry): SandboxEvent =>
  decision === "approve"
    ? approval(entry)
    : {
        kind: "declined",
        code: entry.trigger === "token tok_3ds" ? "authentication_failed" : "customer_canceled",
        retry: "same_later"
      }

const bookIsAway = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E | LedgerUnavailable, R>) =>
  Effect.catchIf(
    handler,
    (error): error is LedgerUnavailable => error instanceof LedgerUnavailable,
    () => Effect.succeed(unavailable)
  )

const html = (status: number, text: string, returnUrl: string | null) =>
  HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers: headers(returnUrl) })

/**
 * Browsers apply `form-action` to every redirect after the form as well. The first leads to the address that the engine
 * gave; where the shop is that it leads on to, only that address knows.
 */
const headers = (returnUrl: string | null) => ({
  "content-security-policy": [
    "default-src 'none'",
    `form-action 'self'${returnUrl === null ? "" : ` ${new URL(returnUrl).origin} ${shops}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})

/** Where a `return_url` may lead in test mode. */
const shops = "https: http://localhost:* http://127.0.0.1:*"

const notFound = html(404, messagePage("Not found", "There is no such sandbox payment."), null)
const badRequest = html(400, messagePage("Bad request", "Choose Approve or Decline."), null)
const unavailable = html(503, messagePage("Unavailable", "The sandbox cannot be reached; try again."), null)
