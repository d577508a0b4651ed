import { useState } from "react"
import type { FormEvent } from "react"
import { call } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"
import { PublicationProblem } from "./PublicationProblem.tsx"
import { usePublication } from "./usePublication.ts"

interface RollBackDialogProps {
  /** Whose text is published again. */
  readonly version: Schemas["RulesVersion"]
  readonly current: Schemas["CurrentRules"]
  readonly onClose: () => void
}

export const RollBackDialog = ({ current, onClose, version }: RollBackDialogProps) => {
  const path = useTenant()
  const [note, setNote] = useState("")
  const rollBack = usePublication({
    send: () =>
      call.POST("/dashboard/api/{account}/{mode}/rules/rollback", {
        params: { path, header: { "If-Match": `"${current.version}"` } },
        body: { version: version.version, ...(note.trim() !== "" && { note: note.trim() }) }
      }),
    onPublished: onClose,
    // The dialog says what is newest now, and stays.
    onConflict: () => undefined
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rollBack.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Roll back to version ${version.version}`}
      description={`Its text becomes version ${current.version + 1}, for all accounts and both modes, within seconds.`}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Note" hint="Why, for the history. Optional.">
          <Input
            name="note"
            maxLength={500}
            autoComplete="off"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {isProblem(rollBack.error, "version_conflict") && <PublishedMeanwhile current={current} />}
        {rollBack.error !== null && <PublicationProblem error={rollBack.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rollBack.isPending}>
            Roll back
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}

const PublishedMeanwhile = ({ current: { author, note, version } }: Pick<RollBackDialogProps, "current">) => (
  <Note tone="warn" role="alert">
    <p>
      Version {version} was published meanwhile
      {author !== null && (
        <>
          {" "}
          by <Foreign text={author.name ?? author.id} />
        </>
      )}
      {note !== null && (
        <>
          : <Foreign text={note} />
        </>
      )}
      . Rolling back replaces it too.
    </p>
  </Note>
)
