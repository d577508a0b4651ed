/** What a source file says of its declarations: their shapes and their docstrings. Nothing of it is run. */
import { parseSync } from "oxc-parser"
import type { Comment, Expression, Node, Span, Statement, TSSignature, TSType } from "oxc-parser"
import { readFileSync } from "node:fs"

export interface SourceModule {
  readonly path: string
  readonly doc: Doc
  /** In the order of the file; those that are not exported, too. */
  readonly declarations: ReadonlyMap<string, Declaration>
}

export interface Doc {
  /** Markdown, as it stands in the comment; empty without a comment. */
  readonly text: string
  /** A block of TypeScript. */
  readonly example: string | null
}

export type Declaration = {
  readonly name: string
  readonly isExported: boolean
  readonly doc: Doc
} & (
  | {
      readonly kind: "interface"
      readonly parameters: string
      readonly bases: ReadonlyArray<string>
      readonly members: ReadonlyArray<Member>
    }
  | { readonly kind: "alias"; readonly type: Type }
  | { readonly kind: "function"; readonly takes: string; readonly gives: string }
  | { readonly kind: "constant"; readonly value: string; readonly words: Words }
  | { readonly kind: "error"; readonly members: ReadonlyArray<Member> }
)

export interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly type: Type
  readonly doc: Doc
}

export interface Type {
  readonly text: string
  /** The members of a union; the type itself where it is none. */
  readonly options: ReadonlyArray<TypeOption>
}

interface TypeOption {
  readonly text: string
  readonly doc: Doc
  /** Of an object that is written out. */
  readonly members: ReadonlyArray<Member> | null
}

/** The texts in a list, or the texts by name in an object; of any other constant nothing. */
type Words = ReadonlyMap<string, string>

