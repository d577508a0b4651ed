/** Every address lists its methods: 405 with Allow, OPTIONS, and HEAD where there is GET. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/index.ts"
import { TestServer } from "../support/server.ts"

// Boundary of a test: a document of ours.
const { paths } = openApiDocument() as { readonly paths: { readonly [path: string]: object } }

/** As they are asked for, with the methods that the document or the routes beside it have. */
const addresses: ReadonlyArray<readonly [path: string, methods: ReadonlyArray<string>]> = [
  ...Object.entries(paths).map(
    ([path, item]) => [path.replaceAll(/\{\w+\}/g, "not_found"), Object.keys(item).map((m) => m.toUpperCase())] as const
  ),
  ["/webhooks/acme", ["POST"]],
  ["/return/pay_1/token", ["GET", "POST"]]
]

const allowOf = (methods: ReadonlyArray<string>): string =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ")

layer(TestServer.layer(), { excludeTestServices: true })("an address", (it) => {
  it.effect.each(addresses)("%s: %s", ([path, methods]) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const allow = allowOf(methods)
      const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "PROPFIND"].filter(
        (method) => !allow.split(", ").includes(method)
      )
      for (const method of others) {
        // No key is required: the list of methods is no secret.
        const refused = yield* ask({ path, method, headers: { Authorization: null } })
        assert.strictEqual(refused.status, 405, method)
        assert.strictEqual(refused.headers["allow"], allow, method)
        if (method !== "HEAD") assert.strictEqual(JSON.parse(refused.text).code, "method_not_allowed")
        assert.match(refused.headers["request-id"] ?? "", /^req_/)
      }
      const options = yield* ask({ path: `${path}?a=1`, method: "OPTIONS", headers: { Authorization: null } })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.headers["allow"], allow)
      assert.strictEqual(options.text, "")
      if (!methods.includes("GET")) return
      const [get, head] = [yield* ask({ path }), yield* ask({ path, method: "HEAD" })]
      assert.strictEqual(head.text, "")
      const same = (name: string) => assert.strictEqual(head.headers[name], get.headers[name], name)
      assert.strictEqual(head.status, get.status)
      for (const name of ["content-type", "content-length", "cache-control", "content-security-policy"]) same(name)
    })
  )

  it.effect.each([
    "/",
    "/v1",
    "/v1/payments/",
    "/v1/docs/",
    "/docs",
    "/docs/problems/",
    "/docs/problems/a/b",
    "/V1/payments"
  ])("%s is none: 404 for every method", (path) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS"]) {
        const answer = yield* ask({ path, method })
        assert.strictEqual(answer.status, 404, method)
        assert.isUndefined(answer.headers["allow"])
        assert.strictEqual(answer.headers["content-type"], "application/problem+json")
      }
    })
  )
})
