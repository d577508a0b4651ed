/** Another version was published since the draft was begun: what it changed, and what becomes of the draft. */
import { useState } from "react"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { toast } from "../../ui/Toast.tsx"
import { Author } from "./author.tsx"
import type { Draft } from "./draft.ts"
import { TextDiff } from "./Lazy.tsx"
import type { Editing } from "./useEditing.ts"

interface ConflictNoteProps {
  readonly draft: Draft
  readonly current: Schemas["CurrentRules"]
  readonly editing: Editing
}

export const ConflictNote = ({ current, draft, editing }: ConflictNoteProps) => {
  const path = useTenant()
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/rules/versions/{id}",
    { path: { ...path, id: String(draft.base) } },
    { staleTime: Number.POSITIVE_INFINITY }
  )
  const { version } = current
  return (
    <div className="flex flex-col gap-2.5">
      <Note tone="warn" role="alert">
        <p className="font-medium">
          Version {version} was published after you began this draft from version {draft.base}
        </p>
        <p>
          By <Author author={current.author} source={current.source} />, <Time at={current.at} />
          {current.note === null ? (
            "."
          ) : (
            <>
              : <bdi>{current.note}</bdi>
            </>
          )}
        </p>
        <p>
          Your draft is kept. Rebase it to make your changes in version {version}, or publish your text in place of it.
        </p>
      </Note>
      {data === undefined ? (
        <BaseMissing error={error} onRetry={() => void refetch()} />
      ) : (
        <TextDiff
          before={data.text}
          after={current.text}
          label={`Changes from version ${draft.base} to version ${version}`}
        />
      )}
      <Choice base={data?.text ?? null} draft={draft} current={current} editing={editing} />
    </div>
  )
}

const BaseMissing = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) =>
  error === null ? <SkeletonLines lines={2} /> : <ProblemNote error={error} onRetry={onRetry} />

const Choice = ({ base, current, draft, editing }: ConflictNoteProps & { readonly base: string | null }) => {
  const [busy, setBusy] = useState(false)
  const { version } = current
  const rebase = async (from: string) => {
    setBusy(true)
    const { mergeTexts } = await import("./editor/lines.ts")
    const { conflicts, text } = mergeTexts(from, draft.text, current.text, `version ${version}`)
    editing.replace({ text, base: version })
    toast(
      conflicts === 0
        ? `Your changes are made in version ${version}.`
        : `Both changed the same lines in ${conflicts === 1 ? "1 place" : `${conflicts} places`}: choose there.`
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" busy={busy} disabled={base === null} onClick={() => base !== null && void rebase(base)}>
        Rebase on version {version}
      </Button>
      <Button
        onClick={() => {
          editing.replace({ text: draft.text, base: version })
          toast(`Your text replaces version ${version} when you publish it.`)
        }}
      >
        Keep my text in place of version {version}
      </Button>
    </div>
  )
}
