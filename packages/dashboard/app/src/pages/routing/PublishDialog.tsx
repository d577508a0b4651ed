import { useState } from "react"
import type { FormEvent } from "react"
import { call } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import type { Draft } from "./draft.ts"
import { TextDiff } from "./Lazy.tsx"
import { PublicationProblem } from "./PublicationProblem.tsx"
import { notAccepted, RejectedPayments } from "./RejectedPayments.tsx"
import { useRejected } from "./useCheck.ts"
import { usePublication } from "./usePublication.ts"

interface PublishDialogProps {
  readonly onClose: () => void
  readonly draft: Draft
  readonly current: Schemas["CurrentRules"]
}

/** What is published is what stood here when it was opened, also if another tab changes the draft or the rules are read again. */
export const PublishDialog = ({ onClose, ...opened }: PublishDialogProps) => {
  const [{ current, draft }] = useState(opened)
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="Publish the draft"
      description={`It becomes version ${current.version + 1}, for all accounts and both modes, within seconds.`}
    >
      <TextDiff before={current.text} after={draft.text} label="What is published" />
      <PublishForm draft={draft} onClose={onClose} />
    </Dialog>
  )
}

const PublishForm = ({ draft, onClose }: Pick<PublishDialogProps, "draft" | "onClose">) => {
  const path = useTenant()
  const [note, setNote] = useState("")
  const [isAccepted, setAccepted] = useState(false)
  const { readAgain, rejected } = useRejected(draft.text)
  const publish = usePublication({
    send: () =>
      call.POST("/dashboard/api/{account}/{mode}/rules/publish", {
        params: { path, header: { "If-Match": `"${draft.base}"` } },
        body: {
          text: draft.text,
          ...(note.trim() !== "" && { note: note.trim() }),
          ...(isAccepted && { acceptNoRoute: true })
        }
      }),
    onPublished: onClose,
    onConflict: onClose,
    onRefused: () => void readAgain()
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    publish.mutate()
  }
  return (
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
      {rejected.length > 0 && <RejectedPayments problems={rejected} isAccepted={isAccepted} onChange={setAccepted} />}
      {publish.error !== null && <PublicationProblem error={publish.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          busy={publish.isPending}
          refusal={rejected.length > 0 && !isAccepted ? notAccepted : null}
        >
          Publish
        </Button>
      </Actions>
    </form>
  )
}
