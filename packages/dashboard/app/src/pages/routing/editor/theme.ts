/** The colors of the editor: those of the page, which follow the scheme. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

const layout = EditorView.theme({
  "&": { backgroundColor: "var(--color-raised)", color: "var(--color-ink)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "2px solid var(--color-accent)", outlineOffset: "1px" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    lineHeight: "1.55",
    maxHeight: "min(60vh, 40rem)",
    overflow: "auto"
  },
  ".cm-content": { caretColor: "var(--color-ink)", padding: "8px 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--color-ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "color-mix(in srgb, var(--color-accent) 28%, transparent)"
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--color-hover) 70%, transparent)" },
  ".cm-gutters": {
    backgroundColor: "var(--color-side)",
    color: "var(--color-muted)",
    borderRight: "1px solid var(--color-line)"
  },
  ".cm-activeLineGutter": { backgroundColor: "var(--color-hover)", color: "var(--color-ink)" },
  ".cm-specialChar": { color: "var(--color-bad)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--color-accent-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--color-warn-soft)", outline: "1px solid var(--color-warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--color-accent-soft)", outline: "1px solid var(--color-accent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--color-hover)", border: "none", color: "var(--color-muted)" }
})

const panels = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--color-side)", color: "var(--color-ink)", fontFamily: "var(--font-sans)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--color-line)" },
  ".cm-textfield": {
    backgroundColor: "var(--color-raised)",
    border: "1px solid var(--color-edge)",
    borderRadius: "4px",
    color: "var(--color-ink)"
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--color-raised)",
    border: "1px solid var(--color-line)",
    borderRadius: "4px",
    color: "var(--color-ink)"
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--color-ink)", fontSize: "1rem" },
  ".cm-tooltip": {
    backgroundColor: "var(--color-raised)",
    border: "1px solid var(--color-line)",
    borderRadius: "6px",
    color: "var(--color-ink)"
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-ink)"
  },
  ".cm-completionDetail": { color: "var(--color-muted)", fontStyle: "normal" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--color-bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--color-bad)",
    textUnderlineOffset: "3px"
  }
})

const words = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--color-accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--color-good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--color-warn)" },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: "var(--color-muted)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--color-muted)" },
  { tag: tags.invalid, color: "var(--color-bad)" }
])

export const theme = [layout, panels, syntaxHighlighting(words)]
