/** The calls about payments and refunds: decode what is asked, call the engine, answer the JSON of the wire. */
import { decodeCreatePayment, Payments } from "@paymux/core"
import type { PaymentError, PaymentId, PaymentStatus, Rail, Tenant } from "@paymux/core"
import { eventTypes } from "@paymux/core/store"
import type { FailureCode } from "@paymux/core/store"
import {
  decodeCapturePayment,
  decodeOperatorRefund,
  findRawCardData,
  HostedPage,
  InvalidPayment,
  isPaymentId,
  isRefundId,
  paymentError,
  paymentJson,
  PaymentNotFound,
  RawCardData,
  refundJson,
  RefundNotFound
} from "@paymux/core/wire"
import type {
  CapturePaymentJson,
  CreatePaymentJson,
  OperatorRefundJson,
  PaymentJson,
  RefundJson
} from "@paymux/core/wire"
import { defaultOfTimeline, mostOfTimeline, readTimeline } from "@paymux/dashboard"
import type { TimelineQuery } from "@paymux/dashboard"
import { cursors, listPayments, refundList } from "@paymux/http"
import { Effect, Predicate } from "effect"
import { Installation } from "./secrets/Installation.ts"

export interface RequestOptions {
  /** 1 to 255 visible ASCII characters: the same key and request are done once, and answered alike. */
  readonly idempotencyKey?: string
}

/** Of a capture, a cancel and a refund. */
export interface OperationOptions extends RequestOptions {
  /**
   * `version` of the payment that was read. If the payment has changed since, it is refused as `VersionConflict`, unless it
   * repeats a request by its key.
   */
  readonly version?: number
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
  /** Of an attempt, capture, cancel or refund, such as `pi_…`. */
  readonly provider_reference?: string | ReadonlyArray<string>
  /** Why the payment failed. */
  readonly failure_code?: FailureCode | ReadonlyArray<FailureCode>
  /** As in `payment_method_details.card.fingerprint`. */
  readonly card_fingerprint?: string | ReadonlyArray<string>
  /** Your id of the order, as on create. */
  readonly order?: string | ReadonlyArray<string>
  /** Minor units, inclusive. Both need exactly one `currency`. */
  readonly amount_min?: number
  readonly amount_max?: number
  /** RFC 3339 with a zone. */
  readonly created_after?: string
  readonly created_before?: string
  readonly metadata?: { readonly [key: string]: string | ReadonlyArray<string> }
}

export const create = Effect.fnUntraced(function* (tenant: Tenant, json: CreatePaymentJson, options: RequestOptions) {
  const payments = yield* Payments
  const idempotency = yield* keyScope("payments.create", options)
  const { body } = yield* payments.create(yield* decodeCreatePayment(json), { tenant, idempotency })
  // The bytes are our own, or those we kept: they are what the type says. So below.
  const payment: PaymentJson = JSON.parse(body)
  return payment
})

export const get = Effect.fnUntraced(function* (tenant: Tenant, text: string) {
  const id = yield* paymentId(text)
  return paymentJson(yield* Payments.use((payments) => payments.get(tenant, id)), yield* HostedPage)
})

export const timeline = Effect.fnUntraced(function* (tenant: Tenant, text: string, query: Partial<TimelineQuery>) {
  yield* onlyKnown(query, ["after", "limit"])
  const { after, limit = defaultOfTimeline } = query
  yield* asText(after, "/after")
  const page = yield* readTimeline(tenant, yield* paymentId(text), {
    limit: yield* asLimit(limit, mostOfTimeline),
    ...(after !== undefined && { after })
  })
  return page ?? (yield* paymentError(new PaymentNotFound()))
})

export const list = Effect.fnUntraced(function* (tenant: Tenant, asked: ListParameters) {
  yield* asOptions(asked)
  const { metadata = {}, ...parameters } = asked
  const values = [
    ...Object.entries(parameters),
    ...Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value] as const)
  ].flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const))
  return yield* listPayments(tenant, values, cursors((yield* Installation).secrets)).pipe(
    Effect.catchTag("ApiProblem", ({ errors = [] }) => Effect.fail(paymentError(new InvalidPayment({ errors }))))
  )
})

export const capture = Effect.fnUntraced(function* (
  tenant: Tenant,
  id: string,
  json: CapturePaymentJson,
  options: OperationOptions
) {
  const payments = yield* Payments
  const requested = yield* operationOptions(tenant, "payments.capture", options)
  const asked = yield* decodeCapturePayment(json)
  const { body } = yield* payments.capture(yield* paymentId(id), asked, requested)
  const payment: PaymentJson = JSON.parse(body)
  return payment
})

export const cancel = Effect.fnUntraced(function* (tenant: Tenant, id: string, options: OperationOptions) {
  const payments = yield* Payments
  const requested = yield* operationOptions(tenant, "payments.cancel", options)
  const { body } = yield* payments.cancel(yield* paymentId(id), requested)
  const payment: PaymentJson = JSON.parse(body)
  return payment
})

