/** Movements and operations for tests of matching: one payment of 1000 EUR cents, refunded by 300. */
import type { OperationId, PaymentId } from "../../src/domain/Ids.ts"
import type { StatementMovement } from "../../src/provider/Statement.ts"
import { indexed } from "../../src/statement/OurOperations.ts"
import type { OurOperation, OurOperations } from "../../src/statement/OurOperations.ts"
import { money } from "../domain/records.ts"

export const opId = (name: string): OperationId => `op_${name.padEnd(26, "0")}` as OperationId

export const movement = (over: Partial<StatementMovement> = {}): StatementMovement => ({
  id: "m1",
  type: "payment",
  operation: null,
  reference: null,
  original: null,
  amount: money(1000),
  direction: "in",
  fee: null,
  net: null,
  payout: null,
  bookedAt: 1_000,
  ...over
})

export const refundMovement = (over: Partial<StatementMovement> = {}): StatementMovement =>
  movement({ id: "m2", type: "refund", direction: "out", amount: money(300), ...over })

export const ourOperation = (name: string, over: Partial<OurOperation> = {}): OurOperation => ({
  id: opId(name),
  paymentId: "pay_1" as PaymentId,
  attemptSeq: 1,
  kind: "create",
  status: "succeeded",
  minorUnits: 1000,
  currency: "EUR",
  reference: `ref_${name}`,
  charge: null,
  captureMethod: "automatic",
  disputes: [],
  entered: [],
  ...over
})

export const ours = (...operations: ReadonlyArray<OurOperation>): OurOperations =>
  indexed({ operations, former: [], bookings: new Map() })

export const create = ourOperation("c")
export const refund = ourOperation("r", { kind: "refund", minorUnits: 300 })
export const held = ourOperation("h", { captureMethod: "manual", reference: "ref_h" })
export const capture = (name: string, over: Partial<OurOperation> = {}) =>
  ourOperation(name, { kind: "capture", captureMethod: "manual", reference: "ref_h", minorUnits: 400, ...over })
