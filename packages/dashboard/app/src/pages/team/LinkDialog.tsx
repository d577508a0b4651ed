/** Asks before it makes a link for a person, and shows the link once. */
import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Schemas } from "../../api/client.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Ask } from "./Ask.tsx"
import { OneTimeLink } from "./OneTimeLink.tsx"

interface LinkDialogProps {
  readonly title: string
  readonly description: string
  /** Of the link, such as `reset link`. */
  readonly name: string
  readonly make: () => Promise<Schemas["PersonLink"] | undefined>
  readonly onMade?: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const LinkDialog = ({ children, description, make, name, onClose, onMade, title }: LinkDialogProps) => {
  // The answer has the link: nothing keeps it after this dialog.
  const made = useMutation({ mutationFn: make, onSuccess: () => onMade?.() })
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      {made.data === undefined ? (
        <Ask
          action="Make the link"
          error={made.error}
          busy={made.isPending}
          onClose={onClose}
          onSubmit={() => made.mutate()}
        >
          {children}
        </Ask>
      ) : (
        <OneTimeLink name={name} issued={made.data} onDone={onClose} />
      )}
    </Dialog>
  )
}
