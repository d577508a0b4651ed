/** A link that the server shows once: it is in the memory of this dialog alone. */
import type { Schemas } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { Secret } from "../../ui/Copy.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { exactTime } from "../../ui/Time.tsx"

interface OneTimeLinkProps {
  readonly issued: Schemas["PersonLink"]
  readonly name: string
  readonly onDone: () => void
}

export const OneTimeLink = ({ issued: { expiresAt, link }, name, onDone }: OneTimeLinkProps) => (
  <div className="flex flex-col gap-3">
    <p className="text-sm">
      Hand this link over yourself: no email is sent. It works once, until {exactTime(expiresAt)}. It is not shown
      again.
    </p>
    <Secret name={name} text={link} />
    <Actions>
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </Actions>
  </div>
)
