import { useState } from "react"
import type { FormEvent } from "react"
import { call } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Textarea } from "../../ui/Field.tsx"
import { DecisionProblem } from "./DecisionProblem.tsx"
import { useDecision } from "./useDecision.ts"
import type { Report } from "./reportWords.ts"

interface DismissDialogProps {
  readonly report: Report
  readonly onClose: () => void
}

export const DismissDialog = ({ onClose, report }: DismissDialogProps) => {
  const tenant = useTenant()
  const [note, setNote] = useState("")
  const [isMissing, setMissing] = useState(false)
  const { decide, once } = useDecision({
    report,
    onClose,
    done: "The report is dismissed.",
    send: (reason: string) =>
      call.POST("/dashboard/api/{account}/{mode}/reports/{id}/dismiss", {
        params: { path: { ...tenant, id: report.id } },
        body: { note: reason }
      })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(note.trim() === "")
    if (note.trim() !== "") once(note.trim())
  }
  const refused = problemAt(decide.error, "/note")
  return (
    <Dialog
      open
      onClose={onClose}
      title="Dismiss this report"
      description="It is kept, and can still be matched later."
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field
          label="Reason"
          hint="Such as: another shop at the same provider account."
          error={isMissing ? "Enter why it belongs to no payment." : refused}
        >
          <Textarea
            name="note"
            rows={2}
            maxLength={1000}
            required
            value={note}
            onChange={({ target }) => {
              setNote(target.value)
              setMissing(false)
            }}
          />
        </Field>
        {refused === undefined && <DecisionProblem error={decide.error} report={report} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={decide.isPending}>
            Dismiss report
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}
