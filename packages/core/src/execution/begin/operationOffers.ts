/** Decides whether a capture, cancel or refund of a payment is accepted, both for offers and for requests. Pure. */
import { Effect } from "effect"
import type { Refundable } from "../../domain/books/refundable.ts"
import type { OperationKind } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { InvalidPayment, OperationRefused, paymentError, RefundExceedsAvailable } from "../../domain/PaymentError.ts"
import { requestOperation } from "../../domain/transition/requestOperation.ts"
import type { OperationVerdict, OperationAbility } from "../../domain/transition/requestOperation.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { supportOf } from "../send/isSupported.ts"

type Allowed = Extract<OperationVerdict, { readonly _tag: "Allowed" }>

type Abilities = (provider: string, kind: OperationKind) => OperationAbility

export const abilitiesFor =
  (registry: ProviderRegistry["Service"], record: PaymentRecord): Abilities =>
  (provider, kind) => ({
    support: supportOf(registry, provider, kind, record),
    partial: registry.declared(provider, kind).partial
  })

/** A capture, cancel or refund, and whether the payment would accept it now. */
export interface OperationOffer {
  readonly kind: "capture" | "cancel" | "refund"
  /** The largest amount that may be requested, in minor units; `null` if the operation would be refused. */
  readonly amount: number | null
  /** Whether a smaller amount than `amount` may be requested. */
  readonly partial: boolean
  /** The reason for the refusal; `null` if the operation is accepted, or if only its amount is invalid. */
  readonly refusal: string | null
  /**
   * For a refund: the offer of a larger amount with an operator's `override`; `null` if no larger amount is possible.
   */
  readonly override: OverrideOffer | null
}

interface OverrideOffer {
  /** The largest amount that may be requested with an operator's evidence, in minor units. */
  readonly amount: number
  /** Whether a smaller amount than `amount` may be requested. */
  readonly partial: boolean
  /** The refundable amount, with its deductions, without an operator's evidence. */
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

/** The offer of a refund with an operator's evidence; `null` if evidence would not help, or is not needed. */
const overrideOffer = (record: PaymentRecord, abilityOf: Abilities): OverrideOffer | null => {
  const overridden = requestOperation(record, { ...wholeRefund, override: "" }, abilityOf)
  if (overridden._tag !== "Allowed") return null
  const { attempt, minorUnits } = overridden
  const asked = requestOperation(record, { ...wholeRefund, minorUnits }, abilityOf)
  if (asked._tag !== "ExceedsAvailable") return null
  const { partial } = abilityOf(attempt.provider, "refund")
  return { amount: minorUnits, partial, refundable: asked.refundable }
}

const refusalOf = (asked: Exclude<OperationVerdict, Allowed>): string | null => {
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

/** Fails with the error of the refusal if the requested operation is not allowed. */
export const allow = (asked: OperationVerdict) => {
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
