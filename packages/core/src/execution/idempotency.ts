import type { Operation } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { DeclaredOperation } from "../provider/ProviderRegistry.ts"
import { timings } from "./timings.ts"

/**
 * Whether the same request under its key is answered with the first result. Clocks can be set, here and at the
 * provider: a key near the end of its declared life counts as dead.
 */
export const answersFirst = (
  { by, lifetimeMs }: DeclaredOperation["idempotency"],
  { createdAt }: Operation,
  now: number
): boolean => (by === "header" || by === "body") && now - createdAt < lifetimeMs - timings.keyMargin

/**
 * Whether the same request may be sent again to find out what became of it. The first to arrive may be this one: a create
 * that never arrived must not charge anybody when its payment's deadline is over, or when somebody has asked to cancel it.
 */
export const mayReplay = (
  idempotency: DeclaredOperation["idempotency"],
  operation: Operation,
  { operations, payment }: Pick<PaymentRecord, "operations" | "payment">,
  now: number
): boolean => {
  if (!answersFirst(idempotency, operation, now)) return false
  const isUnwanted = operations.some(({ attemptSeq, kind }) => kind === "cancel" && attemptSeq === operation.attemptSeq)
  return operation.kind !== "create" || (now <= payment.deadlineAt && !isUnwanted)
}
