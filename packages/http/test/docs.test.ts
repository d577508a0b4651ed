/** The pages of documentation: what they say, where their links lead, and what they may do in a browser. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { fieldDocs } from "../src/docsFields.ts"
import { problemTexts } from "../src/docsProblemTexts.ts"
import { referencePage } from "../src/docsReference.ts"
import { fieldRows } from "../src/docsSchema.ts"
import type { JsonSchema } from "../src/docsSchema.ts"
import { openApiDocument, problem, problemCodes, problemJson } from "../src/index.ts"
import { statusOf } from "../src/Problem.ts"
import { TestServer } from "./server.ts"
import type { Answer } from "./server.ts"

const unescaped = (html: string): string => html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What a browser shows. */
const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]+>/g, ""))

const all = (html: string, pattern: RegExp): ReadonlyArray<string> =>
  [...html.matchAll(pattern)].map(([, found = ""]) => unescaped(found))

const linksOf = (html: string) => all(html, / href="([^"]*)"/g)
const idsOf = (html: string) => all(html, / id="([^"]*)"/g)

/** Tags that do not close, or close what is not open. */
const unbalanced = (html: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  const faults: Array<string> = []
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (name === "meta") continue
    if (slash === "") open.push(name)
    else if (open.pop() !== name) faults.push(name)
  }
  return [...faults, ...open]
}

