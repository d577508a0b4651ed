/**
 * `POST /v1/payments`: the response to a body, and the direct route for an API key that was accepted in the last
 * second.
 */
import { decodeCreatePayment, Payments } from "@paymux/core"
import type { Created } from "@paymux/core"
import { Cause, Clock, Effect, Layer, Result } from "effect"
import { ApiKeys } from "../auth/ApiKeys.ts"
import { RateLimits } from "../auth/RateLimits.ts"
import { apiProblem, logInternalError } from "../auth/RouteError.ts"
import type { RouteError } from "../auth/RouteError.ts"
import type { Answer } from "../problems/Answer.ts"
import { keyScopeOf } from "../request/IdempotencyKey.ts"
import { isJson, parseNoted } from "../request/RequestBody.ts"
import { DirectRoute } from "../server/DirectRoute.ts"
import type { Head } from "../server/DirectRoute.ts"
import { internal, logBroken } from "../server/Edge.ts"
import * as Exchange from "../server/Exchange.ts"
import { CREATE_PAYMENT } from "./Api.ts"

type CreateOptions = Parameters<Payments["Service"]["create"]>[1]

/** Creates a payment from the decoded JSON body. Both the router's handler and the direct route call it. */
export const createFrom = (
  payments: Payments["Service"],
  body: { readonly [key: string]: unknown },
  options: CreateOptions
) =>
  Effect.flatMap(decodeCreatePayment(body), (payment) => Effect.map(payments.create(payment, options), createdAnswer))

const createdAnswer = ({ body, record, replayed }: Created): Answer => ({
  status: 201,
  headers: {
    "content-type": "application/json",
    location: `/v1/payments/${record.payment.id}`,
    ...Exchange.replayHeaders(replayed)
  },
  body
})

/** The direct route for `POST /v1/payments`: it bypasses the router and the declared API. */
export const directCreate = (basePath: string, bodyLimit: number) =>
  Layer.effect(
    DirectRoute,
    Effect.gen(function* () {
      const payments = yield* Payments
      const keys = yield* ApiKeys
      const limits = yield* RateLimits
      const clock = yield* Clock.Clock
      const reporting = yield* Exchange.sinks
      const address = `${basePath}${route}`
      const received = { method: "POST", url: route, route, basePath, clock }
      return {
        accept: (head) => {
          if (head.method !== "POST" || head.url !== address) return null
          if (!hasPlainBody(head, bodyLimit)) return null
          const idempotency = keyScopeOf(head.header("idempotency-key"), CREATE_PAYMENT)
          if (Result.isFailure(idempotency)) return null
          const principal = keys.remembered(head.header("authorization") ?? "", clock.currentTimeMillisUnsafe())
          if (principal === null || !limits.take(principal, "POST")) return null
          const exchange = Exchange.begin(reporting, received)
          const { note, requestId } = exchange
          if (note !== null) note.principal = principal
          const { account, livemode } = principal
          const options = { tenant: { account, livemode }, idempotency: idempotency.success }
          const createFromBytes = (bytes: Uint8Array): Effect.Effect<Answer, RouteError> => {
            const json = parseNoted(bytes, note)
            return Result.isSuccess(json) ? createFrom(payments, json.success, options) : Effect.fail(json.failure)
          }
          return {
            requestId,
            bodyLimit,
            answer: (body) => ending(exchange, Effect.flatMap(body, createFromBytes))
          }
        }
      }
    })
  )

const route = "/v1/payments"

/** Whether the headers describe an uncompressed JSON body whose `Content-Length` is within the limit. */
const hasPlainBody = ({ header }: Head, limit: number): boolean => {
  const length = header("content-length")
  if (length === undefined || !/^\d{1,8}$/.test(length) || Number(length) > limit) return false
  const isPlain = header("content-encoding") === undefined && header("transfer-encoding") === undefined
  return isPlain && isJson(header("content-type"))
}

/**
 * Converts the result of a creation to the final response, and records it in metrics and the request log. A failure
 * becomes a problem response.
 */
const ending = (exchange: Exchange.Exchange, created: Effect.Effect<Answer, RouteError>) =>
  Effect.matchCauseEffect(created, {
    onSuccess: (answer) => Effect.succeed(ended(exchange, answer)),
    onFailure: (cause) => {
      // An interruption means that the client disconnected, so no response is sent.
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const [logged, problem] = Result.match(Cause.findError(cause), {
        onSuccess: (error) => [logInternalError(error, exchange.requestId), apiProblem(error)] as const,
        onFailure: (broken) => [logBroken(broken, exchange.requestId), internal] as const
      })
      return Effect.as(logged, ended(exchange, Exchange.refuse(exchange, problem, null)))
    }
  })

const ended = (exchange: Exchange.Exchange, answer: Answer): Answer => {
  const length = { "content-length": String(Buffer.byteLength(answer.body)) }
  return { ...answer, headers: { ...answer.headers, ...length, ...Exchange.end(exchange, answer) } }
}
