import { type IdempotencyKey, type OperationId, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { type Bug, answering, creating, withOperations } from "../Bug.ts"

const named = (operation: ProviderOperation, name: string): ProviderOperation => ({
  ...operation,
  // Boundary: ids and keys are text.
  id: name as OperationId,
  key: name as IdempotencyKey
})

export const losingBugs: ReadonlyArray<Bug> = [
  {
    check: "lost-commit",
    name: "names the payment at the vendor by operation.paymentId",
    adapter: "northbank",
    plant: (provider) => creating(provider, (operation) => named(operation, operation.paymentId))
  },
  {
    check: "lost-commit",
    name: "makes the key of the time",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => named(operation, `${operation.id.slice(0, 20)}${operation.createdAt}`))
  },
  {
    check: "lost-commit",
    name: "names a refund by the payment",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ refund }) =>
        refund === undefined
          ? {}
          : { refund: (operation) => refund(named(operation, `${operation.paymentId}${operation.amount.minorUnits}`)) }
      )
  },
  {
    check: "lost-commit",
    name: "takes the refusal of a repeat for proof that nothing was done",
    adapter: "acme",
    plant: (provider) =>
      answering(
        creating(provider, (operation) => ({ ...operation, description: String(operation.createdAt) })),
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Unknown" ? Outcome.notExecuted({ reason: "adapter_fault" }) : answer
          )
      )
  }
]
