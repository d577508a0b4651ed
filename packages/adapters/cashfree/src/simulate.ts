/** Cashfree's sandbox has no payer: what becomes of a payment is said by us. */
import { type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Redacted, Schema } from "effect"
import { makeClient } from "./client.ts"
import { read } from "./errors.ts"
import * as Wire from "./wire.ts"

/** Nothing was simulated. The detail is for people, and has no secret in it. */
export class SimulationRefused extends Schema.TaggedError<SimulationRefused>()("SimulationRefused", {
  detail: Schema.String
}) {
  override get message(): string {
    return `Nothing was simulated: ${this.detail}.`
  }
}

export interface Simulation {
  readonly clientId: string
  /** Of the sandbox; one of production is refused. */
  readonly clientSecret: Redacted.Redacted
  /** The order whose newest payment is meant: with S2S an operation's `reference`. */
  readonly orderId: string
  readonly status: "SUCCESS" | "FAILED" | "PENDING" | "USER_DROPPED"
  /** Of a `FAILED`, such as `ISSUER_NOT_AVAILABLE`. */
  readonly errorCode?: string
  /** The sandbox by default; another is for tests. */
  readonly baseUrl?: string
}

/**
 * Decides, in the sandbox, what becomes of an order's newest payment; answers the payment's id.
 *
 * @example
 * ```ts
 * simulatePayment({ clientId, clientSecret, orderId: "op_…", status: "SUCCESS" })
 * ```
 */
export const simulatePayment = (simulation: Simulation): Effect.Effect<string, SimulationRefused> =>
  Effect.gen(function* () {
    if (Redacted.value(simulation.clientSecret).startsWith("cfsk_ma_prod_")) {
      return yield* refused("these are keys of production, where payers decide")
    }
    const client = yield* makeClient({ ...simulation, environment: "sandbox" })
    const [newest] = (yield* read(Wire.Payments, client.payments(simulation.orderId))).toSorted((one, other) =>
      (other.payment_time ?? "").localeCompare(one.payment_time ?? "")
    )
    if (newest === undefined) return yield* refused("the order has no payment yet")
    const simulated = client.simulate({
      entity: "PAYMENTS",
      entity_id: newest.cf_payment_id,
      entity_simulation: {
        payment_status: simulation.status,
        ...(simulation.errorCode !== undefined && { payment_error_code: simulation.errorCode })
      }
    })
    yield* read(Wire.Simulation, simulated)
    return newest.cf_payment_id
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      NotSent: (error: ProviderHttp.NotSent) => refused(error.message),
      Refused: ({ answer }) => refused(`Cashfree answered with ${answer.status}`),
      SentOutcomeUnknown: (error: ProviderHttp.SentOutcomeUnknown) => refused(error.message)
    })
  )

const refused = (detail: string) => Effect.fail(new SimulationRefused({ detail }))
