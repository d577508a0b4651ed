/** I10: once faults stop, everything resolves or is flagged for review. */
import { isInFlight, isOpen } from "@paymux/core"
import type { Law } from "./Law.ts"

export const i10Resolved: Law = ({ charges, records }) =>
  records.flatMap(({ attempts, operations, payment }) => {
    if (payment.review !== null) return []
    const stillPending = charges.some(({ status }) => status === "waiting")
    const open = attempts.filter(({ status }) => isInFlight(status) && !(status === "pending" && stillPending))
    const undone = operations.filter(
      (operation) => operation.kind !== "create" && isOpen(operation) && operation.status !== "pending"
    )
    return [
      ...open.map(({ provider, status }) => ({
        elapsed: null,
        text: `its attempt at ${provider} is ${status} for ever`
      })),
      ...undone.map(({ kind, provider, status }) => ({
        elapsed: null,
        text: `its ${kind} at ${provider} is ${status} for ever`
      }))
    ]
  })
