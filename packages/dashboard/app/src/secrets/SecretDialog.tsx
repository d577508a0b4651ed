/**
 * A dialog whose form makes a secret, and then shows it, this once. The secret lives in the state of the component that
 * opened the dialog, and nowhere else: not in storage, in the address or in a cache.
 */
import { useState } from "react"
import type { ReactNode } from "react"
import { Button } from "../ui/Button.tsx"
import { Secret } from "../ui/Copy.tsx"
import { Actions, Dialog } from "../ui/Dialog.tsx"
import { Checkbox } from "../ui/Field.tsx"
import { Note } from "../ui/Problem.tsx"

interface MadeSecret {
  readonly title: string
  /** What it is, for the copy button: `API key`. */
  readonly name: string
  readonly text: string
  /** What to do with it. */
  readonly next: ReactNode
}

interface SecretDialogProps {
  readonly title: string
  readonly description?: ReactNode
  readonly made: MadeSecret | null
  readonly onClose: () => void
  /** The form. */
  readonly children: ReactNode
}

export const SecretDialog = ({ children, description, made, onClose, title }: SecretDialogProps) => {
  const [stored, setStored] = useState(false)
  const [warned, setWarned] = useState(false)
  // The first attempt to close it may be a slip, and the secret cannot be shown again.
  const close = () => (made === null || stored || warned ? onClose() : setWarned(true))
  return (
    <Dialog
      open
      onClose={close}
      title={made?.title ?? title}
      description={made === null ? description : "Store it now: it is shown only this once."}
    >
      {made === null ? (
        children
      ) : (
        <>
          <Secret name={made.name} text={made.text} />
          <div className="text-sm text-muted">{made.next}</div>
          <Checkbox
            label="I have stored it"
            checked={stored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          {warned && !stored && (
            <Note tone="warn" role="alert">
              <p>It cannot be shown again. Close this dialog once more to leave without it.</p>
            </Note>
          )}
          <Actions>
            <Button look="primary" disabled={!stored} onClick={onClose}>
              Done
            </Button>
          </Actions>
        </>
      )}
    </Dialog>
  )
}
