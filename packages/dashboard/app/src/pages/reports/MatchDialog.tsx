/** Two steps: find the payment and look at it, then confirm. A match cannot be undone. */
import { useState } from "react"
import type { FormEvent } from "react"
import { call, useGet } from "../../api/client.ts"
import { isProblem, problemAt } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Checkbox, Field, Input } from "../../ui/Field.tsx"
import { SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { DecisionProblem } from "./DecisionProblem.tsx"
import { MatchedPayment, differencesOf } from "./MatchedPayment.tsx"
import { Suggestions } from "./Suggestions.tsx"
import { useDecision } from "./useDecision.ts"
import type { Report } from "./reportWords.ts"

interface MatchDialogProps {
  readonly report: Report
  readonly onClose: () => void
}

export const MatchDialog = ({ onClose, report }: MatchDialogProps) => {
  const [paymentId, setPaymentId] = useState<string | null>(null)
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Match to payment"
      description="Paymux applies the report to the payment, like every report of the provider."
    >
      {paymentId === null ? (
        <FindPayment report={report} onFind={setPaymentId} />
      ) : (
        <ConfirmMatch
          key={paymentId}
          report={report}
          paymentId={paymentId}
          onBack={() => setPaymentId(null)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface FindPaymentProps {
  readonly report: Report
  readonly onFind: (paymentId: string) => void
}

const FindPayment = ({ onFind, report }: FindPaymentProps) => {
  const [id, setId] = useState("")
  const [fault, setFault] = useState<string | undefined>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = id.trim()
    if (/^pay_\w{1,60}$/.test(text)) return onFind(text)
    setFault("Enter the id of a payment, such as pay_01jd8w6x2vh6k9v0q3f7m5t1ac.")
  }
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field label="Payment id" hint="Of this account and mode." error={fault}>
          <Input
            name="paymentId"
            autoComplete="off"
            maxLength={100}
            placeholder="pay_…"
            className="font-mono"
            value={id}
            onChange={({ target }) => {
              setId(target.value)
              setFault(undefined)
            }}
          />
        </Field>
        <Actions>
          <Button type="submit" look="primary">
            Find payment
          </Button>
        </Actions>
      </form>
      <Suggestions report={report} onChoose={onFind} />
    </div>
  )
}

/** Not at the button: Enter, pressed twice in the step before, would match without a look at the payment. */
const focus = (element: HTMLElement | null) => element?.focus()

interface ConfirmMatchProps extends MatchDialogProps {
  readonly paymentId: string
  readonly onBack: () => void
}

const ConfirmMatch = ({ onBack, onClose, paymentId, report }: ConfirmMatchProps) => {
  const tenant = useTenant()
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/reviews/{id}", {
    path: { ...tenant, id: paymentId }
  })
  const [operationId, setOperationId] = useState("")
  // The differences that the person has accepted.
  const [confirmed, setConfirmed] = useState("")
  const { decide, once } = useDecision({
    report,
    onClose,
    done: "The report is matched.",
    send: (operation: string) =>
      call.POST("/dashboard/api/{account}/{mode}/reports/{id}/match", {
        params: { path: { ...tenant, id: report.id } },
        body: { paymentId, ...(operation !== "" && { operationId: operation }) }
      })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    once(operationId)
  }
  if (data === undefined) {
    if (error === null) return <SkeletonLines lines={5} />
    return (
      <>
        {isProblem(error, "not_found") ? (
          <Note tone="warn" role="alert">
            <p>There is no such payment in this account and mode.</p>
          </Note>
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )}
        <Actions>
          <Button onClick={onBack}>Back</Button>
        </Actions>
      </>
    )
  }
  const differences = differencesOf(report, data).join(" ")
  const isConfirmed = differences === "" || confirmed === differences
  const atField = problemAt(decide.error, "/paymentId") ?? problemAt(decide.error, "/operationId")
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <h3 ref={focus} tabIndex={-1} className="text-sm font-semibold">
        Is the report about this payment?
      </h3>
      <MatchedPayment report={report} reviewed={data} operationId={operationId} onOperation={setOperationId} />
      {atField === undefined ? (
        <DecisionProblem error={decide.error} report={report} />
      ) : (
        <Note tone="bad" role="alert">
          <p>{atField}</p>
        </Note>
      )}
      {differences !== "" && (
        <Checkbox
          name="confirmed"
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked ? differences : "")}
          label="The report is about this payment, although they do not agree."
        />
      )}
      <Actions>
        <p className="mr-auto text-xs text-muted">This cannot be undone.</p>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" busy={decide.isPending} disabled={!isConfirmed}>
          Match report
        </Button>
      </Actions>
    </form>
  )
}
