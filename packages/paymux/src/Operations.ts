/** The engine's operations in Promises, in the JSON of the wire: one shape, inside the process and over HTTP. */
import type {
  BreakerSnapshot,
  CreatePaymentJson,
  EventType,
  PaymentJson,
  PaymentStatus,
  Rail,
  Tenant
} from "@paymux/core"
import {
  Breakers,
  decodeCreatePayment,
  eventTypes,
  InvalidPayment,
  isPaymentId,
  paymentError,
  paymentJson,
  PaymentNotFound,
  Payments
} from "@paymux/core"
import { ApiKeys, cursors, listPayments } from "@paymux/http"
import type { PaymentListJson } from "@paymux/http"
import type { WebhookEndpoint } from "@paymux/webhooks"
import { WebhookEndpoints } from "@paymux/webhooks"
import { Cause, Effect, Exit, Redacted } from "effect"
import type { Context } from "effect"
import { ServerSecret } from "./App.ts"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

/** Every call rejects with the error's own class; of payments that is `PaymentError`, with a tagged `reason`. */
export interface Operations {
  readonly payments: {
    /** The body of `POST /v1/payments`. `idempotencyKey`: the same key and request answer the same payment. */
    readonly create: (payment: CreatePaymentJson, options?: CreateOptions) => Promise<PaymentJson>
    readonly get: (id: string) => Promise<PaymentJson>
    /** The query of `GET /v1/payments`. */
    readonly list: (parameters?: ListParameters) => Promise<PaymentListJson>
  }
  readonly webhookEndpoints: {
    /** `secret` verifies what is sent there (Standard Webhooks); it is given this once. */
    readonly add: (endpoint: NewEndpoint) => Promise<WebhookEndpoint & { readonly secret: string }>
    readonly list: () => Promise<ReadonlyArray<WebhookEndpoint>>
    /** `false`: there is none with this id. */
    readonly remove: (id: string) => Promise<boolean>
  }
  readonly apiKeys: {
    /** `key` is given this once. */
    readonly create: (options?: { readonly name?: string }) => Promise<{ readonly id: string; readonly key: string }>
    readonly revoke: (id: string) => Promise<void>
  }
  /** The circuit breakers as they stand, one for each provider and kind of operation in use. */
  readonly breakers: () => Promise<ReadonlyArray<BreakerState>>
}

