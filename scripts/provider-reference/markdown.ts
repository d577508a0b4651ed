/** Markdown, in the small part that the page needs. */
import type { Doc, Type } from "./SourceModule.ts"

/** The anchor of a type that the page explains; `undefined` for any other. */
export type LinkOf = (type: string) => string | undefined

export const code = (text: string): string => `\`${text}\``

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(inCell).join(" | ")} |`).join("\n")

const inCell = (text: string): string => text.replaceAll("|", "\\|")

/** On one line: what stands in a list gets a line of its own in the cell. */
export const sentences = ({ text }: Doc): string =>
  text
    .replaceAll(/\n+(?=- )/g, "\n")
    .replaceAll(/\n(?!- )/g, " ")
    .replaceAll(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "))
    .replaceAll("\n- ", "<br>")
    .replace(/^- /, "")

/** As the comment has it, in lines of its own length. */
export const paragraphs = ({ example, text }: Doc): ReadonlyArray<string> => [
  ...(text === "" ? [] : [text]),
  ...(example === null ? [] : [example])
]

/** `a`, `b` or `c`; a name that is explained leads there. */
export const typeCell = (type: Type, linkOf: LinkOf): string =>
  alternatives(type.options.map(({ text }) => typeWord(text, linkOf)))

export const typeWord = (text: string, linkOf: LinkOf): string => {
  const link = linkOf(text)
  return link === undefined ? code(text) : `[${code(text)}](${link})`
}

export const alternatives = (words: ReadonlyArray<string>): string =>
  [words.slice(0, -1).join(", "), words.at(-1)].filter((part) => part !== "").join(" or ")
