/**
 * A vendor's API over real loopback HTTP, with a ledger and scripted faults: what an adapter is tested against.
 *
 * The author writes what is the vendor's own: its credentials, its routes, its webhooks. The rest (the server, faults,
 * replays under an idempotency key) is here.
 *
 * @example
 * ```ts
 * import { fakeProvider } from "@paymux/testkit"
 *
 * const fake = fakeProvider({
 *   credentials: { test: { apiKey: "acme_test_1" }, live: { apiKey: "acme_live_1" } },
 *   authenticates: ({ headers }, { apiKey }) => headers["authorization"] === `Bearer ${apiKey}`,
 *   idempotency: { key: ({ headers }) => headers["idempotency-key"], reused: { status: 409 } },
 *   declineCodes: ["card_expired"],
 *   routes: {
 *     "POST /v1/payments": (_request, { ledger }) => ({
 *       status: 200,
 *       json: ledger.open({ amount: { minorUnits: 100, currency: "EUR" } })
 *     }),
 *     "GET /v1/payments/:id": (request, { ledger }) => {
 *       const payment = ledger.find(request.param("id"))
 *       return payment === undefined ? { status: 404 } : { status: 200, json: payment }
 *     }
 *   }
 * })
 * ```
 */
import type { ProviderMode, ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { FakeAnswer, Fault } from "./Fault.ts"
import { makeLedger } from "./Ledger.ts"
import type { ScriptedOutcome, Ledger, LedgerEvent } from "./Ledger.ts"
import { type FakeRequest, matchRoute } from "./FakeRequest.ts"
import { selfSigned } from "./certificate.ts"
import { CLOSED_PORT, serve } from "./serve.ts"
import type {
  Delivery,
  Fake,
  Signing,
  FaultOverride,
  StatementContent,
  Vendor,
  VendorNetwork,
  VendorWebhooks
} from "./Vendor.ts"

/** Texts that an instance is configured with, by the name of the adapter's option. */
export interface FakeCredentials {
  readonly [option: string]: string
}

export interface FakeProviderDefinition<C extends FakeCredentials> {
  readonly credentials: { readonly test: C; readonly live: C }
  /** Of the credentials those that may be seen by anybody, such as a key's id. */
  readonly publicCredentials?: ReadonlyArray<keyof C>
  /** Whether a request carries these credentials. */
  readonly authenticates: (request: FakeRequest, credentials: C) => boolean
  /** To a request that does not; 401 by default. */
  readonly unauthorized?: FakeAnswer
  /** For vendors that answer a repeated key with the first answer. */
  readonly idempotency?: {
    readonly key: (request: FakeRequest) => string | undefined
    /** The same key with another request. */
    readonly reused: FakeAnswer
  }
  /** By `METHOD /path/:parameter`. What a route throws is answered as 400, and shown where a check is broken. */
  readonly routes: { readonly [pattern: string]: FakeRoute }
  /** The vendor's published codes of a decline. */
  readonly declineCodes: ReadonlyArray<string>
  readonly webhooks?: {
    /** The vendor's body and headers for these events; a vendor that does not batch gets one. */
    readonly sign: (
      events: ReadonlyArray<LedgerEvent>,
      signing: { readonly credentials: C; /** ms UTC */ readonly at: number; readonly ledger: Ledger }
    ) => Delivery
    /** The signature covers the time. */
    readonly signsTime: boolean
    /** One body may hold several events; `false` by default. */
    readonly batches?: boolean
    /** A signature in the headers that covers some fields, and not the bytes of the body; `false` by default. */
    readonly signsFields?: boolean
    /** An event of a type that no adapter can know yet: vendors add them. */
    readonly signNewType?: (signing: { readonly credentials: C; /** ms UTC */ readonly at: number }) => Delivery
  }
  /** For vendors with a statement: what their routes show of `ledger.bookings`. */
  readonly statement?: StatementContent
  /**
   * What its routes and webhooks tell of the ledger beyond what every vendor does: `LedgerRefund.status` and the event
   * `refund_failed` (`refund_pending`, `refund_failed`), the ledger's amount and not the request's (`other_amount`),
   * `LedgerPayment.newStatus` (`new_status`). The checks try what is named here.
   */
  readonly faultOverrides?: ReadonlyArray<FaultOverride>
  /** 429 with `Retry-After` by default. `null`: without a time. */
  readonly rateLimited?: (seconds: number | null) => FakeAnswer
  /**
   * For vendors with codes of which they document that nothing was executed (declared as `proof`): how they answer by
   * such a code. Asked for codes that are not declared, too.
   */
  readonly proof?: (code: string) => FakeAnswer
  /** See `Fake`. */
  readonly prepare?: (operation: ProviderOperation, scripted: ScriptedOutcome) => ProviderOperation
}

/** Does what one request asks for, and answers as the vendor would. */
export type FakeRoute = (request: FakeRequest, vendor: { readonly ledger: Ledger }) => FakeAnswer

/** What `make` of the suite gets: where the vendor is, and what to configure an instance with. */
export interface HttpVendor<C extends FakeCredentials> extends Vendor {
  readonly url: string
  readonly credentials: C
  readonly ledger: Ledger
  readonly network: VendorNetwork<this>
}

export const fakeProvider = <C extends FakeCredentials>(
  definition: FakeProviderDefinition<C>
): Fake<HttpVendor<C>> => ({
  declineCodes: definition.declineCodes,
  ...(definition.prepare && { prepare: definition.prepare }),
  start: ({ mode }) => start(definition, mode)
})

const start = Effect.fnUntraced(function* <C extends FakeCredentials>(
  definition: FakeProviderDefinition<C>,
  mode: ProviderMode
) {
  const clock = yield* Clock.Clock
  const ledger = makeLedger(() => clock.currentTimeMillisUnsafe())
  const server = yield* serve(answering(definition, ledger, definition.credentials[mode]))

  const network: VendorNetwork<HttpVendor<C>> = {
    requests: Effect.sync(() => server.requests()),
    failNext: (fault: Fault, after = 0) =>
      Effect.sync(() => {
        const withdraw = server.failNext(fault, after)
        return { withdraw: Effect.sync(withdraw) }
      }),
    fallSilent: Effect.sync(server.fallSilent),
    leaveAfter: (count) => Effect.sync(() => server.leaveAfter(count)),
    refusing: Effect.sync(() => vendorAt(`http://127.0.0.1:${CLOSED_PORT}`, definition.credentials[mode])),
    // A key and its certificate take longer to make than a whole vendor, and few tests need them.
    untrusted: Effect.suspend(() =>
      Effect.map(server.listen(selfSigned({ ip: "127.0.0.1", notAfter: new Date("2099-01-01T00:00:00Z") })), (url) =>
        vendorAt(url, definition.credentials[mode])
      )
    ),
    get withOtherCredentials() {
      return vendorAt(server.url, definition.credentials[otherMode(mode)])
    },
    secrets: secretsOf(definition),
    rateLimited: definition.rateLimited ?? rateLimited,
    ...(definition.proof && { proof: definition.proof })
  }
  const webhooks = webhooksOf(definition, ledger, mode)
  const vendorAt = (url: string, credentials: C): HttpVendor<C> => ({
    url,
    credentials,
    ledger,
    mode,
    payments: Effect.sync(ledger.payments),
    decide: (scripted) => Effect.sync(() => ledger.decide(scripted)),
    payersAct: Effect.sync(ledger.payersAct),
    expire: Effect.sync(ledger.expire),
    faultOverrides: Object.fromEntries(
      (definition.faultOverrides ?? []).map((override) => [override, Effect.sync(() => overrideOf[override](ledger))])
    ),
    network,
    webhooks,
    ...(definition.statement && {
      statement: {
        ...definition.statement,
        bookings: Effect.sync(ledger.bookings),
        book: (booking) => Effect.sync(() => void ledger.book(booking))
      }
    })
  })
  return vendorAt(server.url, definition.credentials[mode])
})

const overrideOf: { readonly [override in FaultOverride]: (ledger: Ledger) => void } = {
  refund_pending: (ledger) => ledger.decideRefund("pend"),
  refund_failed: (ledger) => ledger.decideRefund("fail"),
  // A whole number of tens, which is taken in every currency, and more than was asked.
  other_amount: (ledger) => ledger.takeInstead(7_770),
  new_status: (ledger) => ledger.addStatus("conformance_unheard_of")
}

/** Authentication, then replays, then the route. */
const answering = <C extends FakeCredentials>(
  definition: FakeProviderDefinition<C>,
  ledger: Ledger,
  credentials: C
): ((request: FakeRequest) => FakeAnswer) => {
  const answered = new Map<string, { readonly request: string; readonly answer: FakeAnswer }>()
  return (request) => {
    if (!definition.authenticates(request, credentials)) return definition.unauthorized ?? { status: 401 }
    const key = request.method === "GET" ? undefined : definition.idempotency?.key(request)
    if (definition.idempotency === undefined || key === undefined) return route(definition, request, ledger)
    const asked = `${request.method} ${request.path} ${request.text}`
    const before = answered.get(key)
    if (before !== undefined) return before.request === asked ? before.answer : definition.idempotency.reused
    const answer = route(definition, request, ledger)
    answered.set(key, { request: asked, answer })
    return answer
  }
}

const route = <C extends FakeCredentials>(
  { routes }: FakeProviderDefinition<C>,
  request: FakeRequest,
  ledger: Ledger
): FakeAnswer => {
  for (const [pattern, handle] of Object.entries(routes)) {
    const matched = matchRoute(pattern, request)
    if (matched !== null) return handle(matched, { ledger })
  }
  return { status: 404, text: `The fake has no route ${request.method} ${request.path}` }
}

const webhooksOf = <C extends FakeCredentials>(
  { credentials, webhooks }: FakeProviderDefinition<C>,
  ledger: Ledger,
  mode: ProviderMode
): VendorWebhooks | null => {
  if (webhooks === undefined) return null
  const { signNewType } = webhooks
  const signed = (signing: Signing) =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      credentials: credentials[signing.mode ?? mode],
      at: signing.at ?? now
    }))
  return {
    events: Effect.sync(ledger.events),
    signsTime: webhooks.signsTime,
    batches: webhooks.batches ?? false,
    signsFields: webhooks.signsFields ?? false,
    deliver: (events, signing = {}) => Effect.map(signed(signing), (by) => webhooks.sign(events, { ...by, ledger })),
    ...(signNewType && { deliverNewType: (signing = {}) => Effect.map(signed(signing), signNewType) })
  }
}

const secretsOf = <C extends FakeCredentials>({
  credentials,
  publicCredentials = []
}: FakeProviderDefinition<C>): ReadonlyArray<string> =>
  [credentials.test, credentials.live].flatMap((each) =>
    Object.entries(each)
      .filter(([name]) => !publicCredentials.includes(name))
      .map(([, value]) => value)
  )

const rateLimited = (seconds: number | null): FakeAnswer => ({
  status: 429,
  ...(seconds !== null && { headers: { "retry-after": String(seconds) } })
})

const otherMode = (mode: ProviderMode): ProviderMode => (mode === "test" ? "live" : "test")
