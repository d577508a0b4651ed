/** What an inquiry may say, by what the vendor's ledger shows. */
import type { OperationKind, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { CheckFacts } from "../ConformanceCheck.ts"
import type { Ending, TestHarness } from "../ConformanceContext.ts"
import { describeAnswer } from "../words.ts"
import { reportedAmount } from "./money.ts"

export type InquiredBy = "reference" | "providerReference" | "replay"

type Facts = Pick<CheckFacts, "capabilities">

/** `null`: no inquiry is possible. */
export const inquiredBy = ({ capabilities }: Facts, kind: OperationKind): InquiredBy | null => {
  const by = capabilities.operations[kind]?.inquiry?.by ?? "none"
  return by === "none" ? null : by
}

/** Another instance is asked: what the first one remembers is gone when it matters. */
export const askedAfter = (harness: TestHarness, operation: ProviderOperation, ending?: Ending) =>
  Effect.flatMap(harness.restart, (restarted) => restarted.inquire(harness.again(operation, ending)))

/** What an inquiry is compared with. */
export interface Known {
  /** For people. */
  readonly tried: string
  /** What the create was answered with; `null`: its answer was lost. */
  readonly reported: Ending | null
  readonly payment: LedgerPayment
}

/** Fails the check unless the inquiry about a create says what the ledger and the create said. */
export const agrees = (harness: TestHarness, facts: Facts, { payment, reported, tried }: Known, seen: Ending) => {
  const said = reported?._tag === "Answered" ? reported.answer : null
  const isDefinite = said !== null && said._tag !== "Pending" && said._tag !== "Unknown"
  const isAllowed = isOfLedger(facts, payment, seen, said?._tag === "Declined")
  const isAsReported = !isDefinite || (seen._tag === "Answered" && isSameWord(said, seen.answer))
  return harness.expect(isAllowed && isAsReported && isRightAmount(payment, seen), {
    tried,
    expected: expectedOf(payment, isDefinite ? describeAnswer(said) : null),
    seen
  })
}

/** An inquiry that says nothing definite about what the vendor does not have. */
export const knowsNothing = (seen: Ending): boolean =>
  seen._tag === "Failed" ||
  (seen._tag === "Answered" && (seen.answer._tag === "NotFound" || seen.answer._tag === "Unknown"))

/** One that has no name to ask by says only that. */
export const saysNothing = (seen: Ending): boolean =>
  seen._tag === "Failed" || (seen._tag === "Answered" && seen.answer._tag === "Unknown")

const isOfLedger = (facts: Facts, { status }: LedgerPayment, seen: Ending, wasDeclined: boolean): boolean => {
  if (seen._tag !== "Answered") return false
  const { create } = facts.capabilities.operations
  const said = seen.answer
  switch (status) {
    case "draft":
      // It cannot be paid yet: it may count as not found.
      return said._tag === "Pending" || said._tag === "NotFound" || said._tag === "Unknown"
    case "pending":
      return said._tag === "Pending"
    case "authorized":
      return said._tag === "Authorized"
    case "captured":
      return said._tag === "Succeeded"
    case "declined":
      // A vendor that lets the payer try again may still call it open.
      return said._tag === "Declined" || (said._tag === "Pending" && !wasDeclined && create.declineIsFinal !== true)
    case "canceled":
      return said._tag === "Canceled"
    case "expired":
      // An adapter that declares `abandonedAfter` says that the vendor does not report the end.
      return (
        said._tag === "Expired" ||
        said._tag === "Canceled" ||
        (said._tag === "Declined" && said.code === "customer_timeout") ||
        (said._tag === "Pending" && create.abandonedAfter !== undefined)
      )
  }
}

type Answer = Extract<Ending, { readonly _tag: "Answered" }>["answer"]

const isSameWord = (reported: Answer, asked: Answer): boolean =>
  reported._tag === asked._tag &&
  (reported._tag !== "Declined" || asked._tag !== "Declined" || reported.code === asked.code)

const isRightAmount = ({ amount, captured, status }: LedgerPayment, seen: Ending): boolean => {
  const reported = reportedAmount(seen)
  const minorUnits = status === "captured" ? captured : amount.minorUnits
  return reported === null || (reported.minorUnits === minorUnits && reported.currency === amount.currency)
}

const expectedOf = (payment: LedgerPayment, reported: string | null): string => {
  const { amount, captured, status } = payment
  const ledger = `${status} ${amount.currency} ${status === "captured" ? captured : amount.minorUnits}`
  return `what the vendor's ledger shows: ${ledger}${reported === null ? "" : `, as the create said: ${reported}`}`
}
