/**
 * The page that a sandbox `redirect` leads to: `GET` and `POST /sandbox/pay/:provider/:reference`. It simulates the
 * hosted page of a real provider, from which the payer returns. `SandboxPages` renders it.
 *
 * The page needs no API key: the payer is identified by the URL, which cannot be guessed.
 */
import { Clock, Effect, Result } from "effect"
import type { Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { applyDue, approval } from "./LedgerEntry.ts"
import type { LedgerEntry, SandboxEvent } from "./LedgerEntry.ts"
import { amend, LedgerUnavailable, SandboxLedger } from "./SandboxLedger.ts"
import { decideNow } from "./SandboxSimulator.ts"
import { SandboxNotifier } from "./SandboxNotifier.ts"

/** The HTML of the pages. `accept`: the browser's `Accept-Language`. */
export interface SandboxPages {
  readonly payment: (entry: LedgerEntry, accept: string | undefined) => string
  readonly message: (about: "notFound" | "unavailable" | "badDecision", accept: string | undefined) => string
}

const path = "/sandbox/pay/:provider/:reference"

/** The maximum number of bytes that are read from a form. The form of the page has 16 bytes. */
const longestForm = 1024

/** The routes of the page with their body limits, which a server needs to know. */
export const routes = [
  { method: "GET", path, body: "none" },
  { method: "POST", path, body: longestForm }
] as const

/** Reads the form that the page posts; fails with the response to a rejected request. */
export type PageForm = Effect.Effect<string, HttpServerResponse.HttpServerResponse, HttpServerRequest.HttpServerRequest>

/**
 * Adds the page to the router. `appSchemes`: URL schemes of apps that are allowed in `return_url`, without the colon.
 */
export const layer = (
  pages: SandboxPages,
  form: PageForm,
  appSchemes: ReadonlyArray<string> = []
): Layer.Layer<never, never, HttpRouter.HttpRouter | SandboxLedger | SandboxNotifier> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { decide, show } = handlers(pages, form, yield* SandboxLedger, yield* SandboxNotifier, shopsOf(appSchemes))
      yield* router.add("GET", path, show)
      yield* router.add("POST", path, decide)
    })
  )

const handlers = (
  pages: SandboxPages,
  form: PageForm,
  ledger: SandboxLedger["Service"],
  notifier: SandboxNotifier["Service"],
  shops: string
) => {
  const find = Effect.gen(function* () {
    const { provider = "", reference = "" } = yield* HttpRouter.params
    return yield* ledger.findByReference(provider, reference)
  })
  const paymentPage = (entry: LedgerEntry, returnUrl: string | null) =>
    Effect.map(language, (accept) =>
      html(200, pages.payment(entry, accept), returnUrl === null ? "" : ` ${sourceOf(new URL(returnUrl))} ${shops}`)
    )
  const message = (status: number, about: Parameters<SandboxPages["message"]>[0]) =>
    Effect.map(language, (accept) => html(status, pages.message(about, accept), ""))

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
    const posted = yield* Effect.result(form)
    if (Result.isFailure(posted)) return posted.failure
    const decision = decisionIn(posted.success)
    if (decision === null) return yield* message(400, "badDecision")
    const now = yield* Clock.currentTimeMillis
    const decided = yield* decideNow(ledger, entry, [eventOf(decision, entry)], now)
    // After a second click the payment is already decided, and the payer is redirected all the same.
    if (decided !== null) yield* notifier.notify(decided)
    return entry.returnUrl === null
      ? yield* paymentPage(decided ?? (yield* find) ?? entry, null)
      : HttpServerResponse.redirect(entry.returnUrl, { status: 303, headers: headers("") })
  })

  const orUnavailablePage = <E, R>(
    handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E | LedgerUnavailable, R>
  ) =>
    Effect.catchIf(
      handler,
      (error): error is LedgerUnavailable => error instanceof LedgerUnavailable,
      () => message(503, "unavailable")
    )
  return {
    show: orUnavailablePage(show),
    decide: orUnavailablePage(decide)
  }
}

const language = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["accept-language"])

const decisions = ["approve", "decline", "expire"] as const
type Decision = (typeof decisions)[number]

/** The button that was pressed; `null`: the form is not exactly one button of the page. */
const decisionIn = (form: string): Decision | null => {
  const [first, ...more] = new URLSearchParams(form)
  const [name, value] = first ?? []
  return name === "decision" && more.length === 0 ? (decisions.find((each) => each === value) ?? null) : null
}

const eventOf = (decision: Decision, entry: LedgerEntry): SandboxEvent => {
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

const html = (status: number, text: string, leadsTo: string) =>
  HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers: headers(leadsTo) })

/**
 * The headers of the page. `leadsTo`: further sources for `form-action`, each preceded by a space. Browsers apply
 * `form-action` to every redirect after the form. The first redirect leads to the engine, which redirects to the shop.
 * This page does not know the shop's URL.
 */
const headers = (leadsTo: string) => ({
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "img-src data:",
    `form-action 'self'${leadsTo}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})

/** The origin of a URL, or its scheme if it is the link of an app, which has no origin. */
const sourceOf = ({ origin, protocol }: URL): string => (/^https?:$/.test(protocol) ? origin : protocol)

/** The sources that a `return_url` may have in test mode. */
const shopsOf = (appSchemes: ReadonlyArray<string>): string =>
  ["https:", "http://localhost:*", "http://127.0.0.1:*", ...appSchemes.map((scheme) => `${scheme}:`)].join(" ")
