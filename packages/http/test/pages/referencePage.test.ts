/** The API reference as it is served: what it loads, what its policy allows, and when its files are read. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { inspect } from "node:util"
import swaggerUi from "swagger-ui-dist/package.json" with { type: "json" }
import manifest from "../../package.json" with { type: "json" }
import { TestServer } from "../support/server.ts"
import type { Answer } from "../support/server.ts"

const open = { Authorization: null }

const files = [
  ["reference.js", "text/javascript; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["swagger-ui.css", "text/css; charset=utf-8"]
] as const

const policy =
  "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"

const assertServed = ({ headers, status, text }: Answer, type: string) => {
  assert.strictEqual(status, 200, text)
  assert.strictEqual(headers["content-type"], type)
  assert.strictEqual(headers["cache-control"], "public, max-age=3600")
  assert.strictEqual(headers["x-content-type-options"], "nosniff")
  assert.strictEqual(headers["referrer-policy"], "no-referrer")
}

/** The paths that are read from disk while `effect` runs. */
const readsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const paths: Array<string> = []
      const { readFile } = fs
      // Boundary of a test: it takes what the original takes.
      fs.readFile = ((...args: Parameters<typeof readFile>) => {
        paths.push(inspect(args[0]))
        return readFile(...args)
      }) as typeof readFile
      syncBuiltinESMExports()
      return { paths, readFile }
    }),
    ({ paths }) => Effect.as(effect, paths),
    ({ readFile }) =>
      Effect.sync(() => {
        fs.readFile = readFile
        syncBuiltinESMExports()
      })
  )

layer(TestServer.layer(), { excludeTestServices: true })("the API reference", (it) => {
  it.effect("has a policy that allows this server's files alone, and nothing in line", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const page = yield* ask({ path: "/v1/docs", headers: open })
      assertServed(page, "text/html; charset=utf-8")
      assert.strictEqual(page.headers["content-security-policy"], policy)
      assert.notMatch(page.text, /<style|<iframe|<form|<script>| (?:on\w+|style)=|url\(|@import/i)
      const loaded = [...page.text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, url]) => url)
      assert.sameMembers(loaded, ["data:,", ...files.map(([name]) => `docs/${name}`)])
    })
  )

  it.effect.each(files)("serves %s as what it is", ([name, type]) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const path = `/v1/docs/${name}`
      const file = yield* ask({ path, headers: open })
      assertServed(file, type)
      // What a style sheet names is requested when it is applied.
      if (name.endsWith(".css")) assert.notMatch(file.text, /@import|url\((?!["']?data:)/i)
      const head = yield* ask({ method: "HEAD", path, headers: open })
      assert.strictEqual(head.text, "")
      assertServed(head, type)
      assert.strictEqual(head.headers["content-length"], file.headers["content-length"])
      const posted = yield* ask({ method: "POST", path, headers: { ...open, "Content-Length": "0" } })
      assert.strictEqual(posted.status, 405)
      assert.strictEqual(posted.headers["allow"], "GET, HEAD, OPTIONS")
    })
  )

  it.effect.each([
    "nope.js",
    "swagger-ui.js",
    "swagger-ui-bundle.js.map",
    "SWAGGER-UI.CSS",
    "swagger-ui.css%00",
    "swagger-ui.css%2f",
    "package.json",
    "__proto__",
    "constructor",
    "..",
    "%2e%2e",
    "..%2fpackage.json",
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "..%5c..%5cpackage.json",
    "%2fetc%2fpasswd",
    "../swagger-ui.css/../../../package.json",
    ""
  ])("has no file %j: 404, and nothing is read", (name) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const paths = yield* readsOf(
        Effect.gen(function* () {
          const answer = yield* ask({ path: `/v1/docs/${name}`, headers: open })
          assert.strictEqual(answer.status, 404)
          assert.strictEqual(answer.headers["content-type"], "application/problem+json")
          assert.strictEqual(JSON.parse(answer.text).code, "not_found")
        })
      )
      assert.deepStrictEqual(paths, [])
    })
  )
})

describe("Swagger UI", () => {
  it("is pinned, and the build copies what the page loads", async () => {
    assert.strictEqual(manifest.devDependencies["swagger-ui-dist"], swaggerUi.version)
    const build = await fs.readFile(new URL("../../../../tsup.config.ts", import.meta.url), "utf8")
    for (const [name] of files) if (name.startsWith("swagger-ui")) assert.include(build, `"${name}"`)
  })
})

layer(TestServer.layer({ basePath: "/shop/payments" }), { excludeTestServices: true })("under a base path", (it) => {
  it.effect("the reference and its files are there, and nowhere else", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      for (const path of ["/v1/docs", ...files.map(([name]) => `/v1/docs/${name}`)]) {
        assert.strictEqual((yield* ask({ path: `/shop/payments${path}`, headers: open })).status, 200, path)
        assert.strictEqual((yield* ask({ path, headers: open })).status, 404, path)
      }
    })
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("Swagger UI", (it) => {
  it.effect("is not read before a browser requests it", () =>
    Effect.gen(function* () {
      const swaggerUi = (paths: ReadonlyArray<string>) => paths.filter((path) => path.includes("swagger-ui"))
      const started = yield* readsOf(
        Effect.gen(function* () {
          const { ask } = yield* TestServer
          for (const path of ["/healthz", "/v1/openapi.json", "/v1/docs"]) yield* ask({ path, headers: open })
        }).pipe(Effect.provide(TestServer.layer()))
      )
      assert.deepStrictEqual(swaggerUi(started), [])
      const { ask } = yield* TestServer
      const requested = yield* readsOf(ask({ path: "/v1/docs/swagger-ui.css", headers: open }))
      assert.lengthOf(swaggerUi(requested), 1)
    })
  )
})
