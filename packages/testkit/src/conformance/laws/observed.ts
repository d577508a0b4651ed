/** What an adapter emits is judged by the vendor's ledger, as it is when it was emitted. */
import type { Evidence } from "@paymux/core"
import { Effect } from "effect"
import type { Fate, LedgerPayment } from "../../fake/Ledger.ts"
import type { Sample } from "../samples.ts"
import type { Stand, Trial } from "../Trial.ts"

export const observed = Effect.fnUntraced(function* (trial: Trial, sample: Sample) {
  const [decline] = trial.declineCodes
  const fates: ReadonlyArray<Fate> = ["wait", "approve", ...(decline === undefined ? [] : [{ decline }])]
  for (const fate of fates) yield* Effect.scoped(ofFate(trial, sample, fate))
})

const ofFate = Effect.fnUntraced(function* (trial: Trial, sample: Sample, fate: Fate) {
  const stand = yield* trial.begin()
  const told = yield* stand.send(yield* stand.create(sample, { fate }))
  yield* isTrue(stand, `a ${sample.name} create, before its payer has acted`)
  if (fate === "wait" || told._tag !== "Answered") return
  yield* stand.vendor.payersAct
  yield* isTrue(stand, `a ${sample.name} create, after its payer has acted`)
})

const isTrue = Effect.fnUntraced(function* (stand: Stand, tried: string) {
  const payment = (yield* stand.vendor.payments).at(-1)
  const lie = stand.emitted.find(({ claim }) => !holds(claim, payment))
  yield* stand.expect(lie === undefined, {
    tried: `${tried}: what the adapter emitted`,
    expected: `what the vendor's ledger shows: ${payment?.status ?? "no payment"}`,
    seen: `emitted ${JSON.stringify(lie?.claim)}`
  })
})

const holds = (claim: Evidence["claim"], payment: LedgerPayment | undefined): boolean => {
  const status = payment?.status
  switch (claim.kind) {
    case "succeeded":
    case "captured":
      return status === "captured" && isOf(claim.amount, payment)
    case "authorized":
      return (status === "authorized" || status === "captured") && isOf(claim.amount, payment)
    case "declined":
    case "canceled":
    case "expired":
      return status === claim.kind
    case "not_executed":
      return status === undefined || status === "draft"
    case "capture_failed":
    case "refund_pending":
    case "refund_succeeded":
    case "refund_failed":
    case "disputed":
    case "unreadable":
      // Nothing of the kind was asked for.
      return false
    case "pending":
    case "unknown":
    case "not_found":
    case "detected":
    case "retracted":
      return true
  }
}

const isOf = (told: LedgerPayment["amount"] | null, payment: LedgerPayment | undefined): boolean =>
  told === null || (told.minorUnits === payment?.amount.minorUnits && told.currency === payment.amount.currency)
