/**
 * The API reference as one page: the OpenAPI document, written for people.
 *
 * It is made here and not by a reader in the browser: those in reach are megabytes of script, set their styles in place and
 * call their makers' hosts. This page asks for no script at all.
 */
import { jsonBlock, prose, table } from "./docsPage.ts"
import type { DocsPage } from "./docsPage.ts"
import { escape } from "./htmlPage.ts"
import { fieldHead, fieldRows, sectionOf, typeText } from "./docsSchema.ts"
import type { JsonSchema } from "./docsSchema.ts"
import type { Json } from "./problemDocs.ts"

/** What the page shows of a document. */
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks?: { readonly [name: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly securitySchemes?: { readonly [name: string]: { readonly description?: string } }
  }
}

interface Operation {
  readonly operationId?: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses?: { readonly [status: string]: Answer }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
}

interface Answer {
  readonly description?: string
  readonly headers?: { readonly [name: string]: { readonly description?: string } }
  readonly content?: Content
}

interface Content {
  readonly [type: string]: {
    readonly schema?: JsonSchema
    readonly example?: unknown
    readonly examples?: { readonly [name: string]: { readonly value?: unknown } }
  }
}

/** An operation and where it is. */
interface Entry {
  readonly id: string
  readonly address: string
  readonly operation: Operation
  /** Whether it is asked for without an API key. What is sent is not asked for. */
  readonly isOpen: boolean
}

/** `document`: an OpenAPI document of ours. */
export const referencePage = (document: Json): DocsPage => {
  // Boundary: we wrote the document, and read no more of it than this.
  const read = document as unknown as Document
  const groups = grouped(read)
  return {
    title: `${read.info.title} API ${read.info.version}`,
    body: [
      `<h1>${escape(read.info.title)} API ${escape(read.info.version)}</h1>`,
      paragraph(read.info.description),
      introduction(read),
      contents(groups, read),
      ...groups.map((group) => section(group, read)),
      `<section>\n<h2>Objects</h2>`,
      ...Object.entries(read.components.schemas).map(([name, schema]) => component(name, schema)),
      "</section>"
    ].join("\n")
  }
}

const PROBLEM = "application/problem+json"

const introduction = ({ components, servers = [] }: Document): string => `<p>${servers
  .map(({ url }) => `Addresses begin at <code>${escape(url)}</code>.`)
  .join(" ")} ${Object.values(components.securitySchemes ?? {})
  .map(({ description }) => `<code>Authorization: Bearer &#60;API key&#62;</code>: ${prose(description ?? "")}`)
  .join(" ")}</p>
<p><a href="openapi.json">This as an OpenAPI document</a> · <a href="../docs/problems">Problems</a></p>`

/** By their first tag, in the order in which the document names them. */
const grouped = ({ paths, webhooks = {} }: Document): ReadonlyArray<readonly [tag: string, ReadonlyArray<Entry>]> => {
  const groups = new Map<string, Array<Entry>>()
  for (const entry of [...Object.entries(paths).flatMap(entriesOf), ...Object.entries(webhooks).flatMap(sentOf)]) {
    const tag = entry.operation.tags?.[0] ?? "Other"
    groups.set(tag, [...(groups.get(tag) ?? []), entry])
  }
  return [...groups]
}

const entriesOf = ([path, methods]: readonly [string, { readonly [method: string]: Operation }]) =>
  Object.entries(methods).map(([method, operation]): Entry => {
    const address = `${method.toUpperCase()} ${path}`
    return {
      id: operation.operationId ?? address.replaceAll(/[^\w/]/g, "-"),
      address,
      operation,
      isOpen: operation.security?.length === 0
    }
  })

/** What the server sends, to an address that its receiver chose. */
const sentOf = ([name, methods]: readonly [string, { readonly [method: string]: Operation }]) =>
  Object.entries(methods).map(([method, operation]): Entry => {
    const address = `${method.toUpperCase()} to your endpoint`
    return { id: operation.operationId ?? name, address, operation, isOpen: false }
  })

const contents = (groups: ReturnType<typeof grouped>, { components }: Document): string => `<nav>
${groups
  .map(
    ([tag, entries]) => `<p><strong>${escape(tag)}</strong></p>
<ul>
${entries.map(({ address, id, operation }) => `<li><a href="#${escape(id)}"><code>${escape(address)}</code></a> ${escape(operation.summary ?? "")}</li>`).join("\n")}
</ul>`
  )
  .join("\n")}
