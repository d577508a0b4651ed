import { Ids } from "@paymux/core"
import type { OperationId } from "@paymux/core"
import type * as Wire from "./wire.ts"

/** Our operation's id, as it was given to Stripe. `null`: another system made the object. */
export const operationIn = (metadata: Wire.PaymentIntent["metadata"]): OperationId | null => {
  const id = metadata?.["paymux_operation"]
  return id !== undefined && Ids.isOperation(id) ? id : null
}
