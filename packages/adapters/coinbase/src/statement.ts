/**
 * Coinbase's statement: the captures and refunds of all payment sessions, a page of sessions at a time.
 *
 * The list of sessions has no filter by time, and its order is not published: each run reads all of it, and what is booked
 * at another time is left out here. A session's balances show whether its lists of actions are complete.
 */
import { invalidRequest, type ProviderError, rateLimited } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect } from "effect"
import type { ActionList, Client } from "./client.ts"
import { inquiryErrorOutcome } from "./errors.ts"
import { operationNamed, operationOfAction } from "./method.ts"
import * as Wire from "./wire.ts"

export const makeStatement =
  (client: Client) =>
  (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    HttpOutcome.statement(readPage(client, query))

type NoPage = ProviderError | ProviderHttp.NotSent | ProviderHttp.SentOutcomeUnknown

const readPage = Effect.fnUntraced(function* (
  client: Client,
  query: StatementQuery
): Effect.fn.Return<StatementPage, NoPage> {
  const pageToken = query.cursor === null ? null : tokenOf(query.cursor, query)
  if (pageToken === "") return yield* Effect.fail(invalidRequest("cursor"))
  const answer = yield* answered(client.sessions(pageToken))
  const { nextPageToken, paymentSessions } = yield* answer.decode(Wire.BookedSessions)
  const movements: Array<StatementMovement> = []
  for (const session of paymentSessions) {
    const whole = yield* complete(client, session)
    // The lists may follow the balances: they are read again.
    if (isOurs(whole) && isPartial(whole)) return yield* Effect.fail(rateLimited(null))
    const found = movementsOf(whole)
    if (typeof found === "string") return yield* Effect.fail(invalidRequest(`unreadable ${found}`))
    movements.push(...found.filter(({ bookedAt }) => bookedAt >= query.since && bookedAt < query.until))
  }
  const hasNext = typeof nextPageToken === "string" && nextPageToken !== ""
  return { movements, next: hasNext ? cursorOf(nextPageToken, query) : null }
})

const answered = Effect.fnUntraced(function* (request: Effect.Effect<ProviderHttp.Answer, NoPage>) {
  const answer = yield* request
  if (answer.status === 200) return answer
  // What is unknown is read again later.
  return yield* Effect.andThen(inquiryErrorOutcome(answer), Effect.fail(rateLimited(null)))
})

/** With its window: what is left out depends on it. */
const cursorOf = (token: string, { since, until }: StatementQuery): string => `${since} ${until} ${token}`

/** Empty: the cursor is not one of this window. */
const tokenOf = (cursor: string, query: StatementQuery): string => {
  const prefix = cursorOf("", query)
  return cursor.startsWith(prefix) ? cursor.slice(prefix.length) : ""
}

/** With the lists that the session came without. */
const complete = Effect.fnUntraced(function* (
  client: Client,
  session: Wire.BookedSession
): Effect.fn.Return<Wire.BookedSession, NoPage> {
  const list = (of: ActionList) => answered(client.list(session.paymentSessionId, of))
  const captures = lacks(session, "captured", session.captures)
    ? (yield* (yield* list("captures")).decode(Wire.Captures)).captures
    : (session.captures ?? null)
  const refunds = lacks(session, "refunded", session.refunds)
    ? (yield* (yield* list("refunds")).decode(Wire.Refunds)).refunds
    : (session.refunds ?? null)
  return { ...session, captures, refunds }
})

/** Whether more has moved than the actions show. */
const lacks = (
  { asset, balances }: Wire.BookedSession,
  of: "captured" | "refunded",
  actions: ReadonlyArray<Wire.Action> | null | undefined
): boolean => {
  const currency = Wire.currencyOf(asset)
  const shown = (actions ?? [])
    .filter(({ status }) => status === "succeeded")
    .reduce((sum, { amount }) => sum + (Wire.money(amount, currency)?.minorUnits ?? 0), 0)
  return (Wire.money(balances?.[of], currency)?.minorUnits ?? 0) > shown
}

const isOurs = ({ externalReferenceId }: Wire.BookedSession): boolean => operationNamed(externalReferenceId) !== null

const isPartial = (session: Wire.BookedSession): boolean =>
  lacks(session, "captured", session.captures) || lacks(session, "refunded", session.refunds)

/** Its latest event: no payer has paid, or it was canceled before anything was captured. */
const isUnpaid = ({ balances, captures, refunds, status }: Wire.BookedSession): boolean =>
  status === "created" ||
  (status === "canceled" && (balances ?? null) === null && [...(captures ?? []), ...(refunds ?? [])].length === 0)

/**
 * The id of what cannot be read, if it is ours. A session of another system may have six decimals, or another asset: it is left
 * out, because it has no amount in minor units.
 */
const movementsOf = (session: Wire.BookedSession): ReadonlyArray<StatementMovement> | string => {
  if (isUnpaid(session)) return []
  if (isOurs(session) && !hasBalances(session)) return session.paymentSessionId
  const movements: Array<StatementMovement> = []
  for (const action of [...(session.captures ?? []), ...(session.refunds ?? [])]) {
    if (action.status === "pending" || action.status === "failed") continue
    const movement = action.status === "succeeded" ? movementOf(session, action) : null
    if (movement !== null) movements.push(movement)
    else if (isOurs(session)) return idOf(action)
  }
  return movements
}

const hasBalances = ({ asset, balances }: Wire.BookedSession): boolean => {
  const currency = Wire.currencyOf(asset)
  return Wire.money(balances?.captured, currency) !== null && Wire.money(balances?.refunded, currency) !== null
}

const idOf = (action: Wire.Capture | Wire.Refund): string =>
  "captureId" in action ? action.captureId : action.refundId

/** `null`: it has no amount in minor units, or no time. */
const movementOf = (session: Wire.BookedSession, action: Wire.Capture | Wire.Refund): StatementMovement | null => {
  const amount = Wire.money(action.amount, Wire.currencyOf(session.asset))
  const bookedAt = Wire.readTime(action.createdAt)
  if (amount === null || bookedAt === null) return null
  const id = idOf(action)
  const common = { id, amount, fee: null, net: null, payout: null, bookedAt }
  const operation = operationOfAction(action)
  const payment = session.paymentSessionId
  if ("refundId" in action) {
    return { ...common, type: "refund", operation, reference: id, original: payment, direction: "out" }
  }
  // Coinbase's own capture is that of the create.
  return session.autoCapture === true && operation === null
    ? {
        ...common,
        type: "payment",
        operation: operationNamed(session.externalReferenceId),
        reference: payment,
        original: null,
        direction: "in"
      }
    : { ...common, type: "capture", operation, reference: id, original: payment, direction: "in" }
}
