import { useState } from "react"
import { call } from "../../../api/client.ts"
import { problemAt } from "../../../api/problems.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Field, Textarea } from "../../../ui/Field.tsx"
import { amountText, fieldAmount } from "../../../ui/amounts.ts"
import type { PaymentDetails } from "../paymentText.ts"
import { AmountField, amountEntered, readAmount } from "./AmountField.tsx"
import type { ReadAmount } from "./AmountField.tsx"
import { offerOf } from "./Conflict.tsx"
import { MoneyForm } from "./MoneyForm.tsx"
import { RefundLimit } from "./RefundLimit.tsx"
import type { ActionDialogProps } from "./ActionDialogProps.ts"
import { evidenceFault, longestEvidence, overrideOf, refundableIn } from "./refundOverride.ts"
import { useMoneyAction } from "./useMoneyAction.ts"

interface RefundInput {
  readonly amount: number
  readonly reason?: string
  readonly override?: string
}

interface Faults {
  readonly amount?: string | undefined
  readonly evidence?: string | undefined
}

export const RefundDialog = ({ details, onClose }: ActionDialogProps) => {
  const { action, isExplained, left, override, partial } = useRefund({ details, onClose })
  const { currency } = details.balance
  const [entered, setEntered] = useState({ reason: "", evidence: "", isOverriding: false })
  const isOverriding = entered.isOverriding && override !== null
  const most = isOverriding ? override.amount : (left ?? 0)
  const limits = { most, partial: isOverriding ? override.partial : partial, currency }
  const [typed, setText] = useState(() => fieldAmount(left ?? override?.amount ?? 0, currency))
  const [faults, setFaults] = useState<Faults>({})
  const text = amountEntered(typed, limits)
  const read = readAmount(text, limits)
  const changed = (change: () => void) => {
    change()
    setFaults({})
    action.changed()
  }
  const enter = (changes: Partial<typeof entered>) => changed(() => setEntered({ ...entered, ...changes }))
  const submit = () => {
    const evidence = isOverriding ? evidenceFault(entered.evidence) : undefined
    if ("fault" in read || evidence !== undefined) {
      return setFaults({ amount: "fault" in read ? read.fault : undefined, evidence })
    }
    const why = entered.reason.trim()
    action.send({
      amount: read.amount,
      ...(why !== "" && { reason: why }),
      ...(isOverriding && { override: entered.evidence.trim() })
    })
  }
  const canEnter = left !== null || isOverriding
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
        button={canEnter ? `${refundText(read, currency)}${isOverriding ? " anyway" : ""}` : null}
        look={isOverriding ? "danger" : "primary"}
        onSubmit={submit}
        onClose={onClose}
      >
        {override !== null && (
          <RefundLimit
            override={override}
            currency={currency}
            isOverriding={isOverriding}
            onChange={(next) => enter({ isOverriding: next })}
            {...(isExplained && { role: "alert" })}
          />
        )}
        {isOverriding && (
          <EvidenceField
            text={entered.evidence}
            onChange={(evidence) => enter({ evidence })}
            fault={faults.evidence ?? problemAt(action.error, "/override")}
          />
        )}
        {canEnter && (
          <>
            <AmountField
              label="Amount"
              limits={limits}
              text={text}
              onChange={(next) => changed(() => setText(next))}
              fault={faults.amount ?? problemAt(action.error, "/amount")}
            />
            <ReasonField
              text={entered.reason}
              onChange={(reason) => enter({ reason })}
              fault={problemAt(action.error, "/reason")}
            />
          </>
        )}
      </MoneyForm>
    </Dialog>
  )
}

const refundText = (read: ReadAmount, currency: string): string =>
  "amount" in read ? `Refund ${amountText(read.amount, currency)} ${currency}` : "Refund"

/** The request, and what may be requested: with less left, where the server has refused a refund meanwhile. */
const useRefund = ({ details, onClose }: ActionDialogProps) => {
  const [refused, setRefused] = useState<ReturnType<typeof refundableIn>>(null)
  const action = useMoneyAction<RefundInput>({
    details,
    done: "Refund requested",
    onDone: onClose,
    onRefused: (error) => setRefused((before) => refundableIn(error) ?? before),
    send: (params, body) => call.POST("/dashboard/api/{account}/{mode}/payments/{id}/refunds", { params, body })
  })
  const offer = offerOf(action.basis, "refund")
  const isExplained = refundableIn(action.error) !== null
  return {
    action: {
      ...action,
      error: isExplained ? null : action.error,
      goOnWith: (current: PaymentDetails) => {
        setRefused(null)
        action.goOnWith(current)
      }
    },
    isExplained,
    partial: offer?.partial ?? false,
    left: refused === null ? (offer?.amount ?? null) : refused.available || null,
    override: overrideOf(offer, refused)
  }
}

interface TextProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly fault: string | undefined
}

const EvidenceField = ({ fault, onChange, text }: TextProps) => (
  <Field
    label="Evidence"
    hint="What shows that the refund is right, such as the bank's letter, and who read it. It is stored with the payment; everyone who may read the payment can read it."
    error={fault}
  >
    <Textarea
      rows={3}
      maxLength={longestEvidence}
      required
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)

const ReasonField = ({ fault, onChange, text }: TextProps) => (
  <Field label="Reason" hint="Optional. Stored with the refund; some providers receive it." error={fault}>
    <Textarea rows={2} maxLength={500} value={text} onChange={({ target }) => onChange(target.value)} />
  </Field>
)
