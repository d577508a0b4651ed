/** The parts of a source that the counters look at. */
// cspell:ignore quasis
import { parseSync, Visitor } from "oxc-parser"

export interface Span {
  readonly start: number
  readonly end: number
}

/** A comment or a text, with the place in the source where it begins. */
interface Text {
  readonly start: number
  readonly text: string
}

export interface Syntax {
  /** Comments, import declarations (`export … from` is none), empty pieces of templates, and white space between JSX tags. */
  readonly leftOut: ReadonlyArray<Span>
  /** Strings, numbers, regular expressions, pieces of templates with their marks, and text between JSX tags. */
  readonly literals: ReadonlyArray<Span>
  /** Readable text: comments without their marks, strings, templates (an expression in one is `X`), and JSX text. */
  readonly texts: ReadonlyArray<Text>
}

export const syntaxOf = (path: string, source: string): Syntax => {
  const { comments, errors, program } = parseSync(path, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const leftOut: Array<Span> = [...comments]
  const literals: Array<Span> = []
  const texts = joinedComments(comments, source)
  /** The end of the import that was entered last: its path is a literal in it. */
  let imported = 0
  new Visitor({
    ImportDeclaration: (node) => {
      leftOut.push(node)
      imported = node.end
    },
    Literal: (node) => {
      if (node.start < imported) return
      literals.push(node)
      if (typeof node.value === "string") texts.push({ start: node.start, text: node.value })
    },
    TemplateElement: (node) => void (node.value.raw === "" ? leftOut : literals).push(node),
    TemplateLiteral: ({ quasis, start }) =>
      void texts.push({ start, text: quasis.map(({ value }) => value.cooked ?? value.raw).join("X") }),
    JSXText: (node) => {
      ;(node.value.trim() === "" ? leftOut : literals).push(node)
      texts.push({ start: node.start, text: node.value })
    }
  }).visit(program)
  return { leftOut, literals, texts }
}

/** Line comments on lines that follow each other are one text: a sentence may span them. */
const joinedComments = (
  comments: ReadonlyArray<Span & { readonly type: string; readonly value: string }>,
  source: string
): Array<Text> => {
  const texts: Array<Text> = []
  let end = -1
  for (const comment of comments) {
    const isContinued = comment.type === "Line" && end >= 0 && /^\n[^\S\n]*$/.test(source.slice(end, comment.start))
    const text = comment.value.replaceAll(/^\s*\*+ ?/gm, "").trim()
    const before = isContinued ? texts.pop() : undefined
    texts.push(
      before === undefined ? { start: comment.start, text } : { start: before.start, text: `${before.text}\n${text}` }
    )
    end = comment.type === "Line" ? comment.end : -1
  }
  return texts
}
