/**
 * Creates a payment: checks its idempotency key and order, plans its providers, and writes the first commit before the
 * first send. The request is answered when the payment is decided or can only wait, and after ten seconds at the
 * latest.
 */
import { Deferred, Effect } from "effect"
import { isHolding } from "../../domain/restoredMark.ts"
import type { NewPayment, PaymentRecord } from "../../domain/Payment.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { KeptKey } from "../../store/PaymentStore.ts"
import type { Restoration } from "../../domain/restoredMark.ts"
import { annotated } from "../../telemetry/spans.ts"
import type { Created } from "../PaymentResult.ts"
import { adoptFound } from "../restore/adoptFound.ts"
import { clearRequest } from "../restore/clearRequest.ts"
import type { Cleared } from "../restore/clearRequest.ts"
import { answerOpen, replayPayment } from "./paymentAnswers.ts"
import { admitFirst, beginPayment } from "./beginPayment.ts"
import type { BeginRequest, NotBegun, OrderTaken } from "./beginPayment.ts"
import type { Creation } from "./CreationOrder.ts"
import { leaveUnsent } from "./leaveUnsent.ts"
import type { LivePayment } from "./LivePayments.ts"
import { checkOrder, replacing } from "./replacedOrder.ts"
import type { RequestDeadline } from "./RequestDeadlines.ts"
import { mapStoreError } from "./requests.ts"
import type { RequestOptions } from "./requests.ts"
import { onlyAllowedReturn } from "./ReturnSchemes.ts"
import type { RequestServices } from "./requestServices.ts"
import { routePayment } from "./routePayment.ts"
import type { Routed } from "./routePayment.ts"

export const createPayment = Effect.fnUntraced(function* (
  services: RequestServices,
  payment: NewPayment,
  options: RequestOptions
) {
  if (payment.returnUrl !== null) yield* onlyAllowedReturn(services.returnSchemes, payment, options.tenant)
  const deadline = yield* services.deadlines.begin
  const begin = services.order.creating((creation) => prepareAndStart(services, creation, payment, options, deadline))
  const started = yield* deadline.untilBegun(
    payment.replacesOrder === undefined ? begin : replacing(services, options.tenant, begin)
  )
  if ("replayed" in started) return started
  const { record, waiting } = started
  const settled = yield* Deferred.await(waiting.answer)
  return settled !== null && settled.body !== null
    ? created(settled.record, settled.body, false)
    : yield* Effect.map(answerOpen(services, record, waiting, deadline), (answer) =>
        created(answer.record, answer.body, false)
      )
})

/** Runs the steps of a create up to the first send. */
const prepareAndStart = Effect.fnUntraced(function* (
  services: RequestServices,
  creation: Creation,
  payment: NewPayment,
  options: RequestOptions,
  deadline: RequestDeadline
): Effect.fn.Return<Created | Started, PaymentError> {
  const routed = yield* services.shedder.admit(routeOrReplay(services, creation, payment, options))
  if ("replayed" in routed) return routed
  let restoration = yield* mapStoreError(services.restorations.known)
  while (true) {
    const cleared = yield* clearIfRestored(services, restoration, routed)
    if ("answer" in cleared) return yield* replayPayment(services, cleared, routed.key, payment)
    const request = { ...routed, plan: cleared.plan, restoration: restoration.version }
    // Uninterruptible from the admission on: a client that disconnects must not leave a slot taken or a payment partly
    // begun.
    const started = yield* Effect.uninterruptible(start(services, request, cleared, deadline))
    if (started._tag === "Started") return started
    if (started._tag === "KeyTaken") return yield* replayPayment(services, started.kept, routed.key, payment)
    // If another payment had the order, the loop checks the order again, because that payment may have released it
    // since.
    if (started._tag === "OrderTaken") continue
    restoration = yield* mapStoreError(services.restorations.reread)
  }
})

/** Returns the response to an earlier request with the same idempotency key, or the route of a new payment. */
const routeOrReplay = (
  services: RequestServices,
  creation: Creation,
  payment: NewPayment,
  options: RequestOptions
): Effect.Effect<Created | Routed, PaymentError> =>
  Effect.flatMap(
    routePayment(services, creation, payment, options),
    (routed): Effect.Effect<Created | Routed, PaymentError> =>
      "kept" in routed ? replayPayment(services, routed.kept, routed.key, payment) : Effect.succeed(routed)
  )

/**
 * If the database was restored, checks the request with the providers first: the database may have lost the record of
 * an earlier send of this request.
 */
const clearIfRestored = (
  services: RequestServices,
  { formerNamesUntil, mark }: Restoration,
  routed: Routed
): Effect.Effect<Cleared | KeptKey, PaymentError> => {
  const { key, plan } = routed
  const cleared = Effect.succeed<Cleared>({ found: null, doubles: [], plan })
  return key === null || mark === null
    ? cleared
    : Effect.flatMap(services.store.now, (now) =>
        isHolding(mark, now) ? clearRequest(services, mark, formerNamesUntil, { ...routed, key }) : cleared
      )
}

const start = Effect.fnUntraced(function* (
  services: RequestServices,
  request: BeginRequest,
  { doubles, found }: Cleared,
  deadline: RequestDeadline
): Effect.fn.Return<Started | OrderTaken | NotBegun, PaymentError> {
  const { executor, live, metrics } = services
  if (found !== null) return yield* adoptFound(services, request, found, doubles)
  const { id, payment, plan } = request
  const kept = payment.order === null ? null : yield* checkOrder(services.store, request, payment.order)
  if (kept !== null) return { _tag: "KeyTaken", kept }
  const { admission, ...choice } = yield* admitFirst(services, plan)
  const begun = yield* Effect.onError(beginPayment(services, request, choice), () => Effect.sync(admission.release))
  if (begun._tag !== "Begun") {
    admission.release()
    return begun
  }
  metrics.begun(begun.record)
  yield* annotated(() => ({ "paymux.payment.id": id }))
  const { binding, operation, record } = begun
  if (!deadline.mayBegin()) return yield* leaveUnsent(executor, admission, record, operation)
  const waiting = live.start(id, binding, deadline.spent())
  yield* executor.start({ record, operation, admission })
  return { _tag: "Started", record, waiting }
})

interface Started {
  readonly _tag: "Started"
  readonly record: PaymentRecord
  readonly waiting: LivePayment
}

const created = (record: PaymentRecord, body: string, replayed: boolean): Created => ({ record, body, replayed })
