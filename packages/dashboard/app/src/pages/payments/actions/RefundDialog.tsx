import { useState } from "react"
import { call } from "../../../api/client.ts"
import { problemAt } from "../../../api/problems.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Field, Textarea } from "../../../ui/Field.tsx"
import { amountText, fieldAmount } from "../../../ui/amounts.ts"
import { AmountField, amountEntered, readAmount } from "./AmountField.tsx"
import { offerOf } from "./Conflict.tsx"
import { MoneyForm } from "./MoneyForm.tsx"
import type { ActionDialogProps } from "./ActionDialogProps.ts"
import { useMoneyAction } from "./useMoneyAction.ts"

interface RefundInput {
  readonly amount: number
  readonly reason?: string
}

export const RefundDialog = ({ details, onClose }: ActionDialogProps) => {
  const action = useMoneyAction<RefundInput>({
    details,
    done: "Refund requested",
    onDone: onClose,
    send: (params, body) => call.POST("/dashboard/api/{account}/{mode}/payments/{id}/refunds", { params, body })
  })
  const { currency } = details.balance
  const offer = offerOf(action.basis, "refund")
  const limits = { most: offer?.amount ?? 0, partial: offer?.partial ?? false, currency }
  const [typed, setText] = useState(() => fieldAmount(limits.most, currency))
  const [reason, setReason] = useState("")
  const [fault, setFault] = useState<string>()
  const text = amountEntered(typed, limits)
  const read = readAmount(text, limits)
  const changed = (change: () => void) => {
    change()
    setFault(undefined)
    action.changed()
  }
  const submit = () => {
    if ("fault" in read) return setFault(read.fault)
    const why = reason.trim()
    action.send({ amount: read.amount, ...(why !== "" && { reason: why }) })
  }
  return (
    <Dialog
      open
      onClose={() => action.isPending || onClose()}
      title="Refund the payment"
      description="The money goes back to the payer. A refund cannot be taken back."
    >
      <MoneyForm
        kind="refund"
        action={action}
        button={"amount" in read ? `Refund ${amountText(read.amount, currency)} ${currency}` : "Refund"}
        onSubmit={submit}
        onClose={onClose}
      >
        <AmountField
          label="Amount"
          limits={limits}
          text={text}
          onChange={(next) => changed(() => setText(next))}
          fault={fault ?? problemAt(action.error, "/amount")}
        />
        <Field
          label="Reason"
          hint="Optional. Stored with the refund; some providers receive it."
          error={problemAt(action.error, "/reason")}
        >
          <Textarea
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => changed(() => setReason(event.target.value))}
          />
        </Field>
      </MoneyForm>
    </Dialog>
  )
}
