/**
 * The handlers of payments. What moves money is requested under an idempotency key, so that a double click acts once, and for
 * the version of the payment that the person has seen, so that two people do not both refund it.
 */
import { Payments } from "@paymux/core"
import type { OperationAnswer, PaymentError, PaymentId, PaymentRecord, RequestOptions } from "@paymux/core"
import { paymentBalance, timeOfPaymentId } from "@paymux/core/store"
import type { PaymentStore } from "@paymux/core/store"
import {
  decodeCancelPayment,
  decodeCapturePayment,
  decodeOperatorRefund,
  HostedPage,
  paymentError,
  paymentJson,
  PaymentNotFound,
  Unavailable
} from "@paymux/core/wire"
import { ApiProblem, jsonResponse, keyScope, paymentId, readJsonObject, replayHeaders } from "@paymux/http"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { CurrentActor } from "../../audit/Actor.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { SimulatedPayer } from "../../payments/SimulatedPayer.ts"
import type { SimulatedPayerService } from "../../payments/SimulatedPayer.ts"
import { RoutingRules } from "../../rules/RoutingRules.ts"
import { ControlApi } from "../ControlApi.ts"
import { defaultOfTimeline, readTimeline } from "../../payments/readTimeline.ts"
import { bodyOf, control, expectedVersion, invalidCursor, withVersion } from "../controlHandler.ts"
import type { ControlError } from "../controlHandler.ts"
import { ruled } from "../rules/rulesProblems.ts"
import { listQueryOf } from "./listQueryOf.ts"
import { Simulation } from "./PaymentsGroup.ts"
import type { PaymentPage } from "./PaymentsGroup.ts"

export const paymentsHandlers = HttpApiBuilder.group(ControlApi, "payments", (handlers) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const hostedUrl = yield* HostedPage
    const rules = yield* RoutingRules
    const payer = yield* SimulatedPayer
    const { append } = yield* AuditLog
    const stores = yield* Effect.context<PaymentStore | SqlClient.SqlClient>()

    const find = Effect.fnUntraced(function* (text: string) {
      return yield* payments.get(yield* CurrentTenant, yield* paymentId(text))
    })

    const detailsOf = (record: PaymentRecord) => ({
      payment: paymentJson(record, hostedUrl),
      version: record.payment.version,
      balance: paymentBalance(record),
      actions: payments.offers(record),
      simulated: payer?.decides(record) ?? false
    })

    /** A request for a version that is not the payment's any more is answered with the payment as it is now. */
    const onVersion = <A, R>(id: string, asked: Effect.Effect<A, ControlError, R>) =>
      Effect.catchIf(
        asked,
        (error) => error._tag === "PaymentError" && error.reason._tag === "VersionConflict",
        () =>
          Effect.flatMap(find(id), (record) =>
            Effect.fail(new ApiProblem({ code: "version_conflict", current: detailsOf(record) }))
          )
      )

    return handlers
      .handleRaw("list", ({ query }) =>
        control(
          Effect.gen(function* () {
            const tenant = yield* CurrentTenant
            const { hasMore, records, stoppedAt } = yield* payments.list(tenant, yield* listQueryOf(tenant, query))
            // Not encoded by its schema, which takes a fifth of the time: `paymentJson` makes what the schema declares.
            const page: PaymentPage = {
              data: records.map((record) => paymentJson(record, hostedUrl)),
              next: hasMore ? (stoppedAt ?? records.at(-1)?.payment.id ?? null) : null,
              ...(stoppedAt !== null && { searchedUntil: timeOfPaymentId(stoppedAt) })
            }
            return jsonResponse(JSON.stringify(page))
          })
        )
      )
      .handle("get", ({ params }) =>
        control(
          Effect.gen(function* () {
            const record = yield* find(params.id)
            yield* withVersion(record.payment.version)
            return detailsOf(record)
          })
        )
      )
      .handle("timeline", ({ params, query: { limit = defaultOfTimeline, ...query } }) =>
        control(
          Effect.gen(function* () {
            const id = yield* paymentId(params.id)
            const page = yield* readTimeline(yield* CurrentTenant, id, { limit, ...query })
            if (page === null) return yield* paymentError(new PaymentNotFound())
            return { data: page.items, next: page.next }
          }).pipe(Effect.catchTag("TimelineCursorInvalid", invalidCursor), Effect.provideContext(stores))
        )
      )
      .handle("routing", ({ params }) =>
        ruled(Effect.flatMap(CurrentTenant, (tenant) => rules.explain(tenant, { paymentId: params.id })))
      )
      .handleRaw("simulate", ({ params }) =>
        control(
          Effect.gen(function* () {
            const { decision } = yield* bodyOf(Simulation)
            const record = yield* simulated({ payer, append }, yield* find(params.id), decision)
            return paymentJson(record, hostedUrl)
          })
        )
      )
      .handleRaw("capture", ({ params }) =>
        control(onVersion(params.id, requested("capture", params.id, decodeCapturePayment, payments.capture)))
      )
      .handleRaw("cancel", ({ params }) =>
        control(
          onVersion(
            params.id,
            requested("cancel", params.id, decodeCancelPayment, (id, _body, options) => payments.cancel(id, options))
          )
        )
      )
      .handleRaw("refund", ({ params }) =>
        control(onVersion(params.id, requested("refund", params.id, decodeOperatorRefund, payments.refund, 201)))
      )
  })
)

/** Recorded before, as everything that a person asks for. */
const simulated = Effect.fnUntraced(function* (
  { append, payer }: { readonly payer: SimulatedPayerService | null; readonly append: AuditLog["Service"]["append"] },
  { payment }: PaymentRecord,
  decision: (typeof Simulation.Type)["decision"]
) {
  if (payer === null) {
    const detail = "Only the payer of a sandbox payment can be simulated."
    return yield* new ApiProblem({ code: "operation_not_supported", detail })
  }
  const tenant = yield* CurrentTenant
  const entry = { tenant, action: "payment.simulate", target: payment.id, outcome: "requested", before: null } as const
  yield* Effect.mapError(append({ ...entry, after: { decision } }), (cause) => paymentError(new Unavailable({ cause })))
  return yield* payer.decide(tenant, payment, decision)
})

/** Reads the key, the version and the body strictly before anything is written or sent. */
const requested = Effect.fnUntraced(function* <A>(
  kind: "capture" | "cancel" | "refund",
  text: string,
  decode: (body: unknown) => Effect.Effect<A, PaymentError>,
  perform: (
    id: PaymentId,
    body: A,
    options: RequestOptions & { readonly version: number }
  ) => Effect.Effect<OperationAnswer, PaymentError>,
  status: 200 | 201 = 200
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* decode(yield* readJsonObject(request))
  // Of the person: under the key of another, they would get that person's answer, and nothing would be done for them.
  const { id: person } = yield* CurrentActor
  const idempotency = yield* keyScope(request.headers, `dashboard payments.${kind} ${digestOf(person)}`)
  if (idempotency === null) return yield* keyRequired
  const version = yield* expectedVersion
  const id = yield* paymentId(text)
  const answer = yield* perform(id, body, { tenant: yield* CurrentTenant, idempotency, version })
  return jsonResponse(answer.body, { status, headers: replayHeaders(answer.replayed) })
})

/** Keys are kept for good, and the id may be an email address of a host's user. */
const digestOf = (person: string): string => createHash("sha256").update(person).digest("hex").slice(0, 32)

const keyRequired = new ApiProblem({
  code: "idempotency_key_invalid",
  detail: "Send an Idempotency-Key, such as a random UUID, so that a repeated request acts once."
})
