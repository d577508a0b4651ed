import { useState } from "react"
import { call } from "../../../api/client.ts"
import { problemAt } from "../../../api/problems.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { amountText, fieldAmount } from "../../../ui/amounts.ts"
import { AmountField, amountEntered, readAmount } from "./AmountField.tsx"
import { offerOf } from "./Conflict.tsx"
import { MoneyForm } from "./MoneyForm.tsx"
import type { ActionDialogProps } from "./ActionDialogProps.ts"
import { useMoneyAction } from "./useMoneyAction.ts"

export const CaptureDialog = ({ details, onClose }: ActionDialogProps) => {
  const action = useMoneyAction<{ readonly amount: number }>({
    details,
    done: "Capture requested",
    onDone: onClose,
    send: (params, body) => call.POST("/dashboard/api/{account}/{mode}/payments/{id}/capture", { params, body })
  })
  const { currency } = details.balance
  const offer = offerOf(action.basis, "capture")
  const limits = { most: offer?.amount ?? 0, partial: offer?.partial ?? false, currency }
  const [typed, setText] = useState(() => fieldAmount(limits.most, currency))
  const [fault, setFault] = useState<string>()
  const text = amountEntered(typed, limits)
  const read = readAmount(text, limits)
  return (
    <Dialog
      open
      onClose={() => action.isPending || onClose()}
      title="Capture the payment"
      description="Takes the money that is held. A partial capture releases the rest to the payer."
    >
      <MoneyForm
        kind="capture"
        action={action}
        button={"amount" in read ? `Capture ${amountText(read.amount, currency)} ${currency}` : "Capture"}
        onSubmit={() => ("fault" in read ? setFault(read.fault) : action.send({ amount: read.amount }))}
        onClose={onClose}
      >
        <AmountField
          label="Amount"
          limits={limits}
          text={text}
          onChange={(next) => {
            setText(next)
            setFault(undefined)
            action.changed()
          }}
          fault={fault ?? problemAt(action.error, "/amount")}
        />
      </MoneyForm>
    </Dialog>
  )
}