export const readModule = (root: string, path: string): SourceModule => {
  const source = readFileSync(`${root}/${path}`, "utf8")
  const { comments, errors, program } = parseSync(path, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const [first] = comments
  const file: File = { source, comments }
  return {
    path,
    doc: first !== undefined && source.slice(0, first.start).trim() === "" ? docOf(first) : noDoc,
    declarations: new Map(
      program.body.flatMap((statement) => declarationsIn(file, statement)).map((each) => [each.name, each])
    )
  }
}

interface File {
  readonly source: string
  readonly comments: ReadonlyArray<Comment>
}

const declarationsIn = (file: File, statement: Statement): ReadonlyArray<Declaration> => {
  const isExported = statement.type === "ExportNamedDeclaration"
  const declared = isExported ? statement.declaration : statement
  const doc = docBefore(file, statement)
  switch (declared?.type) {
    case "TSInterfaceDeclaration":
      return [
        {
          name: declared.id.name,
          isExported,
          doc,
          kind: "interface",
          parameters: declared.typeParameters === null ? "" : textOf(file, declared.typeParameters),
          bases: declared.extends.map(({ expression }) => textOf(file, expression)),
          members: membersOf(file, declared.body.body)
        }
      ]
    case "TSTypeAliasDeclaration":
      return [{ name: declared.id.name, isExported, doc, kind: "alias", type: typeOf(file, declared.typeAnnotation) }]
    case "VariableDeclaration":
      return declared.declarations.flatMap(({ id, init }): ReadonlyArray<Declaration> => {
        if (id.type !== "Identifier" || init === null) return []
        const said = { name: id.name, isExported, doc }
        if (init.type !== "ArrowFunctionExpression") {
          const value = textOf(file, init).replace(/ as const$/, "")
          return [{ ...said, kind: "constant", value, words: wordsOf(init) }]
        }
        const parameters = init.params.map((each) => textOf(file, each).replace(/^(\w+)(: .*) = \{\}$/, "$1?$2"))
        const gives = init.returnType ? textOf(file, init.returnType.typeAnnotation) : ""
        return [{ ...said, kind: "function", takes: `(${parameters.join(", ")})`, gives }]
      })
    case "ClassDeclaration": {
      const { id, superClass } = declared
      const fields = superClass?.type === "CallExpression" ? superClass.arguments[1] : undefined
      if (id === null || fields?.type !== "ObjectExpression") return []
      return [{ name: id.name, isExported, doc, kind: "error", members: fieldsOf(file, fields) }]
    }
    default:
      return []
  }
}

const membersOf = (file: File, signatures: ReadonlyArray<TSSignature>): ReadonlyArray<Member> =>
  signatures.flatMap((signature) =>
    signature.type === "TSPropertySignature" && signature.typeAnnotation !== null
      ? [
          {
            name: textOf(file, signature.key),
            isOptional: signature.optional,
            type: typeOf(file, signature.typeAnnotation.typeAnnotation),
            doc: docBefore(file, signature)
          }
        ]
      : []
  )

const typeOf = (file: File, type: TSType): Type => {
  const options = type.type === "TSUnionType" ? type.types : [type]
  return {
    text: textOf(file, type),
    options: options.map((option) => ({
      text: textOf(file, option),
      doc: type.type === "TSUnionType" ? docBefore(file, option) : noDoc,
      members:
        option.type === "TSTypeLiteral" && option.members.every((each) => each.type === "TSPropertySignature")
          ? membersOf(file, option.members)
          : null
    }))
  }
}

/** The fields of a tagged error, whose types are written as Schemas. */
const fieldsOf = (file: File, fields: Extract<Expression, { type: "ObjectExpression" }>): ReadonlyArray<Member> =>
  fields.properties.flatMap((property) => {
    if (property.type !== "Property") return []
    const options = schemaTypes(textOf(file, property.value)).map((text) => ({ text, doc: noDoc, members: null }))
    const text = options.map((option) => option.text).join(" | ")
    return [
      { name: textOf(file, property.key), isOptional: false, type: { text, options }, doc: docBefore(file, property) }
    ]
  })

const schemaTypes = (schema: string): ReadonlyArray<string> => {
  const [, combinator, inner = ""] = /^Schema\.(\w+)(?:\((.*)\))?$/.exec(schema) ?? []
  const parts = () =>
    inner
      .replace(/^\[(.*)\]$/, "$1")
      .split(", ")
      // The words of a list that the page explains.
      .map((part) => part.replace(/^\.\.\./, ""))
  switch (combinator) {
    case "String":
      return ["string"]
    case "Finite":
      return ["number"]
    case "NullOr":
      return [...schemaTypes(inner), "null"]
    case "Array":
      return [`ReadonlyArray<${schemaTypes(inner).join(" | ")}>`]
    case "Literals":
    case "Union":
      return parts()
    default:
      throw new Error(`A field is a ${schema}: say in schemaTypes what that is for people`)
  }
}

const wordsOf = (init: Expression): Words => {
  const value = init.type === "TSAsExpression" ? init.expression : init
  if (value.type === "ArrayExpression") {
    return new Map(value.elements.flatMap((each) => (each?.type === "Literal" ? [[String(each.value), ""]] : [])))
  }
  if (value.type !== "ObjectExpression") return new Map()
  return new Map(
    value.properties.flatMap((each) =>
      each.type === "Property" && each.key.type === "Identifier" && each.value.type === "Literal"
        ? [[each.key.name, String(each.value.value)]]
        : []
    )
  )
}

/** A node on one line, as people write it: without `readonly`, and without the namespaces of effect. */
const textOf = (file: File, node: Node | Span): string =>
  withoutComments(file, node)
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\{\s*\n\s*([^]*?)\n\s*\}/g, (_, members: string) => `{ ${members.replaceAll(/\n\s*/g, "; ")} }`)
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/([(<]) | (?=[)>](?!=))/g, "$1")
    .replaceAll(/\bconst (?=\w+ extends)/g, "")
    .replaceAll("Effect.Effect<", "Effect<")
    .replaceAll("Scope.Scope", "Scope")

const withoutComments = ({ comments, source }: File, { end, start }: Span): string =>
  comments
    .filter((each) => each.start >= start && each.end <= end)
    .toReversed()
    .reduce(
      (text, each) => text.slice(0, each.start - start).trimEnd() + text.slice(each.end - start),
      source.slice(start, end)
    )

const docBefore = ({ comments, source }: File, { start }: Span): Doc => {
  const found = comments.findLast((comment) => comment.end <= start)
  return found !== undefined && /^[\s|]*$/.test(source.slice(found.end, start)) ? docOf(found) : noDoc
}

const noDoc: Doc = { text: "", example: null }

const docOf = ({ value }: Comment): Doc => {
  if (!value.startsWith("*")) return noDoc
  const text = value
    .slice(1)
    .replaceAll(/^[^\S\n]*\* ?/gm, "")
    .trim()
  const [said = "", example] = text.split(/^@example\n/m)
  return { text: said.trim(), example: example === undefined ? null : example.trim() }
}
