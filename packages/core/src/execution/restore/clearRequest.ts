/**
 * Checks a create with an unknown idempotency key before its first commit, while the restore marker of a restored
 * database is in force: the request may have been sent before, and the database may have lost the record of that.
 *
 * - The database is searched for the operations of the request: a process that was sending one may have inserted it
 *   again.
 * - The engine inquires at every provider that supports inquiries by our operation id or idempotency key. A charge that
 *   is found is adopted, and nothing is sent.
 * - Only providers that refuse a second charge, or have proved that they have no first charge, remain in the plan.
 */
import { Effect } from "effect"
import type { Ids } from "../../domain/Ids.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { paymentError, Restoring } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import type { ProviderRegistry, RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import type { Plan } from "../../routing/Plan.ts"
import type { Router } from "../../routing/Router.ts"
import type { KeptKey, PaymentStore } from "../../store/PaymentStore.ts"
import type { RestoredMark } from "../../domain/restoredMark.ts"
import type { HostedUrl } from "../../wire/HostedPage.ts"
import { begunPayment, newAttempt } from "../begin/newRecords.ts"
import { bindPaymentAgain } from "./bindAgain.ts"
import { bindingOf } from "../begin/requests.ts"
import type { RequestKey } from "../begin/requests.ts"
import type { Routed } from "../begin/routePayment.ts"
import { timings } from "../timings.ts"
import { isPaid, lookUp, mostPaid } from "./lookUp.ts"
import type { PossibleCreate, Found, LookedUp } from "./lookUp.ts"
import { namesAtProvider } from "./namesAtProvider.ts"
import { absenceProvedAt, hasFormerNames, restoredStanding } from "./sendSafety.ts"

export interface ClearServices {
  readonly guard: ProviderGuard["Service"]
  readonly hostedUrl: HostedUrl
  readonly ids: Ids["Service"]
  readonly registry: ProviderRegistry["Service"]
  readonly returnAddress: ReturnAddressOf
  readonly router: Router["Service"]
  readonly store: PaymentStore["Service"]
}

/** A request with an idempotency key that the database does not have. */
export interface UnknownRequest extends Routed {
  readonly key: RequestKey
}

/**
 * The result of the check. `found` is the charge to adopt, without sending anything; `plan` has the providers that
 * remain.
 */
export interface Cleared {
  readonly found: Found | null
  /** The further paid charges of the request, if it was charged more than once before the restore. */
  readonly doubles: ReadonlyArray<Found>
  readonly plan: Plan
}

/**
 * Checks a create with an unknown idempotency key, as described above: it searches the database and inquires at the
 * providers.
 */
export const clearRequest = Effect.fnUntraced(function* (
  services: ClearServices,
  mark: RestoredMark,
  formerNamesUntil: number | null,
  request: UnknownRequest
): Effect.fn.Return<Cleared | KeptKey, PaymentError> {
  const { guard, returnAddress, store } = services
  const now = yield* store.now
  const creates = createsOf(services, request, hasFormerNames(mark, formerNamesUntil), now)
  const kept = yield* findRow(services, request, creates, now)
  if (kept !== null) return kept
  const named = creates.filter(({ running }) => running.declared("create").inquiresByName)
  const answers = new Map<string, Array<LookedUp>>()
  yield* Effect.forEach(
    named,
    (one) =>
      Effect.map(lookUp(guard, returnAddress, one), (answer) => {
        const { id } = one.running.provider
        answers.set(id, [...(answers.get(id) ?? []), answer])
      }),
    { concurrency: mostAtOnce, discard: true }
  )
  const all = [...answers.values()].flat().filter(isFound)
  const found = mostPaid(all)
  const doubles = all.filter((each) => each !== found && isPaid(each))
  const facts = { mark, formerNamesUntil, now, answers }
  const plan = narrowed(services, request.plan, facts)
  if (found === null && plan.candidates.length === 0) {
    return yield* paymentError(new Restoring({ retryAfterMs: retryAfter(services, request.plan, facts) }))
  }
  return { found, doubles, plan }
})

/**
 * The maximum number of concurrent inquiries at all providers: a request that may have ids of a former software version
 * needs some dozens.
 */
const mostAtOnce = 8

const isFound = (answer: LookedUp): answer is Found => typeof answer === "object"

