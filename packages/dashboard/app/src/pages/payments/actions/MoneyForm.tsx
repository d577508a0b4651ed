/** The form of a dialog that moves money: its fields, what went wrong, and the button that sends. */
import type { FormEvent, ReactNode } from "react"
import { ConnectionLost } from "../../../api/problems.ts"
import { Button } from "../../../ui/Button.tsx"
import type { ButtonLook } from "../../../ui/Button.tsx"
import { Actions } from "../../../ui/Dialog.tsx"
import { ProblemNote } from "../../../ui/Problem.tsx"
import type { ActionOffer, PaymentDetails } from "../paymentText.ts"
import { Conflict } from "./Conflict.tsx"

interface MoneyFormProps {
  readonly kind: ActionOffer["kind"]
  readonly action: {
    readonly basis: PaymentDetails
    readonly conflict: PaymentDetails | null
    readonly error: unknown
    readonly isPending: boolean
    readonly goOnWith: (current: PaymentDetails) => void
  }
  /** `null`: nothing can be sent yet. */
  readonly button: string | null
  readonly look?: ButtonLook
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const MoneyForm = ({ action, button, children, kind, look = "primary", onClose, onSubmit }: MoneyFormProps) => {
  const { basis, conflict, error, goOnWith, isPending } = action
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (conflict === null && button !== null) onSubmit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
      {children}
      {conflict !== null && (
        <Conflict kind={kind} before={basis} now={conflict} onContinue={() => goOnWith(conflict)} />
      )}
      {conflict === null && error !== null && <ProblemNote error={error} repeatable />}
      <Actions>
        <Button onClick={onClose} disabled={isPending}>
          {conflict === null ? "Keep as it is" : "Close"}
        </Button>
        {conflict === null && button !== null && (
          <Button type="submit" look={look} busy={isPending}>
            {error instanceof ConnectionLost ? "Send again" : button}
          </Button>
        )}
      </Actions>
    </form>
  )
}
