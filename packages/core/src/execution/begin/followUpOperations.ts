/** Captures, cancels and refunds: each an operation with its own key, sent to the provider that has the payment. */
import { Deferred, Effect, Result } from "effect"
import { changed } from "../../domain/transition/change.ts"
import type { Ids, PaymentId, RefundId } from "../../domain/Ids.ts"
import { requestedOrigin } from "../../domain/origins.ts"
import { holds } from "../../domain/Operation.ts"
import type { Operation, OperationKind } from "../../domain/Operation.ts"
import type { Refundable } from "../../domain/books/refundable.ts"
import type { PaymentRecord, Tenant } from "../../domain/Payment.ts"
import {
  InvalidPayment,
  NoProviderAvailable,
  OperationRefused,
  paymentError,
  PaymentNotFound,
  RefundExceedsAvailable,
  RefundNotFound,
  VersionConflict
} from "../../domain/PaymentError.ts"
import { isRefund, refundOperationId } from "../../domain/Refund.ts"
import { operationDifference } from "../../domain/requestDifference.ts"
import { requestOperation } from "../../domain/transition/requestOperation.ts"
import type { Asked, OperationAbility, OperationRequest } from "../../domain/transition/requestOperation.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { LoadShedder } from "../../resilience/LoadShedder.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { EvidenceRow, KeptKey, KeyBinding, StoreUnavailable } from "../../store/PaymentStore.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { paymentBody } from "../../wire/PaymentJson.ts"
import { refundBody } from "../../wire/RefundJson.ts"
import { bindOperationAgain } from "../restore/bindAgain.ts"
import { eventRows } from "../conclude/PaymentWriter.ts"
import type { Executor } from "../Executor.ts"
import type { LivePayment } from "./LivePayments.ts"
import { newOperation } from "./newRecords.ts"
import { leaveUnsent } from "./leaveUnsent.ts"
import { refuseUnknown } from "../restore/refuseUnknown.ts"
import type { Restorations } from "../restore/Restorations.ts"
import type { RequestDeadline, RequestDeadlines } from "./RequestDeadlines.ts"
import { bindingOf, findKey, firstAnswer, keepAnswer, orUnavailable, unlessLost } from "./requests.ts"
import type { AnswerServices, OperationOptions, RequestKey } from "./requests.ts"
import { restoreLost } from "../restore/restoreLost.ts"
import { supportOf } from "../send/isSupported.ts"

/** The requested operation when it is decided, or after ten seconds. */
export interface OperationAnswer {
  readonly record: PaymentRecord
  readonly operation: Operation
  /** The public JSON: of a refund the refund, otherwise the payment. Under a key, the very bytes of the first answer. */
  readonly body: string
  readonly replayed: boolean
}

