/**
 * Writes the first commit of a payment, with an attempt at the first provider that admits the payment, or at the
 * provider that already has its charge.
 */
import { Effect, Result } from "effect"
import type { Cause } from "effect"
import type { Ids } from "../../domain/Ids.ts"
import { holds } from "../../domain/Operation.ts"
import type { Operation } from "../../domain/Operation.ts"
import { createOrigin } from "../../domain/origins.ts"
import type { PaymentRecord, RoutingDecision } from "../../domain/Payment.ts"
import { NoProviderAvailable, paymentError } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { LoadShedder } from "../../resilience/LoadShedder.ts"
import type { Admission, ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { Candidate, Plan } from "../../routing/Plan.ts"
import type { Router } from "../../routing/Router.ts"
import type { BeginResult, KeyBinding, PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { begunPayment, newAttempt } from "./newRecords.ts"
import { bindPaymentAgain } from "../restore/bindAgain.ts"
import type { Executor } from "../Executor.ts"
import { bindingOf, mapStoreError } from "./requests.ts"
import type { Routed } from "./routePayment.ts"

export interface BeginServices {
  readonly executor: Executor["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly hostedUrl: HostedUrl
  readonly ids: Ids["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly router: Router["Service"]
  readonly shedder: LoadShedder["Service"]
  readonly store: PaymentStore["Service"]
}

/** The provider ("candidate") at which a payment is begun, and the routing decision that is stored with the payment. */
interface Choice {
  readonly candidate: Candidate
  readonly decision: RoutingDecision
}

/**
 * Admits the payment at the first provider of the plan with a free slot. If no provider admits it, nothing is written
 * and no idempotency key is bound.
 */
export const admitFirst = Effect.fnUntraced(function* (
  { guard }: BeginServices,
  { candidates, decision }: Plan
): Effect.fn.Return<Choice & { readonly admission: Admission }, PaymentError> {
  const refused: Array<RoutingDecision["dropped"][number]> = []
  let retryAfterMs = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const { provider } = candidate
    const admitted = yield* guard.admit(provider, "create")
    if (Result.isSuccess(admitted)) {
      const dropped = [...decision.dropped, ...refused]
      return { admission: admitted.success, candidate, decision: { ...decision, dropped } }
    }
    refused.push({ provider, reason: admitted.failure.cause })
    retryAfterMs = Math.min(retryAfterMs, admitted.failure.retryAfterMs)
  }
  return yield* paymentError(new NoProviderAvailable({ retryAfterMs }))
})

export interface BeginRequest extends Routed {
  /** The version of the restore marker (`Restoration`) that was checked before the commit. */
  readonly restoration: string
}

/**
 * Writes the first commit of a payment. `names` is the generator of the operation id and idempotency key that the
 * provider receives.
 */
export const beginPayment = Effect.fnUntraced(function* (
  services: BeginServices,
  { id, key, payment, restoration, tenant }: BeginRequest,
  { candidate: { provider, reason }, decision }: Choice,
  names: Pick<Ids["Service"], "operation"> = services.ids
): Effect.fn.Return<Begun | OrderTaken | NotBegun, PaymentError> {
  const { executor, registry, router, shedder, store } = services
  const now = yield* store.now
  const { attempt, operation } = newAttempt(names, {
    paymentId: id,
    seq: 1,
    provider,
    reason,
    minorUnits: payment.amount.minorUnits,
    owner: executor.owner,
    origin: createOrigin({ ...tenant, id }, registry.firstId(provider)),
    now
  })
  const { deadlineMs } = router.policyOf(decision)
  const begun = begunPayment(id, payment, tenant, attempt, decision, now + deadlineMs)
  const record: PaymentRecord = { payment: begun, attempts: [attempt], operations: [operation], entries: [] }
  const binding = bindingOf(key, tenant, id, null, now)
  const written = Effect.catchCause(store.begin({ record, binding, restoration }), (cause) =>
    findCommittedBegin(services, record, binding, cause)
  )
  const result = yield* shedder.counted(written, ({ _tag }) => _tag === "Begun")
  if (result._tag === "Begun") return { _tag: "Begun", record, operation, binding }
  return result._tag === "OrderTaken" ? { ...result, record, operation, binding } : result
})

export type NotBegun = Exclude<BeginResult, { readonly _tag: "Begun" | "OrderTaken" }>

/** The result if the payment was not begun, because another open or paid payment has the same order. */
export interface OrderTaken extends Omit<Begun, "_tag"> {
  readonly _tag: "OrderTaken"
}

export interface Begun {
  readonly _tag: "Begun"
  readonly record: PaymentRecord
  readonly operation: Operation
  readonly binding: KeyBinding | null
}

/**
 * Looks up the first commit after the store's reply was lost: the commit may be durable, and its payment id is known.
 */
const findCommittedBegin = (
  services: BeginServices,
  record: PaymentRecord,
  binding: KeyBinding | null,
  cause: Cause.Cause<StoreUnavailable>
) =>
  Effect.catch(
    Effect.failCause(cause),
    Effect.fnUntraced(function* (unavailable): Effect.fn.Return<BeginResult, PaymentError> {
      const found = yield* mapStoreError(services.store.getConfirmed(record.payment.id))
      if (record.operations.every((operation) => holds(found, operation))) return { _tag: "Begun" }
      const kept = binding === null ? null : yield* bindPaymentAgain(services, record, binding)
      return kept === null ? yield* mapStoreError(Effect.fail(unavailable)) : { _tag: "KeyTaken", kept }
    })
  )
