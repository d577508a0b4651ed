/** The engine's operations in Promises, in the JSON of the wire: one shape, inside the process and over HTTP. */
import type {
  BreakerSnapshot,
  CapturePaymentJson,
  CreatePaymentJson,
  CreateRefundJson,
  EventType,
  PaymentJson,
  Payments,
  RefundJson,
  Tenant
} from "@paymux/core"
import { Breakers, eventTypes } from "@paymux/core"
import { ApiKeys } from "@paymux/http"
import type { PaymentListJson, RefundListJson } from "@paymux/http"
import type { WebhookEndpoint } from "@paymux/webhooks"
import { WebhookEndpoints } from "@paymux/webhooks"
import { Cause, Effect, Exit, Redacted } from "effect"
import type { Context } from "effect"
import type { ServerSecret } from "./App.ts"
import * as PaymentCalls from "./PaymentCalls.ts"
import type { ListParameters, RequestOptions } from "./PaymentCalls.ts"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

/** Every call rejects with the error's own class; of payments that is `PaymentError`, with a tagged `reason`. */
export interface Operations {
  readonly payments: {
    /** The body of `POST /v1/payments`. `idempotencyKey`: the same key and request answer the same payment. */
    readonly create: (payment: CreatePaymentJson, options?: RequestOptions) => Promise<PaymentJson>
    readonly get: (id: string) => Promise<PaymentJson>
    /** The query of `GET /v1/payments`. */
    readonly list: (parameters?: ListParameters) => Promise<PaymentListJson>
    /** Takes the money of a payment that is authorized; of a part (`amount`), the rest is let go. */
    readonly capture: (id: string, capture?: CapturePaymentJson, options?: RequestOptions) => Promise<PaymentJson>
    /** Lets go of a hold, or closes what the payer has not done yet. */
    readonly cancel: (id: string, options?: RequestOptions) => Promise<PaymentJson>
  }
  readonly refunds: {
    /** Gives back all that is left, or `amount`. Two equal calls are two refunds, unless they have the same key. */
    readonly create: (paymentId: string, refund?: CreateRefundJson, options?: RequestOptions) => Promise<RefundJson>
    readonly get: (id: string) => Promise<RefundJson>
    /** All of a payment, newest first. */
    readonly list: (paymentId: string) => Promise<RefundListJson>
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
      create: (payment, options = {}) => run(PaymentCalls.create(tenant, payment, options)),
      get: (id) => run(PaymentCalls.get(tenant, id)),
      list: (parameters = {}) => run(PaymentCalls.list(tenant, parameters)),
      capture: (id, asked = {}, options = {}) => run(PaymentCalls.capture(tenant, id, asked, options)),
      cancel: (id, options = {}) => run(PaymentCalls.cancel(tenant, id, options))
    },
    refunds: {
      create: (id, asked = {}, options = {}) => run(PaymentCalls.createRefund(tenant, id, asked, options)),
      get: (id) => run(PaymentCalls.getRefund(tenant, id)),
      list: (id) => run(PaymentCalls.listRefunds(tenant, id))
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

const addEndpoint = Effect.fnUntraced(function* (tenant: Tenant, { events, url }: NewEndpoint) {
  const misspelt = events?.findIndex((event) => !eventTypes.includes(event)) ?? -1
  if (misspelt >= 0)
    return yield* PaymentCalls.invalid(`/events/${misspelt}`, `must be one of ${eventTypes.join(", ")}`)
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
