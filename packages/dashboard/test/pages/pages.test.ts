/** The pages as they are served: which addresses have one, its headers, and its assets. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { HttpHandler } from "@paymux/http"
import { edge } from "../../../http/src/server/Edge.ts"
import { controlRoutes, pagesLayer, pagesRoutes } from "../../src/index.ts"

const index = `<!doctype html>
<html lang="en">
  <head>
    <link rel="icon" href="data:," />
    <script type="module" crossorigin src="./assets/index-abc.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`
const script = "console.log(1)\n".repeat(200)

let folder: string
const scope = Scope.makeUnsafe()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paymux-pages-"))
  await build(folder)
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(folder, { recursive: true })
})

const build = async (at: string) => {
  await mkdir(join(at, "assets"), { recursive: true })
  await writeFile(join(at, "index.html"), index)
  await writeFile(join(at, "assets/index-abc.js"), script)
  await writeFile(join(at, "assets/inter.woff2"), "font")
}

/** Of the control API there is one route, which is in no page's way. */
const server = async ({ basePath = "", publicUrl = "https://pay.example", at = folder } = {}) => {
  const api = HttpRouter.use((router) =>
    router.add("GET", "/dashboard/api/session", Effect.succeed(HttpServerResponse.text("session")))
  )
  const routes = Layer.mergeAll(
    edge([...controlRoutes, ...pagesRoutes], basePath),
    api,
    pagesLayer({ publicUrl: `${publicUrl}${basePath}`, folder: at })
  )
  const built = await Effect.runPromise(Layer.buildWithScope(HttpHandler.layer(routes), scope))
  const { fetch } = Context.get(built, HttpHandler)
  return (path: string, init: RequestInit = {}) => fetch(new Request(`https://pay.example${path}`, init))
}

const html = "text/html; charset=utf-8"

describe("the page of the dashboard", () => {
  it.each([
    "/dashboard",
    "/dashboard/",
    "/dashboard?x=1",
    "/dashboard/default/test/payments/pay_1?tab=events",
    "/dashboard/sign-in/invitation",
    "/dashboard/apiary",
    "/dashboard/default/test/customers/a%40b.io",
    `/dashboard/default/test/payments/${"x".repeat(300)}`
  ])("is at %s", async (path) => {
    const ask = await server()
    const answer = await ask(path)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), html)
    assert.include(await answer.text(), '<div id="root">')
  })

  it("cannot be framed, cached or made to run anything else, and has a new nonce each time", async () => {
    const ask = await server()
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await ask("/dashboard")
        const text = await answer.text()
        const nonce = /<meta property="csp-nonce" nonce="([A-Za-z0-9+/=]{24})" \/>/.exec(text)?.[1] ?? ""
        assert.strictEqual(
          answer.headers.get("content-security-policy"),
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
            "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
        )
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
        assert.match(answer.headers.get("request-id") ?? "", /^req_/)
        return nonce
      })
    )
    assert.strictEqual(new Set(nonces).size, 2)
  })

  it.each([
    ["", "https://pay.example", "/dashboard/"],
    ["/payments", "https://pay.example", "/payments/dashboard/"],
    ["/payments", "https://pay.example/shop", "/shop/payments/dashboard/"],
    ["", "https://pay.example/shop", "/shop/dashboard/"],
    ["", 'https://pay.example/a"b&<', "/a%22b&#38;%3C/dashboard/"]
  ])("under base path %j at %s has the base %s, before anything that loads", async (basePath, publicUrl, base) => {
    const ask = await server({ basePath, publicUrl })
    const text = await (await ask(`${basePath}/dashboard/default/test/payments`)).text()
    assert.match(text, /<head>\s*<base /)
    assert.include(text, `<base href="${base}" />`)
  })

  it("is nowhere outside the base path", async () => {
    const ask = await server({ basePath: "/payments" })
    for (const path of ["/dashboard", "/dashboard/assets/index-abc.js", "/payments", "/paymentsdashboard"]) {
      assert.strictEqual((await ask(path)).status, 404, path)
    }
  })

  it("answers HEAD as GET, without a body", async () => {
    const ask = await server()
    for (const path of ["/dashboard", "/dashboard/assets/index-abc.js"]) {
      const [head, get] = [await ask(path, { method: "HEAD" }), await ask(path)]
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.headers.get("content-type"), get.headers.get("content-type"))
      assert.strictEqual(head.headers.get("cache-control"), get.headers.get("cache-control"))
      assert.strictEqual(await head.text(), "")
    }
  })

  it.each(["POST", "PUT", "PATCH", "DELETE"])("answers %s with 405", async (method) => {
    const ask = await server()
    for (const path of ["/dashboard", "/dashboard/default/test/payments", "/dashboard/assets/index-abc.js"]) {
      const answer = await ask(path, { method })
      assert.strictEqual(answer.status, 405, path)
      assert.strictEqual(answer.headers.get("allow"), "GET, HEAD, OPTIONS")
    }
  })

  it("leaves every address of the control API as it is", async () => {
    const ask = await server()
    assert.strictEqual(await (await ask("/dashboard/api/session")).text(), "session")
    for (const [method, path, status] of [
      ["GET", "/dashboard/api", 404],
      ["GET", "/dashboard/api/", 404],
      ["GET", "/dashboard/api/nothing", 404],
      ["HEAD", "/dashboard/api/nothing", 404],
      ["POST", "/dashboard/api/nothing", 404],
      ["OPTIONS", "/dashboard/api/nothing", 404],
      ["GET", "/dashboard/%61pi/nothing", 404],
      ["POST", "/dashboard/%61pi/nothing", 404],
      ["GET", `/dashboard/api/default/test/payments/${"x".repeat(300)}`, 404],
      ["GET", "/dashboard/api/session/sign-out", 405],
      ["DELETE", "/dashboard/api/session", 405]
    ] as const) {
      const answer = await ask(path, { method })
      assert.strictEqual(answer.status, status, `${method} ${path}`)
      if (method !== "HEAD") assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
    }
  })

  it.each([
    "/dashboard/a%2fb",
    "/dashboard/a%5Cb",
    "/dashboard/a%00",
    "/dashboard/a;b",
    `/dashboard/${"x".repeat(2100)}`,
    "/dashboard/assets",
    "/dashboard/assets/",
    "/dashboard/assets/a/b",
    "/dashboard/assets/none.js",
    "/dashboard/assets/..%2findex.html",
    "/dashboard/assets/..%2f..%2f..%2fpackage.json",
    `/dashboard/assets/${"x".repeat(300)}.js`,
    "/dashboard/%61ssets/none.js"
  ])("is not at %s", async (path) => {
    const ask = await server()
    const answer = await ask(path)
    assert.strictEqual(answer.status, 404)
    assert.strictEqual(((await answer.json()) as { code: string }).code, "not_found")
  })
})