export const createRefund = Effect.fnUntraced(function* (
  tenant: Tenant,
  id: string,
  json: OperatorRefundJson,
  options: OperationOptions
) {
  const payments = yield* Payments
  const requested = yield* operationOptions(tenant, "refunds.create", options)
  const asked = yield* decodeOperatorRefund(json)
  const { body } = yield* payments.refund(yield* paymentId(id), asked, requested)
  const refund: RefundJson = JSON.parse(body)
  return refund
})

export const getRefund = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  if (!isRefundId(id)) return yield* paymentError(new RefundNotFound())
  const { operation, record } = yield* Payments.use((payments) => payments.findRefund(tenant, id))
  return refundJson(record, operation)
})

export const listRefunds = Effect.fnUntraced(function* (tenant: Tenant, text: string) {
  const id = yield* paymentId(text)
  return refundList(yield* Payments.use((payments) => payments.get(tenant, id)))
})

const paymentId = (text: string): Effect.Effect<PaymentId, PaymentError> =>
  isPaymentId(text) ? Effect.succeed(text) : Effect.fail(paymentError(new PaymentNotFound()))

/**
 * As the header of the API: a key that is empty or no text protects nothing, so it is refused and not ignored. It is kept,
 * so it holds no card number. Keys given in the process and over HTTP are apart: they are different doors.
 */
const keyScope = Effect.fnUntraced(function* (
  endpoint: string,
  options: RequestOptions,
  known: ReadonlyArray<string> = ["idempotencyKey"]
) {
  yield* onlyKnown(options, known)
  const { idempotencyKey: key } = options
  if (key === undefined) return null
  if (typeof key !== "string" || !/^[\u0021-\u007e]{1,255}$/.test(key)) {
    return yield* invalid("/idempotencyKey", "must have 1 to 255 visible ASCII characters")
  }
  if (findRawCardData(key) !== null) return yield* paymentError(new RawCardData({ pointer: "/idempotencyKey" }))
  return { endpoint, key }
})

const operationOptions = Effect.fnUntraced(function* (tenant: Tenant, endpoint: string, options: OperationOptions) {
  const idempotency = yield* keyScope(endpoint, options, ["idempotencyKey", "version"])
  const { version } = options
  if (version === undefined) return { tenant, idempotency }
  if (!Number.isSafeInteger(version) || version < 1) return yield* invalid("/version", "must be a whole number from 1")
  return { tenant, idempotency, version }
})

/** Only `undefined` has a default: JavaScript may give `null`, or text. */
export const asOptions = (options: unknown): Effect.Effect<void, PaymentError> =>
  Predicate.isObject(options) ? Effect.void : Effect.fail(invalid("", "must be an object of options"))

export const invalid = (pointer: string, message: string) =>
  paymentError(new InvalidPayment({ errors: [{ pointer, message }] }))

export const onlyKnown = Effect.fnUntraced(function* (options: object, known: ReadonlyArray<string>) {
  yield* asOptions(options)
  const misspelt = Object.keys(options).find((name) => !known.includes(name))
  if (misspelt !== undefined) return yield* invalid(`/${misspelt}`, "is not a known option")
})

/** Of a list; 20 if it is left out. */
export const asLimit = Effect.fnUntraced(function* (limit: number | undefined = 20, most = 1000) {
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    return yield* invalid("/limit", `must be from 1 to ${most}`)
  return limit
})

export const asTime = (time: number | undefined, pointer: string): Effect.Effect<void, PaymentError> =>
  time === undefined || (Number.isSafeInteger(time) && time >= 0)
    ? Effect.void
    : Effect.fail(invalid(pointer, "must be a time in ms UTC"))

export const asText = (text: string | undefined, pointer: string): Effect.Effect<void, PaymentError> =>
  text === undefined || typeof text === "string" ? Effect.void : Effect.fail(invalid(pointer, "must be text"))

export const asOneOf = (
  word: unknown,
  words: ReadonlyArray<string>,
  pointer: string
): Effect.Effect<void, PaymentError> =>
  word === undefined || words.some((each) => each === word)
    ? Effect.void
    : Effect.fail(invalid(pointer, `must be one of ${words.join(", ")}`))

/** A caller in JavaScript may pass anything. */
export const asEventTypes = (types: unknown, pointer: string): Effect.Effect<void, PaymentError> => {
  if (types === undefined) return Effect.void
  if (!Array.isArray(types) || types.length === 0) {
    return Effect.fail(invalid(pointer, "must be a list of event types"))
  }
  const misspelt = types.findIndex((type) => !eventTypes.includes(type))
  return misspelt < 0
    ? Effect.void
    : Effect.fail(invalid(`${pointer}/${misspelt}`, `must be one of ${eventTypes.join(", ")}`))
}
