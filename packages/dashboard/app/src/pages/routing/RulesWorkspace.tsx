/** The editor of the rules: a draft, what is wrong with it, how it differs from the rules in force, and publishing. */
import { useId, useRef, useState } from "react"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Section } from "../../ui/Layout.tsx"
import { CheckResult } from "./CheckResult.tsx"
import { ConflictNote } from "./ConflictNote.tsx"
import type { EditorHandle } from "./editor/RulesEditor.tsx"
import { RulesEditor, TextDiff } from "./Lazy.tsx"
import { PublishDialog } from "./PublishDialog.tsx"
import { useCheck } from "./useCheck.ts"
import { useEditing } from "./useEditing.ts"
import type { Editing } from "./useEditing.ts"

type Current = Schemas["CurrentRules"]

export const RulesWorkspace = ({ current }: { readonly current: Current }) => {
  const path = useTenant()
  const editing = useEditing(current)
  const { draft } = editing
  const check = useCheck(editing.text, true)
  const { data: vocabulary } = useGet("/dashboard/api/{account}/{mode}/rules/vocabulary", { path }, vocabularyRead)
  const editor = useRef<EditorHandle>(null)
  const hint = useId()
  const isBehind = draft !== null && draft.base !== current.version
  return (
    <>
      <Section
        title="Text"
        actions={<DraftActions editing={editing} current={current} isBehind={isBehind} checked={check.data} />}
      >
        <p className="text-sm text-muted">
          {draft === null
            ? "Change the text to begin a draft. Nothing is in force until it is published."
            : `Draft from version ${draft.base}, kept in this browser.`}
        </p>
        {draft !== null && isBehind && <ConflictNote draft={draft} current={current} editing={editing} />}
        <RulesEditor
          ref={editor}
          text={editing.text}
          label="Text of the rules"
          describedBy={hint}
          onChange={editing.change}
          checked={check.data}
          vocabulary={vocabulary}
        />
        <p id={hint} className="text-xs text-muted">
          Ctrl+Space completes, Ctrl+F searches. Press Escape, then Tab to leave the editor.
        </p>
        <CheckResult query={check} goTo={(line, column) => editor.current?.goTo(line, column)} />
      </Section>
      {draft !== null && (
        <Section title="Changes" description={`From version ${current.version}, which is in force, to the draft.`}>
          <TextDiff before={current.text} after={draft.text} label="Changes of the draft" />
        </Section>
      )}
    </>
  )
}

const vocabularyRead = { staleTime: 300_000 }

interface DraftActionsProps {
  readonly editing: Editing
  readonly current: Current
  readonly isBehind: boolean
  readonly checked: ReturnType<typeof useCheck>["data"]
}

const DraftActions = ({ checked, current, editing: { discard, draft }, isBehind }: DraftActionsProps) => {
  const [dialog, setDialog] = useState<"publish" | "discard" | null>(null)
  if (draft === null) return null
  const problems = checked?.text === draft.text ? checked.problems : []
  const isRefused = problems.length > 0 && checked?.isAcceptable !== true
  const refusal = isBehind
    ? `Decide first what becomes of version ${current.version}.`
    : isRefused
      ? "Fix the problems first."
      : null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <TenantLink path="routing/explain" search={{ rules: "draft" }}>
        Explain by the draft
      </TenantLink>
      <TenantLink path="routing/backtest" search={{ rules: "draft" }}>
        Backtest the draft
      </TenantLink>
      <Button onClick={() => setDialog("discard")}>Discard draft</Button>
      <Button look="primary" refusal={refusal} onClick={() => setDialog("publish")}>
        Publish…
      </Button>
      {dialog === "publish" && <PublishDialog onClose={() => setDialog(null)} draft={draft} current={current} />}
      <Dialog
        open={dialog === "discard"}
        onClose={() => setDialog(null)}
        title="Discard the draft?"
        description="The changes in this browser are lost. The rules in force stay as they are."
      >
        <Actions>
          <Button onClick={() => setDialog(null)}>Keep draft</Button>
          <Button
            look="danger"
            onClick={() => {
              setDialog(null)
              discard()
            }}
          >
            Discard draft
          </Button>
        </Actions>
      </Dialog>
    </div>
  )
}
