/** The text of routing rules in CodeMirror. Loaded when it is first shown: it is larger than the rest of the page. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { yaml } from "@codemirror/lang-yaml"
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language"
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import type { Diagnostic as Mark } from "@codemirror/lint"
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search"
import { Annotation, EditorState } from "@codemirror/state"
import type { Extension, Text } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers
} from "@codemirror/view"
import { useImperativeHandle, useLayoutEffect, useRef } from "react"
import type { Ref } from "react"
import { nonce } from "../../../place.ts"
import type { Checked } from "../useCheck.ts"
import { completionSource } from "./completion.ts"
import type { Vocabulary } from "./completion.ts"
import { theme } from "./theme.ts"

export interface EditorHandle {
  /** Moves the cursor there, from 1, and the focus into the editor. */
  readonly goTo: (line: number, column: number) => void
}

export interface RulesEditorProps {
  readonly text: string
  readonly label: string
  /** `null`: it can only be read. Called when typing pauses, and when the focus leaves. */
  readonly onChange: ((text: string) => void) | null
  readonly checked: Checked | undefined
  readonly vocabulary: Vocabulary | undefined
  /** The id of the text that says how to use it. */
  readonly describedBy?: string
  readonly ref?: Ref<EditorHandle>
}

/** A change that came from outside the editor. */
const External = Annotation.define<true>()

/** ms without a key until the text is handed on. */
const pause = 300

export const RulesEditor = ({ checked, describedBy, label, onChange, ref, text, vocabulary }: RulesEditorProps) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ text, onChange, vocabulary })
  useLayoutEffect(() => {
    latest.current = { text, onChange, vocabulary }
  })
  const handedOn = useRef(text)
  const readOnly = onChange === null

  // A layout effect: until the editor is attached, what follows it would be painted in its place.
  useLayoutEffect(() => {
    if (host.current === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const handOn = () => {
      clearTimeout(timer)
      const written = editor.state.doc.toString()
      if (written === handedOn.current) return
      handedOn.current = written
      latest.current.onChange?.(written)
    }
    const editor = new EditorView({
      parent: host.current,
      doc: latest.current.text,
      extensions: [
        ...extensions(() => latest.current.vocabulary ?? { providers: [], conditions: [] }),
        readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
        EditorView.contentAttributes.of({
          "aria-label": label,
          ...(describedBy !== undefined && { "aria-describedby": describedBy }),
          tabindex: "0",
          ...(readOnly && { "aria-readonly": "true" })
        }),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          if (!docChanged || transactions.some((each) => each.annotation(External) === true)) return
          clearTimeout(timer)
          timer = setTimeout(handOn, pause)
        }),
        EditorView.domEventHandlers({ blur: handOn })
      ]
    })
    view.current = editor
    handedOn.current = editor.state.doc.toString()
    window.addEventListener("pagehide", handOn)
    return () => {
      window.removeEventListener("pagehide", handOn)
      handOn()
      editor.destroy()
      view.current = null
    }
  }, [describedBy, label, readOnly])

  useLayoutEffect(() => {
    const editor = view.current
    if (editor === null || text === handedOn.current) return
    handedOn.current = text
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: text },
      annotations: External.of(true)
    })
  }, [text])

  useLayoutEffect(() => {
    const editor = view.current
    if (editor === null || checked === undefined || checked.text !== editor.state.doc.toString()) return
    editor.dispatch(setDiagnostics(editor.state, marksOf(editor.state.doc, checked)))
  }, [checked, text])

  useImperativeHandle(ref, () => ({
    goTo: (line, column) => {
      const editor = view.current
      if (editor === null) return
      const anchor = positionOf(editor.state.doc, line, column)
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
      editor.focus()
    }
  }))

  return <div ref={host} className="min-w-0 overflow-hidden rounded-lg border border-edge" />
}

/** ms after Escape in which Tab leaves the editor; any other key ends them. */
const leavingTime = 60_000

/** Also where Escape did something else, such as closing the completions. */
const leaving = EditorView.domEventObservers({
  keydown: ({ key }, editor) => {
    if (key === "Escape") editor.setTabFocusMode(leavingTime)
  }
})

const extensions = (vocabulary: () => Vocabulary): ReadonlyArray<Extension> => [
  nonce === "" ? [] : EditorView.cspNonce.of(nonce),
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [completionSource(vocabulary)], icons: false }),
  highlightSelectionMatches(),
  search({ top: false }),
  lintGutter(),
  yaml(),
  theme,
  leaving,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab
  ])
]

const positionOf = (doc: Text, line: number, column: number): number => {
  const found = doc.line(Math.max(1, Math.min(line, doc.lines)))
  return found.from + Math.max(0, Math.min(column - 1, found.length))
}

const marksOf = (doc: Text, { problems, warnings }: Checked): Array<Mark> =>
  [
    ...problems.map((problem) => ({ ...problem, severity: "error" as const })),
    ...warnings.map((warning) => ({ ...warning, severity: "warning" as const }))
  ]
    .map(({ column, line, message, severity }): Mark => {
      const from = positionOf(doc, line ?? 1, column ?? 1)
      const end = doc.lineAt(from).to
      const [word = ""] = /^[\w.+-]+/.exec(doc.sliceString(from, end)) ?? []
      return { from, to: word === "" ? end : from + word.length, severity, message }
    })
    .toSorted((a, b) => a.from - b.from)
