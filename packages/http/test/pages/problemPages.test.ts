/** The pages of the problems: what they say, where links lead, and what the pages may do in a browser. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { problemTexts } from "../../src/pages/problemTexts.ts"
import { problem, problemCodes, problemJson } from "../../src/index.ts"
import { statusOf } from "../../src/problems/Problem.ts"
import { TestServer } from "../support/server.ts"
import type { Answer } from "../support/server.ts"

const unescaped = (html: string): string => html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What a browser shows. */
const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]+>/g, ""))

const all = (html: string, pattern: RegExp): ReadonlyArray<string> =>
  [...html.matchAll(pattern)].map(([, found = ""]) => unescaped(found))

const linksOf = (html: string) => all(html, / href="([^"]*)"/g)

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

  it.effect("no link of a page leads nowhere", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const pages = ["/v1/docs", "/docs/problems", "/docs/problems/not_found"]
      const followed = new Set<string>()
      for (const path of pages) {
        const { text } = yield* ask({ path, headers: open })
        for (const link of linksOf(text).filter((link) => link !== emptyIcon)) {
          // Relative, so that it holds behind any prefix.
          assert.notMatch(link, /^(?:\/|#|[a-z]+:)/)
          followed.add(new URL(link, `http://localhost${path}`).pathname)
        }
      }
      assert.includeMembers(
        [...followed],
        ["/v1/docs", "/v1/docs/swagger-ui.css", "/v1/openapi.json", "/docs/problems"]
      )
      for (const path of followed) assert.strictEqual((yield* ask({ path, headers: open })).status, 200, path)
    })
  )
})

const emptyIcon = "data:,"
