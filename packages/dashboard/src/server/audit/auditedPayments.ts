/**
 * Captures, cancels, refunds, resolutions and erasures with an audit entry. They do not happen in one transaction, and some
 * happen at a provider, so the entry is written before them: what is not recorded is not done.
 *
 * The payment itself shows what became of a request. If it was refused, a second entry says so; if no answer came, there is
 * no second entry.
 */
import { Erasure, PaymentError, Payments, Reviews } from "@paymux/core"
import type { PaymentId, Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import { paymentError, Unavailable } from "@paymux/core/wire"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentActor } from "./Actor.ts"
import { AuditLog } from "./AuditLog.ts"
import type { AuditAction, AuditFields } from "./AuditLog.ts"

interface Requested {
  readonly tenant: Tenant
  readonly action: AuditAction
  readonly target: PaymentId | null
  readonly after: AuditFields
}

/** Of a person alone. What a merchant's program asks for is not administration: it is what Paymux is there for. */
export const auditedPayments: Layer.Layer<Payments, never, Payments | AuditLog> = Layer.effect(
  Payments,
  Effect.gen(function* () {
    const payments = yield* Payments
    const { append } = yield* AuditLog
    const requested = recordingBefore(append, (cause) => paymentError(new Unavailable({ cause })))
    const ofPerson = <A, E>(entry: Requested, write: Effect.Effect<A, E>) =>
      Effect.flatMap(CurrentActor, ({ kind }) => (kind === "program" ? write : requested(entry, write)))

    return Payments.of({
      ...payments,
      capture: (id, request, options) =>
        ofPerson(
          { tenant: options.tenant, action: "payment.capture", target: id, after: { amount: request.minorUnits } },
          payments.capture(id, request, options)
        ),
      cancel: (id, options) =>
        ofPerson(
          { tenant: options.tenant, action: "payment.cancel", target: id, after: {} },
          payments.cancel(id, options)
        ),
      // Without the reason, which may name the customer: it stands with the refund, and is erased there.
      refund: (id, request, options) =>
        ofPerson(
          { tenant: options.tenant, action: "payment.refund", target: id, after: { amount: request.minorUnits } },
          payments.refund(id, request, options)
        )
    })
  })
)

export const auditedReviews: Layer.Layer<Reviews, never, Reviews | AuditLog> = Layer.effect(
  Reviews,
  Effect.gen(function* () {
    const reviews = yield* Reviews
    const { append } = yield* AuditLog
    const requested = recordingBefore(append, (cause) => new StoreUnavailable({ cause }))

    return Reviews.of({
      ...reviews,
      // Without the evidence, which is kept with the payment and erased there.
      resolve: (tenant, id, statement) => {
        const { amount = null, resolution, subject } = statement
        const after = { ...subject, resolution, amount }
        return requested(
          { tenant, action: "review.resolve", target: id, after },
          reviews.resolve(tenant, id, statement)
        )
      }
    })
  })
)

export const auditedErasure: Layer.Layer<Erasure, never, Erasure | AuditLog> = Layer.effect(
  Erasure,
  Effect.gen(function* () {
    const erasure = yield* Erasure
    const { append } = yield* AuditLog
    const requested = recordingBefore(append, (cause) => new StoreUnavailable({ cause }))

    return Erasure.of({
      ...erasure,
      erase: (tenant, payments, show) => {
        const [first, ...others] = payments
        const target = first !== undefined && others.length === 0 ? first : null
        const entry = { tenant, action: "customer.erase", target, after: { payments: payments.length } } as const
        return requested(entry, erasure.erase(tenant, payments, show))
      }
    })
  })
)

const recordingBefore =
  <Unavailable>(append: AuditLog["Service"]["append"], unavailable: (cause: SqlError) => Unavailable) =>
  <A, E>(entry: Requested, write: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> => {
    const refused = Effect.catch(append({ ...entry, outcome: "refused", before: null }), (cause) =>
      Effect.logWarning(`The refusal of ${entry.action} was not recorded`, cause)
    )
    return append({ ...entry, outcome: "requested", before: null }).pipe(
      Effect.mapError(unavailable),
      Effect.andThen(Effect.tapError(write, (error) => (isUnknown(error) ? Effect.void : refused)))
    )
  }

/** The database did not answer: the request may have been accepted, so the log must not say that it was refused. */
const isUnknown = (error: unknown): boolean =>
  error instanceof PaymentError ? error.reason._tag === "Unavailable" : error instanceof StoreUnavailable
