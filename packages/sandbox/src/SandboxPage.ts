/**
 * The page that a sandbox `redirect` leads to: `GET` and `POST /sandbox/pay/:provider/:reference`. It stands for the page of
 * a real provider, from which the payer returns; how it looks is for `SandboxPages` to say.
 *
 * It belongs outside the API-key area: the holder of the address, which cannot be guessed, is the payer.
 */
import { ByteSize, Clock, Effect, Schema } from "effect"
import type { Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { applyDue, approval } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { amend, LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"
import { decideNow } from "./SandboxSimulator.ts"
import { SandboxNotifier } from "./SandboxNotifier.ts"

/** The pages as HTML. `accept`: the browser's `Accept-Language`. */
export interface SandboxPages {
  readonly payment: (entry: LedgerEntry, accept: string | undefined) => string
  readonly message: (about: "notFound" | "unavailable" | "badDecision", accept: string | undefined) => string
}

const path = "/sandbox/pay/:provider/:reference"

/** The methods that the page answers, for the `Allow` header. */
export const routes = [
  { method: "GET", path },
  { method: "POST", path }
] as const

/** Adds the page to the router. */
export const layer = (
  pages: SandboxPages
): Layer.Layer<never, never, HttpRouter.HttpRouter | SandboxLedger | SandboxNotifier> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { decide, show } = handlers(pages, yield* SandboxLedger, yield* SandboxNotifier)
      yield* router.add("GET", path, show)
      yield* router.add("POST", path, decide)
    })
  )

const handlers = (pages: SandboxPages, ledger: SandboxLedger["Service"], notifier: SandboxNotifier["Service"]) => {
  const find = Effect.gen(function* () {
    const { provider = "", reference = "" } = yield* HttpRouter.params
    return yield* ledger.findByReference(provider, reference)
  })
  const paymentPage = (entry: LedgerEntry, returnUrl: string | null) =>
    Effect.map(language, (accept) => html(200, pages.payment(entry, accept), returnUrl))
  const message = (status: number, about: Parameters<SandboxPages["message"]>[0]) =>
    Effect.map(language, (accept) => html(status, pages.message(about, accept), null))

  const show = Effect.gen(function* () {
    const entry = yield* find
    if (entry === null) return yield* message(404, "notFound")
    const now = yield* Clock.currentTimeMillis
    const settled = yield* amend(ledger, entry, (latest) => applyDue(latest, now))
    return yield* paymentPage(settled ?? entry, entry.returnUrl)
  })

  const decide = Effect.gen(function* () {
    const entry = yield* find
    if (entry === null) return yield* message(404, "notFound")
    const { decision } = yield* readForm
    const now = yield* Clock.currentTimeMillis
    const decided = yield* decideNow(ledger, entry, [eventOf(decision, entry)], now)
    // A second click finds it decided: the payer is sent on all the same.
    if (decided !== null) yield* notifier.notify(decided)
    return entry.returnUrl === null
      ? yield* paymentPage(decided ?? (yield* find) ?? entry, null)
      : HttpServerResponse.redirect(entry.returnUrl, { status: 303, headers: headers(null) })
  })

  const bookIsAway = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E | LedgerUnavailable, R>) =>
    Effect.catchIf(
      handler,
      (error): error is LedgerUnavailable => error instanceof LedgerUnavailable,
      () => message(503, "unavailable")
    )
  return {
    show: bookIsAway(show),
    decide: bookIsAway(decide).pipe(
      Effect.catchTags({
        SchemaError: () => message(400, "badDecision"),
        HttpServerError: () => message(400, "badDecision")
      })
    )
  }
}

const language = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["accept-language"])

const Form = Schema.Struct({ decision: Schema.Literals(["approve", "decline", "expire"]) })

const readForm = HttpServerRequest.schemaBodyUrlParams(Form, { onExcessProperty: "error" }).pipe(
  Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(1024))
)

const eventOf = (decision: (typeof Form)["Type"]["decision"], entry: LedgerEntry): SandboxEvent => {
  switch (decision) {
    case "approve":
      return approval(entry)
    case "decline":
      return {
        kind: "declined",
        code: entry.trigger === "token tok_3ds" ? "authentication_failed" : "customer_canceled",
        retry: "same_later"
      }
    case "expire":
      return { kind: "expired" }
  }
}

const html = (status: number, text: string, returnUrl: string | null) =>
  HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers: headers(returnUrl) })

/**
 * Browsers apply `form-action` to every redirect after the form as well. The first leads to the address that the engine
 * gave; where the shop is that it leads on to, only that address knows.
 */
const headers = (returnUrl: string | null) => ({
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src data:",
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
