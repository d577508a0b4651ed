/** The page, from what the sources say and the order that the outline gives. */
import { anchor } from "./Names.ts"
import type { Reached } from "./Names.ts"
import { alternatives, code, paragraphs, sentences, table, typeCell, typeWord } from "./markdown.ts"
import type { LinkOf } from "./markdown.ts"
import type { Item, Section } from "./outline.ts"
import type { Declaration, Member, SourceModule, Type } from "./SourceModule.ts"

export interface Sources {
  readonly module: (file: string) => SourceModule
  readonly reached: Reached
}

/** The sections, one after the other. */
export const sections = (outline: ReadonlyArray<Section>, sources: Sources): string => {
  const links = linksOf(outline, sources)
  return outline.map((section) => sectionText(section, sources, (type) => links.get(type))).join("\n\n")
}

/** Each name that the page explains, and its place. */
const linksOf = (outline: ReadonlyArray<Section>, sources: Sources): ReadonlyMap<string, string> =>
  new Map(
    outline.flatMap(({ file, items }) =>
      items.flatMap((item) =>
        explained(item, sources.module(file)).map(
          (name) => [name, anchor(headingOf(item, sources.reached, file))] as const
        )
      )
    )
  )

/** What a reader finds under the heading of an item. */
const explained = (item: Item, module: SourceModule): ReadonlyArray<string> => {
  if (typeof item === "string")
    return [item, ...wordsUnder(declarationOf(module, item), module).map(({ name }) => name)]
  if ("functions" in item) return item.functions
  return "codes" in item ? [item.title, item.codes] : item.types.map(({ name }) => name)
}

const headingOf = (item: Item, reached: Reached, file: string): string =>
  typeof item === "string" ? reached(file, item) : item.title

const sectionText = (section: Section, sources: Sources, linkOf: LinkOf): string => {
  const module = sources.module(section.file)
  return [
    `## ${section.title}`,
    ...(section.intro === undefined ? paragraphs(module.doc) : [section.intro]),
    ...section.items.flatMap((item) => itemText(item, section, sources, linkOf))
  ].join("\n\n")
}

const itemText = (item: Item, { file }: Section, sources: Sources, linkOf: LinkOf): ReadonlyArray<string> => {
  const module = sources.module(file)
  if (typeof item === "string") {
    const declaration = declarationOf(module, item)
    return [
      `### ${code(sources.reached(file, item))}`,
      ...paragraphs(declaration.doc),
      ...shape(declaration, module, linkOf)
    ]
  }
  if ("functions" in item) {
    return [`### ${item.title}`, functionTable(item.functions, module, sources.reached, linkOf)]
  }
  if ("codes" in item) {
    const messages = wordsOf(module, item.sentences)
    const rows = [...wordsOf(module, item.codes).keys()].map((name) => [code(name), messages.get(name) ?? ""])
    return [
      `### ${code(item.title)}`,
      ...paragraphs(declarationOf(module, item.codes).doc),
      table(["code", "sentence"], rows)
    ]
  }
  const rows = item.types.map(({ file, name, says }) => {
    const declaration = declarationOf(sources.module(file), name)
    return [
      code(sources.reached(file, name)),
      shapeCell(declaration, sources.module(file)),
      says ?? sentences(declaration.doc)
    ]
  })
  return [`### ${item.title}`, table(["type", "shape", "meaning"], rows)]
}

const shape = (declaration: Declaration, module: SourceModule, linkOf: LinkOf): ReadonlyArray<string> => {
  switch (declaration.kind) {
    case "interface": {
      const { isInherited, members } = withBases(declaration, module)
      const bases = isInherited ? [] : declaration.bases.map((base) => typeWord(base, linkOf))
      return [
        ...(declaration.parameters === "" ? [] : [code(`${declaration.name}${declaration.parameters}`)]),
        ...(bases.length === 0 ? [] : [`All of ${bases.join(" and ")}, and:`]),
        memberTable(members, module, linkOf),
        ...seeAlso(declaration.name, members, linkOf)
      ]
    }
    case "error":
      return [memberTable(declaration.members, module, linkOf)]
    case "function":
      return [code(`${declaration.name}${declaration.takes}: ${declaration.gives}`)]
    case "constant":
      return [`Today: ${code(declaration.value)}`]
    case "alias":
      return aliasShape(resolved(declaration.type, module), declaration, module, linkOf)
  }
}

const aliasShape = (
  type: Type,
  declaration: Declaration,
  module: SourceModule,
  linkOf: LinkOf
): ReadonlyArray<string> => {
  const words = wordsUnder(declaration, module)
  if (words.length > 0) return wordTables(type, words, module, linkOf)
  const written = type.options.flatMap(({ doc, members }) => (members === null ? [] : [{ doc, members }]))
  if (written.length < type.options.length || written.length === 1) {
    if (type.options.length === 1) return [code(type.text)]
    const isSaid = type.options.every(({ text }) => declaration.doc.text.includes(code(text.replaceAll('"', ""))))
    return isSaid ? [] : [`One of ${typeCell(type, linkOf)}.`]
  }
  const tag = written[0]?.members[0]
  if (tag === undefined || !isWord(tag)) {
    const rows = type.options.map(({ doc, text }) => [code(text), sentences(doc)])
    return [table(["shape", "meaning"], rows)]
  }
  const rows = written.map(({ doc, members: [name, ...others] }) => [
    code(name?.type.text ?? ""),
    others
      .map(
        (each) =>
          `${code(`${each.name}${each.isOptional ? "?" : ""}`)}: ${typeCell(resolved(each.type, module), linkOf)}`
      )
      .join("<br>"),
    [
      sentences(doc),
      ...others.flatMap((each) => (each.doc.text === "" ? [] : [`${code(each.name)}: ${sentences(each.doc)}`]))
    ].join("<br>")
  ])
  return [table([code(tag.name), "with it", "meaning"], rows)]
}

