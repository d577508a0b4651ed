/**
 * Captures, cancels, refunds, resolutions and erasures with an audit entry. They do not happen in one transaction, and some
 * happen at a provider, so the entry is written before them: what is not recorded is not done.
 *
 * The payment itself shows what became of a request. A second entry says if it was refused, or if it repeated an earlier
 * request under the same key, for which alone something was done. If no answer came, there is no second entry.
 */
import { Erasure, PaymentError, Payments, Reviews } from "@paymux/core"
import type { OperationAnswer, PaymentId, Tenant } from "@paymux/core"
import { StoreUnavailable } from "@paymux/core/store"
import type { Acceptance, IntendedStatement } from "@paymux/core/store"
import { paymentError, spending, Unavailable } from "@paymux/core/wire"
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
    const repeated = secondEntry(append, "repeated")
    const ofPerson = (entry: Requested, write: Effect.Effect<OperationAnswer, PaymentError>) =>
      Effect.flatMap(CurrentActor, ({ kind }) =>
        kind === "program"
          ? write
          : requested(
              entry,
              Effect.tap(write, ({ replayed }) => (replayed ? repeated(entry) : Effect.void))
            )
      )

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
      // Without the reason and the evidence, which may name the customer: they stand with the refund, and are erased there.
      refund: (id, request, options) => {
        const after = { amount: request.minorUnits, ...(request.override !== undefined && { override: true }) }
        return ofPerson(
          { tenant: options.tenant, action: "payment.refund", target: id, after },
          payments.refund(id, request, options)
        )
      }
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
      resolve: Effect.fnUntraced(function* (tenant, id, statement) {
        const { acceptance, amount = null, resolution, subject } = statement
        const accepted = acceptance === undefined ? {} : yield* acceptedIn(reviews, tenant, id, statement, acceptance)
        const after = { ...subject, resolution, amount, ...accepted }
        return yield* requested(
          { tenant, action: "review.resolve", target: id, after },
          reviews.resolve(tenant, id, statement)
        )
      }),
      recordDispute: (tenant, id, statement) => {
        const { amount, provider, reference, status } = statement
        const after = { status, reference, amount, provider }
        return requested(
          { tenant, action: "dispute.record", target: id, after },
          reviews.recordDispute(tenant, id, statement)
        )
      }
    })
  })
)

/** What is accepted, and why. Nothing of an acceptance that is refused: its text may be of any length. */
const acceptedIn = (
  reviews: Reviews["Service"],
  tenant: Tenant,
  id: PaymentId,
  intended: IntendedStatement,
  { amount, reason }: Acceptance
) =>
  reviews.consequences(tenant, id, intended).pipe(
    Effect.as({ accepted: amount, reason: reason.trim() }),
    Effect.catchTag("ReviewRefused", () => Effect.succeed({}))
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
  <A, E>(entry: Requested, write: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> =>
    spending(Effect.mapError(append({ ...entry, outcome: "requested", before: null }), unavailable), () =>
      Effect.tapError(write, (error) => {
        const outcome = outcomeOf(error)
        return outcome === null ? Effect.void : secondEntry(append, outcome)(entry)
      })
    )

const secondEntry =
  (append: AuditLog["Service"]["append"], outcome: "refused" | "repeated") =>
  (entry: Requested): Effect.Effect<void> =>
    Effect.catch(append({ ...entry, outcome, before: null }), (cause) =>
      Effect.logWarning(`The audit log does not show that ${entry.action} was ${outcome}`, cause)
    )

/**
 * `null`: the database did not answer, so the request may have been accepted. A key is in flight only for the same request,
 * which was accepted before this one.
 */
const outcomeOf = (error: unknown): "refused" | "repeated" | null => {
  if (error instanceof StoreUnavailable) return null
  if (!(error instanceof PaymentError)) return "refused"
  if (error.reason._tag === "Unavailable") return null
  return error.reason._tag === "IdempotencyInFlight" ? "repeated" : "refused"
}