export interface OperationServices extends AnswerServices {
  readonly deadlines: RequestDeadlines
  readonly registry: ProviderRegistry["Service"]
  readonly shedder: LoadShedder["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly ids: Ids["Service"]
  readonly hostedUrl: HostedUrl
  readonly restorations: Restorations["Service"]
}

type Allowed = Extract<Asked, { readonly _tag: "Allowed" }>

interface Prepared {
  readonly record: PaymentRecord
  readonly allowed: Allowed
  readonly key: RequestKey | null
}

interface Begun {
  readonly record: PaymentRecord
  readonly operation: Operation
  readonly waiting: LivePayment
}

export const performOperation = Effect.fnUntraced(function* (
  services: OperationServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions
) {
  const deadline = yield* services.deadlines.begin
  const begun = yield* deadline.untilBegun(prepareAndBegin(services, id, asked, options, deadline))
  return "replayed" in begun ? begun : yield* answer(services, begun, deadline)
})

/** Up to the first send. */
const prepareAndBegin = Effect.fnUntraced(function* (
  services: OperationServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions,
  deadline: RequestDeadline
) {
  while (true) {
    const prepared = yield* services.shedder.admit(prepare(services, id, asked, options))
    if ("replayed" in prepared) return prepared
    const begun = yield* begin(services, prepared, asked, deadline)
    // `null`: another change of the payment, or another request under the key, came first.
    if (begun !== null) return begun
  }
})

/** Reads what decides about it; nothing is written and no place is taken. */
const prepare = Effect.fnUntraced(function* (
  services: OperationServices,
  id: PaymentId,
  asked: OperationRequest,
  options: OperationOptions
) {
  const { registry, store } = services
  const lookUpKey = findKey(store, options, { id, ...asked })
  const { kept, key } = yield* lookUpKey
  const again = (first: KeptKey) => replay(services, first, key, { id, ...asked })
  if (kept !== null) return yield* again(kept)
  const record = yield* orUnavailable(store.find(options.tenant, id))
  if (record === null) return yield* paymentError(new PaymentNotFound())
  const made = key === null ? null : yield* bindOperationAgain(services, record, asked, key)
  if (made !== null) return yield* again(made)
  const decided = Effect.andThen(
    unchangedSince(record, options),
    allow(requestOperation(record, asked, abilitiesFor(registry, record)))
  )
  return yield* Effect.matchEffect(decided, {
    onSuccess: (allowed) =>
      Effect.as(
        key === null ? Effect.void : refuseUnknown(services, record.payment, allowed.attempt.provider, asked.kind),
        { record, allowed, key }
      ),
    // The same request may have been accepted between the two reads, and be what the payment does not allow any more.
    onFailure: (refusal) =>
      Effect.flatMap(lookUpKey, ({ kept }) => (kept === null ? Effect.fail(refusal) : again(kept)))
  })
})

/** What is written then is written to this very version: see `begin`. */
const unchangedSince = ({ payment }: PaymentRecord, { version }: OperationOptions) =>
  version === undefined || version === payment.version
    ? Effect.void
    : Effect.fail(paymentError(new VersionConflict({ version: payment.version })))

type Abilities = (provider: string, kind: OperationKind) => OperationAbility

const abilitiesFor =
  (registry: ProviderRegistry["Service"], record: PaymentRecord): Abilities =>
  (provider, kind) => ({
    support: supportOf(registry, provider, kind, record),
    partial: registry.declared(provider, kind).partial
  })

/** Whether a capture, cancel or refund of a payment would be accepted now. */
export interface OperationOffer {
  readonly kind: "capture" | "cancel" | "refund"
  /** The most that may be requested, in minor units; `null`: it would be refused. */
  readonly amount: number | null
  /** Whether less than `amount` may be requested. */
  readonly partial: boolean
  /** Why it would be refused. */
  readonly refusal: string | null
  /** Of a refund: what `override` allows beyond `amount`; `null`: nothing. */
  readonly override: OverrideOffer | null
}

interface OverrideOffer {
  /** The most that may be requested with an operator's evidence, in minor units. */
  readonly amount: number
  /** Whether less than `amount` may be requested. */
  readonly partial: boolean
  /** Why no more may be requested without evidence. */
  readonly refundable: Refundable
}

export const offersOf = (
  registry: ProviderRegistry["Service"],
  record: PaymentRecord
): ReadonlyArray<OperationOffer> => {
  const abilityOf = abilitiesFor(registry, record)
  return wholeRequests.map((request): OperationOffer => {
    const { kind } = request
    const asked = requestOperation(record, request, abilityOf)
    const override = kind === "refund" ? overrideOffer(record, abilityOf) : null
    if (asked._tag !== "Allowed") {
      return { kind, amount: null, partial: false, refusal: refusalOf(asked), override }
    }
    const partial = kind !== "cancel" && abilityOf(asked.attempt.provider, kind).partial
    return { kind, amount: asked.minorUnits, partial, refusal: null, override }
  })
}

/** `null`: a refund of the same amount is refused with evidence as well, or needs none. */
const overrideOffer = (record: PaymentRecord, abilityOf: Abilities): OverrideOffer | null => {
  const overridden = requestOperation(record, { ...wholeRefund, override: "" }, abilityOf)
  if (overridden._tag !== "Allowed") return null
  const { attempt, minorUnits } = overridden
  const asked = requestOperation(record, { ...wholeRefund, minorUnits }, abilityOf)
  if (asked._tag !== "ExceedsAvailable") return null
  const { partial } = abilityOf(attempt.provider, "refund")
  return { amount: minorUnits, partial, refundable: asked.refundable }
}

const refusalOf = (asked: Exclude<Asked, Allowed>): string | null => {
  switch (asked._tag) {
    case "Refused":
      return asked.sentence
    case "ExceedsAvailable":
      return new RefundExceedsAvailable(asked.refundable).message
    case "NotAnAmount":
    case "TooMuch":
      return null
  }
}

const wholeRefund = { kind: "refund", minorUnits: null, reason: null } as const

const wholeRequests = [{ kind: "capture", minorUnits: null }, { kind: "cancel" }, wholeRefund] as const

const allow = (asked: Asked) => {
  switch (asked._tag) {
    case "Allowed":
      return Effect.succeed(asked)
    case "Refused":
      return Effect.fail(paymentError(new OperationRefused({ reason: asked.reason, sentence: asked.sentence })))
    case "NotAnAmount":
      return Effect.fail(invalidAmount("must be a positive integer of the smallest unit"))
    case "TooMuch":
      return Effect.fail(invalidAmount(`must be at most ${asked.available}, the remaining amount`))
    case "ExceedsAvailable":
      return Effect.fail(paymentError(new RefundExceedsAvailable(asked.refundable)))
  }
}

const invalidAmount = (message: string) =>
  paymentError(new InvalidPayment({ errors: [{ pointer: "/amount", message }] }))

/**
 * The place is taken before the row is written, and a caller that goes away leaves neither half done. `null`: it lost a
 * race, and nothing was written.
 */
const begin = Effect.fnUntraced(function* (
  services: OperationServices,
  { allowed: { attempt, minorUnits }, key, record }: Prepared,
  asked: OperationRequest,
  deadline: RequestDeadline
) {
  const { executor, guard, ids, live, registry, shedder, store } = services
  const { payment } = record
  const admitted = yield* guard.admit(registry.currentId(attempt.provider), asked.kind)
  if (Result.isFailure(admitted)) {
    const { retryAfterMs } = admitted.failure
    return yield* paymentError(new NoProviderAvailable({ retryAfterMs, kind: asked.kind }))
  }
  const admission = admitted.success
  const now = yield* store.now
  const operation = newOperation(ids, {
    origin: requestedOrigin(record, key, { attemptSeq: attempt.seq, kind: asked.kind }),
    paymentId: payment.id,
    attemptSeq: attempt.seq,
    provider: attempt.provider,
    kind: asked.kind,
    purpose: "requested",
    minorUnits,
    reason: asked.kind === "refund" ? asked.reason : null,
    owner: executor.owner,
    now
  })
  const binding = bindingOf(key, payment, payment.id, operation.id, now)
  const change = changed({ ...record, operations: [...record.operations, operation] }, now, {}, null)
  const { events, record: after } = eventRows(services, record, change)
  const evidence = overrideOf(asked, operation, now)
  const commit = { before: record, after, events, evidence, binding, answer: null }
  const written = store.advance(commit).pipe(
    Effect.map(({ _tag }) => _tag === "Advanced"),
    // A commit whose reply was lost may stand: it is looked for by the id made beforehand.
    Effect.catch((unavailable) =>
      Effect.flatMap(store.getConfirmed(payment.id), (found) =>
        holds(found, operation) ? Effect.succeed(true) : Effect.fail(unavailable)
      )
    ),
    orUnavailable
  )
  const isOurs = yield* Effect.onError(shedder.counted(written, Boolean), () => Effect.sync(admission.release))
  if (!isOurs) {
    admission.release()
    return null
  }
  if (!deadline.mayBegin()) return yield* leaveUnsent(executor, admission, after, operation)
  const waiting = live.start(operation.id, binding, deadline.spent())
  yield* executor.start({ record: after, operation, admission })
  return { record: after, operation, waiting } satisfies Begun
}, Effect.uninterruptible)

/** Why an operator lets a refund exceed what disputes and other refunds leave. */
const overrideOf = (asked: OperationRequest, { id, paymentId }: Operation, now: number): EvidenceRow | null =>
  asked.kind === "refund" && asked.override !== undefined
    ? {
        paymentId,
        operationId: id,
        source: "operator",
        kind: "refund_override",
        vendorCode: null,
        eventId: null,
        document: asked.override,
        occurredAt: null,
        recordedAt: now
      }
    : null

const answer = Effect.fnUntraced(function* (
  services: OperationServices,
  { operation, record, waiting }: Begun,
  deadline: RequestDeadline
) {
  const { store } = services
  const settled = yield* Deferred.await(waiting.answer)
  // Bytes that came with the commit are the answer only where it kept them with the key.
  const written = settled?.body ?? null
  const begun = settled?.record ?? record
  const kept =
    waiting.binding !== null && settled !== null && written !== null
      ? { record: settled.record, body: written }
      : yield* Effect.catch(
          deadline.untilAnswered(keepLatest(services, operation, waiting.binding, settled?.record ?? null, record)),
          unlessLost(store, { record: begun, body: bodyOf(services, begun, operation) })
        )
  return { ...kept, operation: standing(kept.record, operation), replayed: false } satisfies OperationAnswer
})

/** `settled`: the payment as the end of the operation left it; `null`: it is read again. */
const keepLatest = Effect.fnUntraced(function* (
  services: OperationServices,
  operation: Operation,
  binding: KeyBinding | null,
  settled: PaymentRecord | null,
  begun: PaymentRecord
): Effect.fn.Return<{ readonly record: PaymentRecord; readonly body: string }, StoreUnavailable> {
  const latest = settled ?? (yield* restoreLost(services, begun, operation.id, binding)) ?? begun
  return binding === null
    ? { record: latest, body: bodyOf(services, latest, operation) }
    : yield* keepAnswer(services.store, binding, latest, (record) => bodyOf(services, record, operation))
})

const replay = Effect.fnUntraced(function* (
  services: OperationServices,
  kept: KeptKey,
  key: RequestKey | null,
  requested: OperationRequest & { readonly id: PaymentId }
) {
  const operationIn = ({ operations }: PaymentRecord) => operations.find(({ id }) => id === kept.operationId)
  const { body, record } = yield* firstAnswer(
    services,
    kept,
    key,
    (record) => {
      const operation = operationIn(record)
      return operation === undefined ? paymentBody(record, services.hostedUrl) : bodyOf(services, record, operation)
    },
    (first) => operationDifference(requested, requested.id, first.payment, operationIn(first))
  )
  const operation = operationIn(record)
  if (operation === undefined) return yield* Effect.die(new Error(`Operation ${String(kept.operationId)} is gone`))
  return { record, operation, body, replayed: true } satisfies OperationAnswer
})

export const findRefund = Effect.fnUntraced(function* (
  { store }: Pick<OperationServices, "store">,
  tenant: Tenant,
  id: RefundId
) {
  const operationId = refundOperationId(id)
  const record = yield* orUnavailable(store.findByOperation(operationId))
  const operation = record?.operations.find((each) => each.id === operationId && isRefund(each))
  const isOurs = record?.payment.account === tenant.account && record.payment.livemode === tenant.livemode
  if (record === null || operation === undefined || !isOurs) return yield* paymentError(new RefundNotFound())
  return { record, operation }
})

/** As it stands in `record`. */
const standing = (record: PaymentRecord, operation: Operation): Operation =>
  record.operations.find(({ id }) => id === operation.id) ?? operation

const bodyOf = (
  { hostedUrl }: Pick<OperationServices, "hostedUrl">,
  record: PaymentRecord,
  operation: Operation
): string => {
  const latest = standing(record, operation)
  return isRefund(latest) ? refundBody(record, latest) : paymentBody(record, hostedUrl)
}
