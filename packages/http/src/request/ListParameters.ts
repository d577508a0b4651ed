/** The query of `GET /v1/payments`, decoded strictly: an unknown or malformed parameter is rejected, not ignored. */
import { rails } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { failureCodes, paymentStatuses } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { Effect, Schema } from "effect"
import type { Cursors } from "./Cursor.ts"
import { queryDecoder, queryRefusal } from "./QueryParameters.ts"
import type { QueryValues } from "./QueryParameters.ts"

const MAX_VALUES = 100

const anyOf = <S extends Schema.Top>(item: S) =>
  Schema.optionalKey(
    Schema.Array(item).check(Schema.isMaxLength(MAX_VALUES, { message: "may be repeated 100 times at most" }))
  )

const text = Schema.String.check(
  Schema.isPattern(/^[^\u0000]{1,512}$/, { message: "must have 1 to 512 characters, none of them NUL" })
)

export const Limit = Schema.String.check(
  Schema.isPattern(/^(?:[1-9]\d?|100)$/, { message: "must be an integer from 1 to 100" })
)

/** A time in RFC 3339, with a time zone. */
const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      parseInstant(text) !== null || "must be an RFC 3339 time with a zone, such as 2026-01-31T12:00:00Z"
  )
)

const Amount = Schema.String.check(
  Schema.isPattern(/^(?:0|[1-9]\d{0,14})$/, { message: "must be an integer of minor units, such as 500 for EUR 5.00" })
)

/** The filters that a query may repeat. */
const lists = {
  status: anyOf(Schema.Literals(paymentStatuses)),
  payment_method: anyOf(Schema.Literals(rails)),
  currency: anyOf(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { message: "must be an ISO 4217 code" }))),
  provider: anyOf(text),
  customer_email: anyOf(text),
  provider_reference: anyOf(text),
  failure_code: anyOf(Schema.Literals(failureCodes)),
  card_fingerprint: anyOf(text),
  order: anyOf(text)
}

/** The filters of payments in a query. `metadata[…]` and times are decoded separately. */
export const paymentFilters = {
  ...lists,
  amount_min: Schema.optionalKey(Amount),
  amount_max: Schema.optionalKey(Amount)
}

const Fields = Schema.Struct({
  ...paymentFilters,
  limit: Schema.optionalKey(Limit),
  starting_after: Schema.optionalKey(text),
  ending_before: Schema.optionalKey(text),
  created_after: Schema.optionalKey(Instant),
  created_before: Schema.optionalKey(Instant)
})

/**
 * The pattern of the name of a metadata filter, such as `metadata[channel]`. As on create, a metadata key has 1 to 40
 * characters.
 */
const METADATA = /^metadata\[([^\u0000-\u001f]{1,40})\]$/s

const decode = queryDecoder(Fields, Object.keys(lists))

export const listQuery = Effect.fnUntraced(function* (values: QueryValues, tenant: Tenant, cursors: Cursors) {
  const metadata: { [key: string]: Array<string> } = Object.create(null)
  const others: Array<QueryValues[number]> = []
  for (const [name, value] of values) {
    const key = METADATA.exec(name)?.[1]
    if (key === undefined) others.push([name, value])
    else (metadata[key] ??= []).push(value)
  }
  const fields = yield* decode(others)
  if (Object.values(metadata).some((values) => values.length > MAX_VALUES)) {
    return yield* refused("metadata", "may be repeated 100 times at most")
  }
  if (Object.values(metadata).some((values) => values.some((value) => value.length > 500 || value.includes("\0")))) {
    return yield* refused("metadata", "values have at most 500 characters and no NUL")
  }
  if (fields.starting_after !== undefined && fields.ending_before !== undefined) {
    return yield* refused("ending_before", "cannot stand beside starting_after")
  }
  yield* checkAmounts(fields)
  const side = fields.ending_before === undefined ? "after" : "before"
  const cursor = fields.ending_before ?? fields.starting_after
  const id = cursor === undefined ? null : cursors.read(tenant, cursor)
  if (cursor !== undefined && id === null) {
    const pointer = side === "after" ? "starting_after" : "ending_before"
    return yield* refused(pointer, "Invalid cursor, or it belongs to another account")
  }
  return {
    limit: Number(fields.limit ?? 20),
    position: id === null ? null : { side, id },
    status: fields.status ?? [],
    rail: fields.payment_method ?? [],
    currency: fields.currency ?? [],
    provider: fields.provider ?? [],
    customerEmail: fields.customer_email ?? [],
    providerReference: fields.provider_reference ?? [],
    failureCode: fields.failure_code ?? [],
    cardFingerprint: fields.card_fingerprint ?? [],
    order: fields.order ?? [],
    amountMin: fields.amount_min === undefined ? null : Number(fields.amount_min),
    amountMax: fields.amount_max === undefined ? null : Number(fields.amount_max),
    createdAfter: parseInstant(fields.created_after ?? ""),
    createdBefore: parseInstant(fields.created_before ?? ""),
    metadata,
    inReview: false
  } satisfies ListQuery
})

/** Checks an amount filter: minor units of different currencies cannot be compared. */
const checkAmounts = ({ amount_max, amount_min, currency = [] }: typeof Fields.Type) => {
  if (amount_min === undefined && amount_max === undefined) return Effect.void
  const pointer = amount_min === undefined ? "amount_max" : "amount_min"
  if (new Set(currency).size !== 1) return refused(pointer, "needs exactly one currency")
  const isEmpty = amount_min !== undefined && amount_max !== undefined && Number(amount_min) > Number(amount_max)
  return isEmpty ? refused(pointer, "must not be greater than amount_max") : Effect.void
}

const refused = (pointer: string, message: string) => Effect.fail(queryRefusal([{ pointer, message }]))

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Parses a time to ms UTC; `null`: invalid. Days that do not exist are rejected: `Date.parse` would accept some of
 * them.
 */
const parseInstant = (text: string): number | null => {
  const [, year, month, day] = RFC_3339.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return null
  const ms = Date.parse(text.toUpperCase())
  return Number.isNaN(ms) ? null : ms
}
