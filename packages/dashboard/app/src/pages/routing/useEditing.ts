/** The text that is edited: the draft, or the rules in force as long as nothing was changed. */
import { useEffect } from "react"
import type { Schemas } from "../../api/client.ts"
import { toast } from "../../ui/Toast.tsx"
import { useDraft } from "./draft.ts"
import type { Draft } from "./draft.ts"

export const useEditing = ({ text: inForce, version }: Schemas["CurrentRules"]) => {
  const { discard, draft, save } = useDraft()
  const isSame = draft !== null && draft.text === inForce
  useEffect(() => {
    // Published, or typed back: there is nothing left of it.
    if (isSame) discard()
  })
  const keep = (next: Draft) => {
    if (!save(next)) toast("This browser cannot keep the draft: it is lost when you leave the page.")
  }
  return {
    draft: isSame ? null : draft,
    text: draft?.text ?? inForce,
    change: (text: string) => (text === inForce ? discard() : keep({ text, base: draft?.base ?? version })),
    replace: keep,
    discard
  }
}

export type Editing = ReturnType<typeof useEditing>
