/** The form of a dialog that asks before something is done. */
import type { FormEvent, ReactNode } from "react"
import { Button } from "../../ui/Button.tsx"
import type { ButtonLook } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"

interface AskProps {
  readonly action: string
  readonly look?: ButtonLook
  readonly error: unknown
  readonly busy: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const Ask = ({ action, busy, children, error, look = "primary", onClose, onSubmit }: AskProps) => {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {children}
      {error !== null && <ProblemNote error={error} repeatable />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look={look} busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  )
}
