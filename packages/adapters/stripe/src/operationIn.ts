import type { OperationId } from "@paymux/core"
import type * as Wire from "./wire.ts"

/** Our operation's id, as it was given to Stripe. `null`: another system made the object. */
export const operationIn = (metadata: Wire.PaymentIntent["metadata"]): OperationId | null => {
  const id = metadata?.["paymux_operation"]
  // Boundary: the shape of an operation's id, with a cell or without.
  return id !== undefined && /^op_[0-9a-z]{26}(?:_[0-9a-z]{1,8})?$/.test(id) ? (id as OperationId) : null
}
