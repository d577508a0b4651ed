/**
 * Handles a shopper's return from a provider's page: the adapter inquires about the outcome, and the answer is applied.
 */
import { Effect } from "effect"
import type { PaymentId } from "../../domain/Ids.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { paymentError, PaymentNotFound } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { canonicalJson } from "../../domain/sha256.ts"
import { openAttempt } from "../../domain/transition/reportedMoney.ts"
import { fromAnswer } from "../../domain/Evidence.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import { definiteAnswer } from "../../resilience/Ended.ts"
import type { Ended, NotCalled } from "../../resilience/Ended.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { PaymentStore } from "../../store/PaymentStore.ts"
import { recordOf } from "../conclude/advance.ts"
import type { Executor } from "../Executor.ts"
import { providerOperation } from "../send/providerOperation.ts"
import { ask } from "./Inquiry.ts"
import { mapStoreError } from "../begin/requests.ts"
import * as SharedRuns from "./sharedRuns.ts"
import { timings } from "../timings.ts"

export interface ReturnServices {
  readonly store: PaymentStore["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly guard: ProviderGuard["Service"]
  readonly executor: Executor["Service"]
  readonly returnAddress: ReturnAddressOf
  readonly returns: SharedRuns.SharedRuns<PaymentRecord, PaymentError>
}

/**
 * The maximum number of different queries for one payment's return URL that are handled concurrently. A browser sends
 * only one.
 */
const mostReturns = 4

export const sharedReturns = Effect.map(Effect.scope, (scope) =>
  SharedRuns.make<PaymentRecord, PaymentError>(scope, mostReturns)
)

type Query = { readonly [key: string]: string }

/**
 * Handles the return and gives back the updated payment. Idempotent; the query of the return URL proves nothing. A
 * client that has the return URL can request it any number of times at once, so equal requests share one call to the
 * provider.
 */
export const completeReturn = Effect.fnUntraced(function* (services: ReturnServices, id: PaymentId, query: Query) {
  const { returns, store } = services
  const key = canonicalJson(query)
  const record = yield* returns.run(id, key, askAfterReturn(services, id, query))
  return record ?? (yield* mapStoreError(store.get(id))) ?? (yield* paymentError(new PaymentNotFound()))
})

const askAfterReturn = Effect.fnUntraced(function* (
  { executor, guard, registry, returnAddress, store }: ReturnServices,
  id: PaymentId,
  query: Query
): Effect.fn.Return<PaymentRecord, PaymentError> {
  const record = yield* mapStoreError(store.get(id))
  if (record === null) return yield* paymentError(new PaymentNotFound())
  const attempt = openAttempt(record)
  const operation = record.operations.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === attempt?.seq)
  if (operation === undefined || operation.status === "sending") return record
  const running = registry.serving(operation.provider, record.payment.livemode)
  const complete = running?.operations.complete
  if (running === null || complete === undefined) return record
  const deadlineAt = (yield* store.now) + timings.inquiry
  const about = providerOperation(record, operation, running.provider, returnAddress)
  const call = Effect.suspend(() => complete({ ...about, deadlineAt }, query))
  const ended = yield* ask(guard, running.provider.id, "complete", call)
  const evidence = returnEvidence(operation, ended)
  if (evidence === null) return record
  const advanced = yield* mapStoreError(executor.advance(evidence))
  return recordOf(advanced) ?? record
})

/**
 * Converts the provider's answer to evidence; `null` if the answer is not definite, or the call was not sent. A webhook
 * or an inquiry reports the outcome later.
 */
const returnEvidence = ({ id }: Operation, ended: Ended | NotCalled): Evidence | null => {
  const answer = definiteAnswer(ended)
  return answer === null || answer._tag === "NotFound" ? null : fromAnswer("return", id, answer)
}
