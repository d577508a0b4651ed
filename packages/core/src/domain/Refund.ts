/** A refund that the merchant requested: the public view of an Operation of kind `refund`. */
import type { Failure, FailureCode } from "./Decline.ts"
import { failure } from "./Decline.ts"
import type { OperationId, RefundId } from "./Ids.ts"
import type { Operation } from "./Operation.ts"
import { isOpen } from "./Operation.ts"
import type { Payment, PaymentRecord } from "./Payment.ts"

export const refundStatuses = ["pending", "succeeded", "failed"] as const
export type RefundStatus = (typeof refundStatuses)[number]

/**
 * Converts an operation id to the refund id, which has another prefix. So no second row exists that could contradict
 * the operation.
 */
export const refundId = (id: OperationId): RefundId => id.replace(/^op_/, "re_") as RefundId
export const refundOperationId = (id: RefundId): OperationId => id.replace(/^re_/, "op_") as OperationId

export const refundStatus = (operation: Operation): RefundStatus => {
  if (isOpen(operation)) return "pending"
  return operation.status === "succeeded" ? "succeeded" : "failed"
}

export const refundFailure = (operation: Operation): Failure | null => {
  if (refundStatus(operation) !== "failed") return null
  const failed = failure(operation.code ?? "processing_error", true)
  const message = messages[failed.code]
  return message === undefined ? failed : { ...failed, message }
}

/**
 * The messages of failed refunds, by failure code. A code is listed if its default message would say that nothing was
 * charged.
 */
const messages: { readonly [code in FailureCode]?: string } = {
  provider_unavailable: "The provider could not be reached; nothing was refunded.",
  request_rejected: "The provider refused the request as invalid; nothing was refunded.",
  provider_misconfigured: "The provider refused our credentials; nothing was refunded.",
  account_not_enabled: "The account at the provider is not enabled for this refund; nothing was refunded.",
  details_required: "The account at the provider requires details that the payment does not have; nothing was refunded."
}

/** The fields of a payment that the view of a refund uses. */
export type RefundedPayment = Pick<Payment, "id" | "livemode" | "amount">

/**
 * Whether the operation is a refund that the merchant requested; an automatic reversal is not a refund of the payment.
 */
export const isRefund = ({ kind, purpose }: Operation): boolean => kind === "refund" && purpose === "requested"

export const refundsOf = ({ operations }: PaymentRecord): ReadonlyArray<Operation> => operations.filter(isRefund)
