/**
 * Stripe's statement: the balance transactions of the account, newest first.
 *
 * What was charged is read from the source of a transaction, in the currency of the payer. Fee and net amount are those of the
 * transaction, in the currency of settlement, which may be another one.
 */
import { Currency, invalidRequest, type Money, type ProviderError } from "@paymux/core"
import type { MovementType, StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { Client } from "./client.ts"
import { errorCode } from "./errors.ts"
import { operationIn } from "./operationIn.ts"
import * as Wire from "./wire.ts"

export const makeStatement =
  (client: Client) =>
  (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    HttpOutcome.statement(readPage(client, query))

const readPage = Effect.fnUntraced(function* (
  client: Client,
  query: StatementQuery
): Effect.fn.Return<StatementPage, ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown> {
  const after = query.cursor === null ? undefined : transactionOf(query.cursor, query)
  if (after === null) return yield* Effect.fail(invalidRequest("cursor"))
  const read = (limit: number) => client.balanceTransactions(createdWithin(query), after, limit)
  const answer = yield* Effect.catchIf(read(100), isTooLarge, () => read(fewer))
  if (answer.status !== 200) return yield* HttpOutcome.statementRefusal(answer, yield* errorCode(answer))
  const { data, has_more } = yield* answer.decode(Wire.BalanceTransactions)
  const movements: Array<StatementMovement> = []
  for (const transaction of data) {
    const movement = movementOf(transaction)
    if (movement === "unreadable") return yield* Effect.fail(invalidRequest(`unreadable ${transaction.id}`))
    if (movement !== null) movements.push(movement)
  }
  const last = data.at(-1)
  if (has_more && last === undefined) return yield* Effect.fail(invalidRequest("an empty page has_more"))
  return { movements, next: has_more && last !== undefined ? cursorOf(last.id, query) : null }
})

/** The merchant's metadata can be 25 kB for each of a hundred charges: more than a response may have. */
const fewer = 10

const isTooLarge = (error: ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown): boolean =>
  error._tag === "SentOutcomeUnknown" && error.reason === "too_large"

/** Times of Stripe are whole seconds. */
const createdWithin = ({ since, until }: StatementQuery) => ({
  gte: Math.ceil(since / 1000),
  lt: Math.ceil(until / 1000)
})

/** With its window: in another one, Stripe would continue at another place without an error. */
const cursorOf = (transaction: string, { since, until }: StatementQuery): string => `${since}-${until}-${transaction}`

/** `null`: the cursor is not one of this window. */
const transactionOf = (cursor: string, query: StatementQuery): string | null => {
  const transaction = cursor.split("-").at(-1) ?? ""
  return /^\w+$/.test(transaction) && cursor === cursorOf(transaction, query) ? transaction : null
}

/** `null`: nothing moved. `unreadable`: it has an amount or currency that cannot be read, or a source that is not expanded. */
const movementOf = (transaction: Wire.BalanceTransaction): StatementMovement | "unreadable" | null => {
  const { created, id } = transaction
  const type = typeOf(transaction)
  const source = sourceOf(transaction)
  if (typeof transaction.source === "string" && ofPayment.has(type)) return "unreadable"
  const settled = settledOf(transaction)
  if (settled === null) return "unreadable"
  if (transaction.amount === 0 && transaction.net === 0) return null
  const amount = chargedOf(transaction, source)
  if (amount === null) return "unreadable"
  return {
    id,
    type,
    ...namesOf(type, source),
    amount,
    direction: directionOf(transaction),
    ...settled,
    // Stripe names the transactions of a payout, and not the payout of a transaction.
    payout: null,
    bookedAt: created * 1000
  }
}

const types: { readonly [type in string]?: MovementType } = {
  charge: "payment",
  payment: "payment",
  refund: "refund",
  payment_refund: "refund",
  refund_failure: "refund_failed",
  stripe_fee: "fee",
  stripe_fx_fee: "fee",
  tax_fee: "fee",
  payout: "payout",
  payout_cancel: "payout",
  payout_failure: "payout"
}

/** What must have an expanded source: our id is in it. */
const ofPayment: ReadonlySet<MovementType> = new Set(["payment", "refund", "refund_failed"])

/** An adjustment of a dispute takes its amount back, or returns it. A type that is not listed belongs to no payment of ours. */
const typeOf = (transaction: Wire.BalanceTransaction): MovementType => {
  const { amount, type } = transaction
  const isDispute = type === "adjustment" && sourceOf(transaction)?.object === "dispute"
  if (isDispute && amount !== 0) return amount < 0 ? "dispute" : "dispute_reversed"
  return Object.hasOwn(types, type) ? (types[type] ?? "adjustment") : "adjustment"
}

const sourceOf = ({ source }: Wire.BalanceTransaction): Wire.BalanceSource | null =>
  typeof source === "object" ? source : null

/** A fee without a gross amount has only a net one. */
const directionOf = ({ amount, net }: Wire.BalanceTransaction): StatementMovement["direction"] =>
  (amount === 0 ? net : amount) > 0 ? "in" : "out"

/** In the currency of settlement. A fee below zero was given back. */
const settledOf = ({ currency, fee, net }: Wire.BalanceTransaction): Pick<StatementMovement, "fee" | "net"> | null => {
  const kept = moneyOf(fee, currency)
  const moved = moneyOf(Math.abs(net), currency)
  return kept === null || moved === null ? null : { fee: kept, net: moved }
}

/** If Stripe converted it, the amount of the source: that is what the payer was charged. */
const chargedOf = (
  { amount, currency, net }: Wire.BalanceTransaction,
  source: Wire.BalanceSource | null
): Money.Money | null => {
  const booked = Math.abs(amount === 0 ? net : amount)
  const isConverted = typeof source?.currency === "string" && source.currency !== currency
  if (!isConverted || source === null) return moneyOf(booked, currency)
  // Of a charge that was captured in part.
  const own = source.object === "charge" ? (source.amount_captured ?? source.amount) : source.amount
  return typeof own === "number" ? moneyOf(Math.abs(own), source.currency) : null
}

const namesOf = (
  type: MovementType,
  source: Wire.BalanceSource | null
): Pick<StatementMovement, "operation" | "reference" | "original"> => {
  if (source === null) return { operation: null, reference: null, original: null }
  const { id, metadata } = source
  const payment = idOf(source.payment_intent) ?? idOf(source.charge)
  const operation = operationIn(metadata)
  switch (type) {
    case "payment":
      return { operation, reference: payment ?? id, original: null }
    case "refund":
    case "refund_failed":
      return { operation, reference: id, original: payment }
    case "dispute":
    case "dispute_reversed":
      return { operation: null, reference: id, original: payment }
    default:
      return { operation: null, reference: id, original: null }
  }
}

const idOf = (value: string | { readonly id: string } | null | undefined): string | null =>
  (typeof value === "object" ? value?.id : value) ?? null

/** Stripe's units per minor unit of ISO 4217, where they differ. */
const scales: { readonly [currency in string]?: number } = { ISK: 100, UGX: 100, MGA: 0.01 }

/** `null`: not a known currency, or not an amount in its minor units. */
const moneyOf = (units: number, lowerCase: unknown): Money.Money | null => {
  const currency = typeof lowerCase === "string" ? lowerCase.toUpperCase() : ""
  const scale = Object.hasOwn(scales, currency) ? (scales[currency] ?? 1) : 1
  const minorUnits = scale < 1 ? Math.round(units / scale) : units / scale
  return Number.isSafeInteger(minorUnits) && Currency.isCurrency(currency) ? { minorUnits, currency } : null
}
