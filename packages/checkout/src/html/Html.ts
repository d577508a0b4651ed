/**
 * HTML as a value. `html` escapes every text that is put into it, so nothing of a payment can become markup.
 *
 * @example
 * ```ts
 * html`<p>${"<b>"}</p>`.text // => "<p>&#60;b&#62;</p>"
 * ```
 */

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

type Part = string | number | Html | null | ReadonlyArray<Html>

export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.reduce((text, each, index) => text + rendered(parts[index - 1] ?? null) + each)
})

/** Markup of our own: the SVG of a QR code. Never text from outside. */
export const trusted = (text: string): Html => ({ _tag: "Html", text })

const rendered = (part: Part): string => {
  if (part === null) return ""
  if (typeof part === "string" || typeof part === "number") return escape(String(part))
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("")
}

const escape = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${String(character.charCodeAt(0))};`)
