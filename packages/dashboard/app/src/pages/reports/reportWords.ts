/** Words of provider reports that match no payment. */
import type { Schemas } from "../../api/client.ts"
import type { Tone } from "../../ui/Status.tsx"

export type Report = Schemas["UnmatchedReport"]
type ReportStatus = Report["status"]

const looks: { readonly [status in ReportStatus]: { readonly tone: Tone; readonly meaning: string } } = {
  waiting: { tone: "accent", meaning: "Its payment is not known yet. Paymux looks for it for three days." },
  parked: {
    tone: "bad",
    meaning:
      "It names an operation of this installation, whose payment is not in the database. Usual cause: a restored backup."
  },
  foreign: {
    tone: "quiet",
    meaning: "It names a reference that no payment has. Usual cause: another system at the same provider account."
  },
  matched: { tone: "good", meaning: "An operator matched it to a payment." },
  dismissed: { tone: "quiet", meaning: "An operator dismissed it. It can still be matched." }
}

export const reportStatuses = Object.keys(looks).filter((status): status is ReportStatus => status in looks)

export const isReportStatus = (text: string): text is ReportStatus => Object.hasOwn(looks, text)

export const toneOfReport = (status: ReportStatus): Tone => looks[status].tone

export const meaningOfReport = (status: ReportStatus): string => looks[status].meaning
