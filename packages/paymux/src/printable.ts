/** Escapes control characters and marks of the writing direction: text from outside must not control the terminal. */
export const printable = (text: string): string => text.replaceAll(unsafe, escaped)

/** The same for a text of several lines. */
export const printableLines = (text: string): string =>
  text.replaceAll(unsafe, (character) => (character === "\n" || character === "\t" ? character : escaped(character)))

/** The same for what a command prints, which has styles of its own. */
export const printableOutput = (text: string): string =>
  text
    .split(style)
    .map((part, index) => (index % 2 === 0 ? printableLines(part) : part))
    .join("")

// oxlint-disable-next-line no-control-regex
const style = /(\u001b\[[\d;]*m)/

// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