const assertPage = ({ headers, status, text }: Answer) => {
  assert.strictEqual(status, 200, text)
  assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
  assert.strictEqual(headers["cache-control"], "public, max-age=3600")
  assert.strictEqual(headers["x-content-type-options"], "nosniff")
  assert.strictEqual(headers["referrer-policy"], "no-referrer")
  const [style = ""] = all(text, /<style>([^]*?)<\/style>/g)
  const hash = createHash("sha256").update(style).digest("base64")
  assert.strictEqual(
    headers["content-security-policy"],
    `default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; style-src 'sha256-${hash}'`
  )
  // Nothing that such a policy would have to stop.
  assert.notMatch(text, /<(?:script|link|img|iframe|form)| (?:on\w+|style|src)=|url\(|@import/i)
  assert.deepStrictEqual(unbalanced(text), [])
  assert.match(text, /^<!doctype html>\n<html lang="en">/)
}

const open = { Authorization: null }

layer(TestServer.layer(), { excludeTestServices: true })("the pages", (it) => {
  it.effect.each(problemCodes)("%s has a page that says what it means, what to do, and shows an answer", (code) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path: `/docs/problems/${code}`, headers: open })
      assertPage(answer)
      const { example = {}, meaning, remedy } = problemTexts[code]
      const shown = textOf(answer.text)
      for (const text of [meaning, remedy]) assert.include(shown, text.replaceAll("`", ""))
      const [head = "", body = ""] = all(answer.text, /<pre>([^]*?)<\/pre>/g)
      assert.include(head, `HTTP/1.1 ${statusOf(code)}\ncontent-type: application/problem+json`)
      const { request_id: requestId } = JSON.parse(body)
      assert.match(requestId, /^req_[0-9a-f]{32}$/)
      assert.deepStrictEqual(JSON.parse(body), problemJson(problem(code, { ...example, requestId })))
    })
  )

  it.effect("the list has them all", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path: "/docs/problems", headers: open })
      assertPage(answer)
      const listed = linksOf(answer.text).filter((link) => link.startsWith("problems/"))
      assert.deepStrictEqual(
        listed,
        problemCodes.map((code) => `problems/${code}`)
      )
    })
  )

  it.effect.each(["nope", "__proto__", "constructor", "NOT_FOUND", "not_found%20", "%3Cscript%3E"])(
    "there is no page of %s: 404, a problem",
    (code) =>
      Effect.gen(function* () {
        const { ask } = yield* TestServer
        const answer = yield* ask({ path: `/docs/problems/${code}`, headers: open })
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(answer.headers["content-type"], "application/problem+json")
        assert.strictEqual(JSON.parse(answer.text).code, "not_found")
        assert.notInclude(answer.text, "script")
      })
  )

  it.effect("a problem's type is the address of its page", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const refused = yield* ask({ path: "/v1/payments?limit=0" })
      const page = yield* ask({ path: JSON.parse(refused.text).type, headers: open })
      assertPage(page)
      assert.include(page.text, "<code>invalid_request</code>")
    })
  )

  it.effect("the reference has every operation, parameter, field and code of the document", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path: "/v1/docs", headers: open })
      assertPage(answer)
      // Boundary of a test: what is served is JSON.
      const document: Document = JSON.parse((yield* ask({ path: "/v1/openapi.json", headers: open })).text)
      const shown = textOf(answer.text)
      const operations = operationsOf(document)
      assert.isAtLeast(operations.length, 14)
      for (const { address, operation } of operations) {
        assert.include(shown, address)
        assert.include(shown, operation.summary)
        assert.include(idsOf(answer.text), operation.operationId)
        for (const { name } of operation.parameters ?? []) assert.include(shown, name)
      }
      const linked = new Set(linksOf(answer.text).map((link) => link.replace("../docs/problems/", "")))
      const told = problemCodes.filter((code) => JSON.stringify(document.paths).includes(`"code":"${code}"`))
      assert.isAtLeast(told.length, 15)
      for (const code of told) assert.isTrue(linked.has(code), code)
      for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
        const section = new RegExp(`<h3 id="schema-${name}">[^]*?(?=<h3|</section>)`).exec(answer.text)?.[0] ?? ""
        const fields = all(section, /<tr><td><code>([^<]+)<\/code>/g)
        assert.includeMembers([...fields], Object.keys(properties), name)
      }
      assert.include(shown, "customer.email")
      assert.include(shown, "attempts[].vendor_code")
      assert.include(shown, "payment_method_details.card.tokens")
    })
  )

  it.effect("no link leads nowhere", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const pages = ["/v1/docs", "/docs/problems", "/docs/problems/not_found"]
      const followed = new Set<string>()
      for (const path of pages) {
        const { text } = yield* ask({ path, headers: open })
        const ids = idsOf(text)
        assert.strictEqual(new Set(ids).size, ids.length)
        const [inside, outside] = [true, false].map((own) =>
          linksOf(text).filter((link) => link.startsWith("#") === own)
        )
        for (const link of inside ?? []) assert.include(ids, link.slice(1))
        for (const link of outside ?? []) {
          // Relative, so that it holds behind any prefix.
          assert.notMatch(link, /^(?:\/|[a-z]+:)/)
          followed.add(new URL(link, `http://localhost${path}`).pathname)
        }
      }
      assert.includeMembers([...followed], ["/v1/docs", "/v1/openapi.json", "/docs/problems"])
      for (const path of followed) assert.strictEqual((yield* ask({ path, headers: open })).status, 200, path)
    })
  )
})

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties?: object } } }
}

interface Operation {
  readonly summary: string
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation }))
  )

