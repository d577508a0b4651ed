/** Someone else has decided about the report meanwhile. */
import { useGet } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { meaningOfReport } from "./reportWords.ts"
import type { Report } from "./reportWords.ts"

/** `report`: as it was when the dialog was opened. */
export const DecisionProblem = ({ error, report: { id } }: { readonly error: unknown; readonly report: Report }) => {
  const path = useTenant()
  const { data: now } = useGet("/dashboard/api/{account}/{mode}/reports/{id}", { path: { ...path, id } })
  if (error === null) return null
  if (!isProblem(error, "conflict") || now === undefined) return <ProblemNote error={error} repeatable />
  return (
    <Note tone="warn" role="alert">
      <p className="font-medium">{error.problem.detail}</p>
      <p>
        {meaningOfReport(now.status)} {now.paymentId !== null && `Its payment is ${now.paymentId}.`}
      </p>
    </Note>
  )
}