export interface CreateOptions {
  /** 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string
}

/** As in the query of the API: an array means any of. */
export interface ListParameters {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
  readonly status?: PaymentStatus | ReadonlyArray<PaymentStatus>
  readonly payment_method?: Rail | ReadonlyArray<Rail>
  readonly currency?: string | ReadonlyArray<string>
  readonly provider?: string | ReadonlyArray<string>
  readonly customer_email?: string | ReadonlyArray<string>
  /** RFC 3339 with a zone. */
  readonly created_after?: string
  readonly created_before?: string
  readonly metadata?: { readonly [key: string]: string | ReadonlyArray<string> }
}

export interface NewEndpoint {
  readonly url: string
  /** Default: all. */
  readonly events?: readonly [EventType, ...ReadonlyArray<EventType>]
}

export interface BreakerState {
  readonly provider: string
  readonly operation: string
  readonly state: BreakerSnapshot["state"]
  readonly cause: BreakerSnapshot["cause"]
  /** ms UTC */
  readonly since: number
}

type Services = Payments | WebhookEndpoints | ApiKeys | Breakers | ServerSecret

export const make = (settings: PaymuxSettings, context: Context.Context<Services>): Operations => {
  const tenant: Tenant = { account: settings.account, livemode: settings.livemode }
  const run = async <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => {
    const exit = await Effect.runPromiseExit(Effect.provideContext(effect, context))
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }
  return {
    payments: {
      create: (payment, options = {}) => run(create(tenant, payment, options)),
      get: (id) => run(get(tenant, id)),
      list: (parameters = {}) => run(list(tenant, parameters))
    },
    webhookEndpoints: {
      add: (endpoint) => run(addEndpoint(tenant, endpoint)),
      list: () => run(WebhookEndpoints.use((endpoints) => endpoints.list(tenant))),
      remove: (id) => run(WebhookEndpoints.use((endpoints) => endpoints.remove(tenant, id)))
    },
    apiKeys: {
      create: ({ name = "default" } = {}) => run(createKey(tenant, name)),
      revoke: (id) => run(Effect.asVoid(ApiKeys.use((keys) => keys.revoke(id))))
    },
    breakers: () =>
      run(
        Effect.map(
          Breakers.use((breakers) => breakers.snapshot),
          (all) => all.map(breakerState)
        )
      )
  }
}

/** Keys given in the process and over HTTP are apart: they are different doors. */
const ENDPOINT = "payments.create"

const create = Effect.fnUntraced(function* (tenant: Tenant, json: CreatePaymentJson, options: CreateOptions) {
  const payments = yield* Payments
  const idempotency = yield* idempotencyOf(options)
  const { body } = yield* payments.create(yield* decodeCreatePayment(json), { tenant, idempotency })
  // The bytes are our own, or those we kept: they are what the type says.
  const payment: PaymentJson = JSON.parse(body)
  return payment
})

/** As the header of the API: a key that is empty or no text protects nothing, so it is refused and not ignored. */
const idempotencyOf = (options: CreateOptions) => {
  const { idempotencyKey: key } = options
  const unknown = Object.keys(options).find((name) => name !== "idempotencyKey")
  if (unknown !== undefined) return Effect.fail(invalid(`/${unknown}`, "is not a known option"))
  if (key === undefined) return Effect.succeed(null)
  return typeof key === "string" && /^[\u0021-\u007e]{1,255}$/.test(key)
    ? Effect.succeed({ endpoint: ENDPOINT, key })
    : Effect.fail(invalid("/idempotencyKey", "must have 1 to 255 visible ASCII characters"))
}

const invalid = (pointer: string, message: string) =>
  paymentError(new InvalidPayment({ errors: [{ pointer, message }] }))

const get = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  if (!isPaymentId(id)) return yield* paymentError(new PaymentNotFound())
  return paymentJson(yield* Payments.use((payments) => payments.get(tenant, id)))
})

const list = Effect.fnUntraced(function* (tenant: Tenant, { metadata = {}, ...parameters }: ListParameters) {
  const values = [
    ...Object.entries(parameters),
    ...Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value] as const)
  ].flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const))
  return yield* listPayments(tenant, values, cursors(yield* ServerSecret)).pipe(
    Effect.catchTag("ApiProblem", ({ errors = [] }) => Effect.fail(paymentError(new InvalidPayment({ errors }))))
  )
})

const addEndpoint = Effect.fnUntraced(function* (tenant: Tenant, { events, url }: NewEndpoint) {
  const misspelt = events?.findIndex((event) => !eventTypes.includes(event)) ?? -1
  if (misspelt >= 0) return yield* invalid(`/events/${misspelt}`, `must be one of ${eventTypes.join(", ")}`)
  const { endpoint, secret } = yield* WebhookEndpoints.use((endpoints) =>
    endpoints.add({ ...tenant, url, ...(events === undefined ? {} : { events }) })
  )
  return { ...endpoint, secret: Redacted.value(secret) }
})

const createKey = Effect.fnUntraced(function* (tenant: Tenant, name: string) {
  const { key, record } = yield* ApiKeys.use((keys) =>
    keys.create({ account: tenant.account, mode: tenant.livemode ? "live" : "test", name })
  )
  return { id: record.keyId, key: Redacted.value(key) }
})

const breakerState = ({ cause, key, since, state }: BreakerSnapshot): BreakerState => ({ ...key, state, cause, since })

/** The sandbox's key, the same at every start. */
export const testKey = (settings: PaymuxSettings) => ApiKeys.use((keys) => keys.ensureReadableTestKey(settings.account))