<p><strong>Objects</strong></p>
<p>${Object.keys(components.schemas)
  .map((name) => `<a href="#${escape(sectionOf(name))}">${escape(name)}</a>`)
  .join(" · ")}</p>
</nav>`

const section = ([tag, entries]: ReturnType<typeof grouped>[number], { tags = [] }: Document): string =>
  `<section>
<h2>${escape(tag)}</h2>
${paragraph(tags.find(({ name }) => name === tag)?.description)}
${entries.map(described).join("\n")}
</section>`

const described = ({ address, id, isOpen, operation }: Entry): string => {
  const answers = Object.entries(operation.responses ?? {})
  return [
    `<h3 id="${escape(id)}">${escape(operation.summary ?? address)}</h3>`,
    `<p><code>${escape(address)}</code></p>`,
    paragraph(operation.description),
    isOpen ? "<p>No API key is needed.</p>" : "",
    parameters(operation.parameters ?? []),
    operation.requestBody === undefined ? "" : `<h4>Body</h4>\n${media(operation.requestBody.content)}`,
    ...answers.filter(([, { content }]) => content?.[PROBLEM] === undefined).map(answered),
    problems(answers.flatMap(([status, { content }]) => codesOf(status, content)))
  ]
    .filter((part) => part !== "")
    .join("\n")
}

const parameters = (all: ReadonlyArray<Parameter>): string =>
  all.length === 0
    ? ""
    : `<h4>Parameters</h4>
${table(
  ["name", "in", "type", "required", "description"],
  all.map(({ description, in: place, name, required, schema = {} }) => [
    `<code>${escape(name)}</code>`,
    escape(place),
    typeText(schema),
    required === true ? "yes" : "no",
    prose(description ?? schema.description ?? "")
  ])
)}`

const answered = ([status, { content, description = "", headers = {} }]: readonly [string, Answer]): string =>
  `<h4>Answer ${escape(status)}</h4>
<p>${prose(description)}</p>
${table(
  ["header", "description"],
  Object.entries(headers).map(([name, header]) => [`<code>${escape(name)}</code>`, prose(header.description ?? "")])
)}
${content === undefined ? "" : media(content)}`

/** A component is shown once, in its own section; what has no name is shown where it stands. */
const media = (content: Content): string =>
  Object.entries(content)
    .map(([type, { example, examples = {}, schema = {} }]) =>
      [
        `<p><code>${escape(type)}</code>: ${typeText(schema)}</p>`,
        table(fieldHead, fieldRows(schema)),
        ...(example === undefined ? [] : [exampleOf("Example", example)]),
        ...Object.entries(examples).map(([name, { value }]) => exampleOf(`Example: ${name}`, value))
      ].join("\n")
    )
    .join("\n")

const exampleOf = (title: string, value: unknown): string =>
  `<details><summary>${escape(title)}</summary>\n${jsonBlock(value)}\n</details>`

const codesOf = (status: string, content: Content | undefined) =>
  Object.keys(content?.[PROBLEM]?.examples ?? {}).map((code) => ({ status, code }))

const problems = (codes: ReadonlyArray<{ readonly status: string; readonly code: string }>): string =>
  codes.length === 0
    ? ""
    : `<h4>Problems</h4>
<p>${codes
        .map(
          ({ code, status }) =>
            `${escape(status)} <a href="../docs/problems/${escape(code)}"><code>${escape(code)}</code></a>`
        )
        .join(", ")}</p>`

const component = (name: string, schema: JsonSchema): string =>
  `<h3 id="${escape(sectionOf(name))}">${escape(name)}</h3>
${paragraph(schema.description)}
${table(fieldHead, fieldRows(schema))}`

const paragraph = (text: string | undefined): string => (text === undefined ? "" : `<p>${prose(text)}</p>`)
