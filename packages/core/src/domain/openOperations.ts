import { isOpen } from "./Operation.ts"
import type { Operation, OperationKind } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"

/** Operations of an attempt that are still to be done or found out, of some kind. */
export const openOperations = (
  { operations }: PaymentRecord,
  attemptSeq: number,
  kind: OperationKind
): ReadonlyArray<Operation> =>
  operations.filter((operation) => operation.attemptSeq === attemptSeq && operation.kind === kind && isOpen(operation))

export const createOf = ({ operations }: PaymentRecord, attemptSeq: number): Operation | undefined =>
  operations.find((each) => each.kind === "create" && each.attemptSeq === attemptSeq)
