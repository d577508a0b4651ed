/** Records an operator's statement about a dispute that the provider does not report, or about the end of a dispute. */
import { Data, Effect } from "effect"
import { stateDispute } from "../../domain/books/stateDispute.ts"
import type { DisputeFaultReason, StatedDispute } from "../../domain/books/stateDispute.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import type { PaymentRecord, Tenant } from "../../domain/Payment.ts"
import type { PaymentStore, StoreUnavailable } from "../../store/PaymentStore.ts"
import { isCommitted } from "./PaymentWriter.ts"
import type { PaymentWriter } from "./PaymentWriter.ts"

/**
 * An operator's statement about a dispute. `evidence` is the proof in the operator's words: it is required, and stored
 * with the payment until the payment's customer is erased.
 */
export interface DisputeStatement extends StatedDispute {
  readonly evidence: string
  /**
   * The version of the payment that the operator has read. If the payment has another version, the statement is
   * refused.
   */
  readonly version?: number
}

/**
 * The refusal of an operator's dispute statement; nothing was written.
 *
 * - `not_found`: there is no such payment in this account and mode.
 * - `no_evidence`: a dispute statement needs evidence, 1 to 10,000 characters without NUL.
 * - `invalid_reference`: a reference has 1 to 500 characters without control characters.
 * - `no_charge`: the payment has no charge, at this provider, that could be disputed.
 * - `invalid_amount`: an amount is a whole number of minor units, 1 or more.
 * - `above_charge`: the amount is more than the charge captured.
 * - `other_currency`: the currency is not the payment's currency.
 * - `reference_needed`: the disputes of the charge have references, so the statement needs one.
 * - `not_opened`: a dispute that was never opened cannot be won.
 * - `unchanged`: the dispute has this status and amount already.
 * - `changed`: the payment is not at the version that the statement names.
 */
export class DisputeRefused extends Data.TaggedError("DisputeRefused")<{
  readonly reason: DisputeFaultReason | "not_found" | "no_evidence" | "invalid_reference" | "changed"
  /** The largest possible amount in minor units, for the reason `above_charge`. */
  readonly most?: number
}> {
  override get message(): string {
    return this.most === undefined ? sentences[this.reason] : `${sentences[this.reason]} It captured ${this.most}.`
  }
}

const sentences = {
  not_found: "There is no such payment in this account and mode.",
  no_evidence:
    "A dispute needs its evidence, in 1 to 10,000 characters: say what shows it, such as the letter of the bank and who read it.",
  invalid_reference: "A reference has 1 to 500 characters, without control characters.",
  no_charge: "This payment has no charge at this provider that can be disputed.",
  invalid_amount: "An amount is a whole number of minor units, 1 or more: 4990 for EUR 49.90.",
  above_charge: "A dispute is of at most the amount that its charge captured.",
  other_currency: "A dispute is in the currency of its payment.",
  reference_needed: "The disputes of this charge have references: give the reference of the one that you mean.",
  not_opened: "This dispute was not opened, so it cannot be won: check its reference, or record it as open first.",
  unchanged: "The dispute has this status and amount already.",
  changed: "The payment has changed since it was read: read it again, and decide on what is known now."
} as const

export const recordDispute = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  writer: PaymentWriter["Service"],
  tenant: Tenant,
  id: PaymentId,
  { evidence, version, ...stated }: DisputeStatement
): Effect.fn.Return<PaymentRecord, DisputeRefused | StoreUnavailable> {
  const document = evidence.trim()
  // Excludes NUL, which PostgreSQL cannot store.
  if (!/^[^\0]{1,10000}$/.test(document)) return yield* new DisputeRefused({ reason: "no_evidence" })
  if (stated.reference !== null && !isReference(stated.reference)) {
    return yield* new DisputeRefused({ reason: "invalid_reference" })
  }
  while (true) {
    const record = yield* store.find(tenant, id)
    if (record === null) return yield* new DisputeRefused({ reason: "not_found" })
    if (version !== undefined && version !== record.payment.version) {
      return yield* new DisputeRefused({ reason: "changed" })
    }
    const resolved = stateDispute(record, stated, yield* store.now)
    if ("reason" in resolved) return yield* new DisputeRefused(resolved)
    const cause = { ...resolved.cause, document }
    const written = yield* writer.write(record, resolved.change, { cause, binding: null })
    if (isCommitted(written)) return written.record
  }
})

const isReference = (text: string): boolean =>
  /^\P{Cc}{1,500}$/u.test(text) && text.isWellFormed() && text.trim() === text
