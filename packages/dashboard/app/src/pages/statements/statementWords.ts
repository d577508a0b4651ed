/** Words of providers' statements. As in the guide. */
import type { Schemas } from "../../api/client.ts"

export type Statement = Schemas["ProviderStatement"]
export type Run = Schemas["StatementRun"]
export type Difference = Schemas["StatementDifference"]
export type Movement = Schemas["StatementMovement"]
export type Payout = Schemas["StatementPayout"]
type Kind = Difference["kind"]

interface KindWords {
  readonly title: string
  readonly meaning: string
  /** What happened after it was found, if the payment has no open review. */
  readonly follows: string
}

const kinds: { readonly [kind in Kind]: KindWords } = {
  missing_here: {
    title: "Missing in the books",
    meaning: "The provider booked an operation of this installation, whose payment is not in the database.",
    follows: "Unmatched report"
  },
  missing_there: {
    title: "Not booked",
    meaning: "The payment succeeded here, and the provider has not booked it.",
    follows: "No open review"
  },
  refund_not_booked: {
    title: "Refund not booked",
    meaning: "The refund succeeded here, and the provider has not booked it.",
    follows: "No open review"
  },
  duplicate_here: {
    title: "Two operations, one booking",
    meaning: "Two operations succeeded here under one reference, and the provider booked one of them.",
    follows: "No open review"
  },
  other_status: {
    title: "Different status",
    meaning: "The provider booked it, and here it was open, unknown or failed.",
    follows: "Reported to the payment"
  },
  other_amount: {
    title: "Different amount",
    meaning: "The provider booked a different amount.",
    follows: "No open review"
  },
  other_currency: {
    title: "Different currency",
    meaning: "The provider booked a different currency.",
    follows: "No open review"
  },
  duplicate_there: {
    title: "Booked twice",
    meaning: "The provider booked one operation twice.",
    follows: "No open review"
  },
  unknown_refund: {
    title: "Unknown refund",
    meaning: "The provider refunded the payment, and no refund was requested here.",
    follows: "No open review"
  },
  other_reference: {
    title: "Different reference",
    meaning: "The provider booked it under the reference of another payment.",
    follows: "No open review"
  },
  wrong_fee: {
    title: "Fee does not add up",
    meaning: "Amount, fee and net amount of the movement do not add up. The amounts shown are fees.",
    follows: "Listed only"
  },
  changed_movement: {
    title: "Changed movement",
    meaning: "A later statement has another content for the same movement. The first content stays.",
    follows: "Listed only"
  }
}

const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)

export const differenceKinds = Object.keys(kinds).filter(isKind)

export const wordsOf = (kind: Kind): KindWords => kinds[kind]

/** Of a filter: an address may hold any text. */
export const titleOfKind = (text: string): string => (isKind(text) ? kinds[text].title : text)

export const differencesOf = ({ counts }: Run): number =>
  Object.values(counts.differences).reduce((sum, each) => sum + each, 0)

/** `file:report.csv` → `File report.csv`. */
export const sourceText = (source: string): string =>
  source === "provider" ? "Provider" : source.replace(/^file:/, "File ")
