/** Where the dashboard stands: under a base path, behind a reverse proxy with a prefix, in a host with users of its own. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, request as send } from "node:http"
import type { Server } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

/** Takes the prefix away, as `location /shop/ { proxy_pass http://…/; }` does. */
const proxyTo = async (target: () => number): Promise<Server> => {
  const proxy = createServer((request, response) => {
    const path = request.url ?? ""
    if (!path.startsWith("/shop/")) return void response.writeHead(404).end()
    const { headers, method } = request
    const forwarded = send(
      { host: "127.0.0.1", port: target(), path: path.slice("/shop".length), method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    )
    request.pipe(forwarded)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  return proxy
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

describe.skipIf(!hasBrowser)(
  "the dashboard behind a reverse proxy with a prefix, under a base path (Linux on x64, or CHROMIUM_PATH)",
  () => {
    let server: DashboardServer
    let proxy: Server

    beforeAll(async () => {
      proxy = await proxyTo(() => server.port)
      server = await openDashboard({
        paymux: {
          sandbox: true,
          publicUrl: `http://127.0.0.1:${portOf(proxy)}/shop`,
          basePath: "/payments",
          dashboard: {}
        }
      })
    })
    afterAll(async () => {
      await server?.close()
      proxy?.closeAllConnections()
      proxy?.close()
    })

    it("signs a person in, follows its links, and stands a reload of a deep link", async () => {
      const { page, problems } = await server.newPage()
      await page.goto(`${server.url}/dashboard/default/test/payments`)
      await page.getByRole("heading", { name: "Sign in to Paymux" }).waitFor()
      await server.signIn(page, "owner")
      await page.goto(`${server.url}/dashboard/default/test/payments`)
      await page.getByRole("heading", { name: "Payments" }).waitFor()
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "API keys" }).click()
      await page.getByRole("heading", { name: "API keys" }).waitFor()
      assert.strictEqual(page.url(), `${server.url}/dashboard/default/test/keys`)
      await page.reload()
      await page.getByRole("heading", { name: "API keys" }).waitFor()
      await page.goBack()
      await page.getByRole("heading", { name: "Payments" }).waitFor()
      assert.deepStrictEqual(problems, [])
    })

    it("writes: the origin of the proxy is its own", async () => {
      const { page } = await server.open("")
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.getByRole("button", { name: /^You are/ }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "Sign in to Paymux" }).waitFor()
      const answer = await page.context().request.get(`${server.url}/dashboard/api/session`)
      assert.strictEqual(answer.status(), 401)
    })
  }
)

describe.skipIf(!hasBrowser)("the dashboard of a host with users of its own (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let user: { readonly role: "viewer" | "owner"; readonly modes: ReadonlyArray<"test" | "live"> } | null = null

  beforeAll(async () => {
    server = await openDashboard({
      paymux: {
        sandbox: true,
        dashboard: {
          authenticate: () =>
            user === null
              ? null
              : { id: "u_1", name: "Asha", accounts: ["default"], authenticatedAt: Date.now(), ...user },
          reauthenticateUrl: "/login"
        }
      }
    })
  })
  afterAll(() => server?.close())

  it("shows where to sign in, and the pages once the host knows the person", async () => {
    const { page } = await server.newPage()
    await page.goto(`${server.url}/dashboard/`)
    await page.getByRole("link", { name: "Sign in in a new tab" }).waitFor()
    user = { role: "owner", modes: ["test"] }
    await page.getByRole("button", { name: "I have signed in" }).click()
    await page.getByRole("navigation", { name: "Pages" }).waitFor()
    assert.include(page.url(), `${server.url}/dashboard/default/test`)
  })

  it("shows nothing of a mode that the host does not grant", async () => {
    user = { role: "viewer", modes: ["test"] }
    const { page } = await server.newPage()
    await page.goto(`${server.url}/dashboard/default/live/payments`)
    await page.getByRole("heading", { name: "Not found" }).waitFor()
  })
})