describe("an asset", () => {
  it("is cached for good, and compressed for a client that accepts it", async () => {
    const ask = await server()
    const plain = await ask("/dashboard/assets/index-abc.js")
    assert.strictEqual(plain.headers.get("content-type"), "text/javascript; charset=utf-8")
    assert.strictEqual(plain.headers.get("cache-control"), "public, max-age=31536000, immutable")
    assert.strictEqual(plain.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(plain.headers.get("vary"), "accept-encoding")
    assert.isNull(plain.headers.get("content-encoding"))
    assert.strictEqual(await plain.text(), script)
    for (let time = 0; time < 2; time++) {
      const gzip = await ask("/dashboard/assets/index-abc.js", { headers: { "accept-encoding": "gzip" } })
      assert.strictEqual(gzip.headers.get("content-encoding"), "gzip")
      assert.strictEqual(gunzipSync(new Uint8Array(await gzip.arrayBuffer())).toString(), script)
    }
  })

  it("is not compressed if it is a font", async () => {
    const ask = await server()
    const font = await ask("/dashboard/assets/inter.woff2", { headers: { "accept-encoding": "br" } })
    assert.strictEqual(font.headers.get("content-type"), "font/woff2")
    assert.isNull(font.headers.get("content-encoding"))
    assert.isNull(font.headers.get("vary"))
  })
})

describe("an app that is not built", () => {
  it("has a page that says so, until it is built", async () => {
    const at = await mkdtemp(join(tmpdir(), "paymux-pages-"))
    try {
      const ask = await server({ at })
      const answer = await ask("/dashboard")
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers.get("content-type"), html)
      assert.include(answer.headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.include(await answer.text(), "pnpm install")
      assert.strictEqual((await ask("/dashboard/assets/index-abc.js")).status, 404)
      assert.strictEqual((await ask("/dashboard/api/nothing")).status, 404)
      await build(at)
      assert.strictEqual((await ask("/dashboard")).status, 200)
    } finally {
      await rm(at, { recursive: true })
    }
  })
})
