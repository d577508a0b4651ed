import { useState } from "react"
import type { FormEvent } from "react"
import { call, useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { TextDiff } from "./Lazy.tsx"
import { PublicationProblem } from "./PublicationProblem.tsx"
import { notAccepted, RejectedPayments } from "./RejectedPayments.tsx"
import { useRejected } from "./useCheck.ts"
import { usePublication } from "./usePublication.ts"

interface RollBackDialogProps {
  /** Whose text is published again. */
  readonly version: Schemas["RulesVersion"]
  /** The newest that this page knows. The dialog replaces the one that it was opened for. */
  readonly current: Schemas["CurrentRules"]
  readonly onClose: () => void
}

export const RollBackDialog = ({ current, onClose, version }: RollBackDialogProps) => {
  const path = useTenant()
  const [note, setNote] = useState("")
  const [replaced, setReplaced] = useState(current)
  const [isAccepted, setAccepted] = useState(false)
  const { data: stored } = useGet(
    "/dashboard/api/{account}/{mode}/rules/versions/{id}",
    { path: { ...path, id: String(version.version) } },
    { staleTime: Number.POSITIVE_INFINITY }
  )
  const { readAgain, rejected } = useRejected(stored?.text)
  const rollBack = usePublication({
    send: () =>
      call.POST("/dashboard/api/{account}/{mode}/rules/rollback", {
        params: { path, header: { "If-Match": `"${replaced.version}"` } },
        body: {
          version: version.version,
          ...(note.trim() !== "" && { note: note.trim() }),
          ...(isAccepted && { acceptNoRoute: true })
        }
      }),
    onPublished: onClose,
    // The dialog says what is newest now, and stays.
    onConflict: () => undefined,
    onRefused: () => void readAgain()
  })
  // While it is sent, the newest version is the one that it makes.
  const isBehind = current.version !== replaced.version && !rollBack.isPending
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBehind) rollBack.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      wide={isBehind}
      title={`Roll back to version ${version.version}`}
      description={`Its text becomes version ${replaced.version + 1}, for all accounts and both modes, within seconds.`}
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
        {isBehind && (
          <PublishedMeanwhile
            replaced={replaced}
            current={current}
            onGoOn={() => {
              setReplaced(current)
              rollBack.reset()
            }}
          />
        )}
        {!isBehind && isProblem(rollBack.error, "version_conflict") && <ProblemNote error={rollBack.error} />}
        {rejected.length > 0 && <RejectedPayments problems={rejected} isAccepted={isAccepted} onChange={setAccepted} />}
        {rollBack.error !== null && <PublicationProblem error={rollBack.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            busy={rollBack.isPending}
            disabled={isBehind}
            refusal={rejected.length > 0 && !isAccepted ? notAccepted : null}
          >
            Roll back
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}

interface PublishedMeanwhileProps extends Pick<RollBackDialogProps, "current"> {
  readonly replaced: Schemas["CurrentRules"]
  readonly onGoOn: () => void
}

const PublishedMeanwhile = ({
  current: { author, note, text, version },
  onGoOn,
  replaced
}: PublishedMeanwhileProps) => (
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
    <TextDiff before={replaced.text} after={text} label={`Changes of version ${version}`} />
    <Button onClick={onGoOn}>Replace version {version} too</Button>
  </Note>
)
