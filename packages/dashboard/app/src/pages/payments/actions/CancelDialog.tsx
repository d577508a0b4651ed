import { call } from "../../../api/client.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Money } from "../../../ui/Money.tsx"
import { MoneyForm } from "./MoneyForm.tsx"
import type { ActionDialogProps } from "./ActionDialogProps.ts"
import { useMoneyAction } from "./useMoneyAction.ts"

export const CancelDialog = ({ details, onClose }: ActionDialogProps) => {
  const action = useMoneyAction<Record<string, never>>({
    details,
    done: "Cancel requested",
    onDone: onClose,
    send: (params, body) => call.POST("/dashboard/api/{account}/{mode}/payments/{id}/cancel", { params, body })
  })
  const { amount, currency } = details.payment
  return (
    <Dialog
      open
      onClose={() => action.isPending || onClose()}
      title="Cancel the payment"
      description="The payer can no longer complete it, and money that is held is released. This cannot be undone."
    >
      <MoneyForm
        kind="cancel"
        action={action}
        button="Cancel the payment"
        look="danger"
        onSubmit={() => action.send({})}
        onClose={onClose}
      >
        <p className="text-sm">
          <Money amount={amount} currency={currency} />
        </p>
      </MoneyForm>
    </Dialog>
  )
}