/**
 * The create operations that an earlier send of the request may have made: one for each provider instance of the
 * request's mode and rail, and each operation id that the create may have there.
 */
const createsOf = (
  { ids, registry, router }: ClearServices,
  { id, key, payment, plan, tenant }: UnknownRequest,
  withFormerNames: boolean,
  now: number
): ReadonlyArray<PossibleCreate> => {
  const { deadlineMs, maxAttempts } = router.policyOf(plan.decision)
  const running = registry.providers
    .map((provider) => registry.serving(provider.id, tenant.livemode))
    .filter((each): each is RunningProvider => each?.provider.capabilities.methods[payment.method.rail] !== undefined)
  const others = withFormerNames ? running.map(({ provider }) => registry.firstId(provider.id)) : null
  return running.flatMap((each): ReadonlyArray<PossibleCreate> => {
    const provider = each.provider.id
    const named = { tenant, id, endpoint: key.endpoint, key: key.key }
    return namesAtProvider(ids, named, registry.firstId(provider), others, maxAttempts).map((names) => {
      const start = { paymentId: id, seq: 1, provider, reason: "restored", owner: "", origin: null, now }
      const { minorUnits } = payment.amount
      const { attempt, operation } = newAttempt({ operation: () => names }, { ...start, minorUnits })
      const begun = begunPayment(id, payment, tenant, attempt, plan.decision, now + deadlineMs)
      const record: PaymentRecord = { payment: begun, attempts: [attempt], operations: [operation], entries: [] }
      return { running: each, record }
    })
  })
}

/** Finds the lost payment if the process that sent it has inserted it again, possibly without its idempotency key. */
const findRow = Effect.fnUntraced(function* (
  services: ClearServices,
  { id, key, tenant }: UnknownRequest,
  creates: ReadonlyArray<PossibleCreate>,
  now: number
): Effect.fn.Return<KeptKey | null, PaymentError> {
  const binding = bindingOf(key, tenant, id, null, now)
  for (const { record } of creates) {
    const kept = binding === null ? null : yield* bindPaymentAgain(services, record, binding)
    if (kept !== null) return kept
  }
  return null
})

interface Facts {
  readonly mark: RestoredMark
  readonly formerNamesUntil: number | null
  readonly now: number
  /** The answers by provider: one for each operation id that the create may have there. */
  readonly answers: ReadonlyMap<string, ReadonlyArray<LookedUp>>
}

/** Removes the providers that might charge a second time from the plan. A failover uses only the remaining ones. */
const narrowed = (services: ClearServices, { candidates, decision, ...plan }: Plan, facts: Facts): Plan => {
  const isSafe = ({ provider }: { readonly provider: string }) => isClear(services, provider, facts)
  const unsafe = candidates.filter((candidate) => !isSafe(candidate))
  const dropped = unsafe.map(({ provider }) => ({ provider, reason: "restoring" }))
  return {
    ...plan,
    candidates: candidates.filter(isSafe),
    decision: {
      ...decision,
      candidates: decision.candidates.filter(isSafe),
      dropped: [...decision.dropped, ...dropped]
    }
  }
}

const isClear = (
  { registry }: ClearServices,
  provider: string,
  { answers, formerNamesUntil, mark, now }: Facts
): boolean => {
  const instance = { id: provider, declared: registry.declared(provider, "create") }
  const standing = restoredStanding(instance, mark, formerNamesUntil, now)
  switch (standing._tag) {
    case "AcceptsDoubles":
    case "RefusesSecond":
      return true
    case "Excluded":
      return false
    case "ProvesAbsence": {
      const given = answers.get(provider) ?? []
      return now >= standing.from && given.length > 0 && given.every((answer) => answer === "absent")
    }
  }
}

/**
 * The delay before the client should retry, ms: until the first provider may prove that it has no charge, at most until
 * the restore marker ends.
 */
const retryAfter = ({ registry }: ClearServices, { candidates }: Plan, { mark, now }: Facts): number => {
  const proofs = candidates.flatMap(({ provider }) => {
    const provedAt = absenceProvedAt(registry.declared(provider, "create"), mark)
    return provedAt === null ? [] : [Math.max(provedAt - now, timings.lookUp)]
  })
  return Math.min(mark.until - now, ...proofs)
}
