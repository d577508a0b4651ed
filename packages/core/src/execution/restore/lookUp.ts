/**
 * Looks up the create of a request at a provider by its operation id or idempotency key, because the database may have
 * lost the create.
 */
import { Effect } from "effect"
import type { OperationNames } from "../../domain/Ids.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { InquiryOutcome } from "../../domain/Outcome.ts"
import type { RunningProvider } from "../../provider/ProviderRegistry.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import { definiteAnswer } from "../../resilience/Ended.ts"
import type { ProviderGuard } from "../../resilience/ProviderGuard.ts"
import { providerOperation } from "../send/providerOperation.ts"
import { ask } from "../recover/Inquiry.ts"
import { timings } from "../timings.ts"

/** A create as it may have been sent before the database was restored. */
export interface PossibleCreate {
  readonly running: RunningProvider
  /** The payment as it would begin at this provider, with one of its possible operation ids. */
  readonly record: PaymentRecord
}

export interface Found {
  readonly provider: string
  readonly names: OperationNames
  readonly outcome: InquiryOutcome
}

export type LookedUp = Found | "absent" | "unanswered"

export const lookUp = Effect.fnUntraced(function* (
  guard: ProviderGuard["Service"],
  returnAddress: ReturnAddressOf,
  { record, running }: PossibleCreate
): Effect.fn.Return<LookedUp> {
  const { operations, provider } = running
  const [operation] = record.operations
  const { inquire } = operations
  if (operation === undefined || inquire === undefined) return "unanswered"
  const call = Effect.suspend(() => inquire(providerOperation(record, operation, provider, returnAddress)))
  const ended = yield* ask(guard, provider.id, "inquire", call).pipe(
    Effect.timeoutOrElse({ duration: timings.lookUp, orElse: () => Effect.succeed({ _tag: "TimedOut" } as const) })
  )
  const answer = definiteAnswer(ended)
  if (answer === null) return "unanswered"
  return answer._tag === "NotFound" ? "absent" : { provider: provider.id, names: operation, outcome: answer }
})

/**
 * Selects the charge to adopt. A paid charge is preferred, because a lost failover leaves a declined charge and a paid
 * one.
 */
export const mostPaid = (found: ReadonlyArray<Found>): Found | null =>
  found.find(isPaid) ?? found.find(({ outcome }) => outcome._tag === "Pending") ?? found[0] ?? null

export const isPaid = ({ outcome }: Found): boolean => outcome._tag === "Succeeded" || outcome._tag === "Authorized"