/** Each field of a schema with its place and its words. */
const fieldsOf = (schema: JsonSchema, place = ""): ReadonlyArray<readonly [place: string, words: string]> => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = place === "" ? name : `${place}.${name}`
    return [[at, field.description ?? ""] as const, ...fieldsOf(field, at)]
  }),
  ...(schema.anyOf ?? []).flatMap((variant) => fieldsOf(variant, place)),
  ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${place}[]`))
]

const keywordsOf = (schema: JsonSchema): ReadonlyArray<string> => [
  ...Object.keys(schema),
  ...Object.values(schema.properties ?? {}).flatMap(keywordsOf),
  ...(schema.anyOf ?? []).flatMap(keywordsOf),
  ...(schema.items === undefined ? [] : keywordsOf(schema.items)),
  ...(typeof schema.additionalProperties === "object" ? keywordsOf(schema.additionalProperties) : [])
]

describe("the fields of the API", () => {
  // Boundary of a test: a document of ours.
  const { components } = openApiDocument() as { readonly components: { readonly schemas: Record<string, JsonSchema> } }

  it.each(Object.entries(components.schemas))("%s: each says what it is", (_name, schema) => {
    const fields = fieldsOf(schema)
    assert.isNotEmpty(fields)
    const silent = fields.filter(([, words]) => words === "")
    assert.deepStrictEqual(silent, [])
  })

  it("no words are kept for a field that is not there", () => {
    const gone = Object.entries(fieldDocs).flatMap(([name, docs]) => {
      const places = fieldsOf(components.schemas[name] ?? {}).map(([place]) => place)
      return Object.keys(docs).flatMap((place) => (places.includes(place) ? [] : [`${name}: ${place}`]))
    })
    assert.deepStrictEqual(gone, [])
  })

  it("no schema has a keyword that the page cannot tell, but for the form of texts and of keys", () => {
    const told = "$ref type description enum const default format anyOf items properties required additionalProperties"
    const bounds = "minimum maximum minLength maxLength maxItems maxProperties"
    const known = new Set([...told.split(" "), ...bounds.split(" "), "pattern", "propertyNames"])
    const keywords = Object.values(components.schemas).flatMap(keywordsOf)
    assert.isAbove(keywords.length, 200)
    assert.deepStrictEqual(
      keywords.filter((keyword) => !known.has(keyword)),
      []
    )
  })

  it("a field's type and bounds are told in words", () => {
    const told = fieldRows({
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "How `many`." },
        b: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
        c: { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }] },
        d: { type: "array", items: { $ref: "#/components/schemas/Refund" } },
        e: { type: "object", additionalProperties: { type: "object", properties: { f: { const: 1 } } } },
        g: { enum: ["x", "y"] },
        h: { type: "string", format: "date-time" }
      }
    }).map((cells) => cells.map(textOf))
    assert.deepStrictEqual(told, [
      ["a", "integer (1 to 100, default 20)", "yes", "How many."],
      ["b", "integer", "no", ""],
      ["c", "string (at most 5 characters) or null", "no", ""],
      ["d", "list of Refund", "no", ""],
      ["e", "map of object", "no", ""],
      ["e.*.f", "1", "no", ""],
      ["g", `"x" | "y"`, "no", ""],
      ["h", "date-time", "no", ""]
    ])
  })
})

describe("the reference", () => {
  it("shows what an extension says of itself, as text", () => {
    const { body } = referencePage(
      openApiDocument([
        {
          method: "POST",
          path: "/v1/sandbox/:id/<b>",
          handle: () => Effect.die("not asked"),
          operation: {
            operationId: 'a"b',
            summary: "<script>alert(1)</script>",
            tags: ["<i>"],
            description: "Takes `<x>` & more.",
            requestBody: {
              content: {
                "application/json": {
                  schema: { $ref: "#/components/schemas/Made" },
                  examples: { "<e>": { value: "</pre>" } }
                }
              }
            },
            responses: { "200": { description: "<done>" } }
          },
          problems: ["operation_not_supported"],
          schemas: { Made: { type: "object", properties: { "<field>": { type: "string", enum: ["<v>"] } } } }
        }
      ])
    )
    assert.notMatch(body, /<(?:script|b|i|x|e|done|field|v)>/)
    assert.deepStrictEqual(unbalanced(body), [])
    assert.include(body, "Takes <code>&#60;x&#62;</code> &#38; more.")
    assert.include(body, `<code>POST /v1/sandbox/{id}/&#60;b&#62;</code>`)
    assert.include(body, `<a href="#schema-Made">Made</a>`)
    assert.include(body, "operation_not_supported")
    assert.include(textOf(body), `"<v>"`)
  })

  it("is found under a base path as under none", () => {
    const { body } = referencePage(openApiDocument([], "/payments"))
    assert.include(body, "<code>/payments</code>")
    assert.include(linksOf(body), "../docs/problems/invalid_request")
  })
})