/** A union of interfaces with a `_tag`: a row for each, and for each of its members. */
const wordTables = (
  type: Type,
  words: ReadonlyArray<Extract<Declaration, { kind: "interface" }>>,
  module: SourceModule,
  linkOf: LinkOf
): ReadonlyArray<string> => {
  const others = type.options.filter(({ text }) => !words.some(({ name }) => name === text))
  const rows = words.flatMap(({ doc, members, name }) => [
    [code(name), "", "", sentences(doc)],
    ...members
      .filter((each) => each.name !== "_tag")
      .map((each) => ["", nameOf(each), typeCell(resolved(each.type, module), linkOf), sentences(each.doc)])
  ])
  const bases = [...new Set(words.flatMap((word) => word.bases))].map((name) => declarationOf(module, name))
  return [
    others.length === 0
      ? `One of these, distinguished by ${code("_tag")}:`
      : `${alternatives(others.map(({ text }) => typeWord(text, linkOf)))}, or one of these:`,
    table(["`_tag`", "member", "type", "meaning"], rows),
    ...(others.length > 0
      ? []
      : bases.flatMap((base) =>
          base.kind === "interface" ? [sentences(base.doc), memberTable(base.members, module, linkOf)] : []
        ))
  ]
}

/** The interfaces of a union that have no heading of their own. */
const wordsUnder = (
  declaration: Declaration,
  module: SourceModule
): ReadonlyArray<Extract<Declaration, { kind: "interface" }>> =>
  declaration.kind !== "alias"
    ? []
    : declaration.type.options.flatMap(({ text }) => {
        const word = module.declarations.get(text)
        return word?.kind === "interface" && word.members.some(({ name }) => name === "_tag") ? [word] : []
      })

const functionTable = (names: ReadonlyArray<string>, module: SourceModule, reached: Reached, linkOf: LinkOf): string =>
  table(
    ["function", "gives", "meaning"],
    names.map((name) => {
      const declaration = declarationOf(module, name)
      if (declaration.kind !== "function") throw new Error(`${name} is no function`)
      const { gives, takes } = declaration
      const options = gives.split(" | ").map((text) => typeWord(text, linkOf))
      return [code(`${reached(module.path, name)}${takes}`), alternatives(options), sentences(declaration.doc)]
    })
  )

const memberTable = (members: ReadonlyArray<Member>, module: SourceModule, linkOf: LinkOf): string =>
  table(
    ["member", "type", "meaning"],
    members.map((each) => [
      nameOf(each),
      typeCell(resolved(each.type, module), linkOf),
      each.doc.text === "" && isWord(each) ? "Discriminates the union." : sentences(each.doc)
    ])
  )

/** What is named inside of longer types, and so could not be a link there. */
const seeAlso = (name: string, members: ReadonlyArray<Member>, linkOf: LinkOf): ReadonlyArray<string> => {
  const options = members.flatMap(({ type }) => type.options.map(({ text }) => text))
  const named = new Set(options.flatMap((text) => text.match(/\b[A-Z]\w+/g) ?? []))
  const links = [...named].filter((each) => each !== name && linkOf(each) !== undefined && !options.includes(each))
  return links.length === 0 ? [] : [`See ${links.map((each) => typeWord(each, linkOf)).join(", ")}.`]
}

const nameOf = ({ isOptional, name }: Member): string => code(isOptional ? `${name}?` : name)

/** What is not exported cannot be linked: its members stand with those of the interface that has them from it. */
const withBases = (declaration: Extract<Declaration, { kind: "interface" }>, module: SourceModule) => {
  const bases = declaration.bases.map((text) => declarationOf(module, text))
  const isInherited = bases.every(({ isExported }) => !isExported)
  const inherited = isInherited ? bases.flatMap((base) => (base.kind === "interface" ? base.members : [])) : []
  return { isInherited, members: [...inherited, ...declaration.members] }
}

const shapeCell = (declaration: Declaration, module: SourceModule): string => {
  if (declaration.kind === "interface") {
    return code(`{ ${declaration.members.map(({ name, type }) => `${name}: ${type.text}`).join("; ")} }`)
  }
  if (declaration.kind !== "alias") throw new Error(`${declaration.name} is no type`)
  // A brand is seen by the compiler alone.
  return typeCell(resolved(declaration.type, module), () => undefined).replace(/ & \{ \w+: unique symbol \}/, "")
}

/** `(typeof list)[number]` in the words of the list. */
const resolved = (type: Type, module: SourceModule): Type => {
  const [, name] = /^\(typeof (\w+)\)\[number\]$/.exec(type.text) ?? []
  const list = name === undefined ? undefined : module.declarations.get(name)
  if (list?.kind !== "constant") return type
  const texts = list.value
    .slice(1, -1)
    .split(",")
    .map((each) => each.trim())
  return {
    text: texts.join(" | "),
    options: texts.map((text) => ({ text, doc: { text: "", example: null }, members: null }))
  }
}

const isWord = ({ type }: Member): boolean => /^"\w+"$/.test(type.text)

const wordsOf = (module: SourceModule, name: string) => {
  const declaration = declarationOf(module, name)
  if (declaration.kind !== "constant") throw new Error(`${name} is no constant`)
  return declaration.words
}

const declarationOf = (module: SourceModule, name: string): Declaration => {
  const found = module.declarations.get(name.replace(/<.*/, ""))
  if (found === undefined) throw new Error(`${module.path} declares no ${name}: correct the outline of the page`)
  return found
}
