/** Signing in with an identity provider over HTTP: the way there and back, and every refusal on it. */
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { clientId, clientSecret, identityProvider } from "../../../dashboard/test/people/IdentityProvider.ts"
import type { IdentityProvider } from "../../../dashboard/test/people/IdentityProvider.ts"
import type { Paymux } from "../../src/index.ts"
import { createQuickPaymux } from "../quickPasswords.ts"

const publicUrl = "https://pay.example"
const start = "/dashboard/api/sign-in/oidc"
const callback = `${start}/callback`

/** A browser: it keeps cookies by name, and forgets those that end. */
const browserOf = (paymux: Paymux) => {
  const cookies = new Map<string, string>()
  const ask = async (method: "GET" | "HEAD" | "POST", path: string, body?: object) => {
    const response = await paymux.fetch(
      new Request(new URL(path, publicUrl), {
        method,
        redirect: "manual",
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: {
          host: "pay.example",
          ...(body !== undefined && { origin: publicUrl, "content-type": "application/json" }),
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") })
        }
      })
    )
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    get: (path: string) => ask("GET", path),
    head: (path: string) => ask("HEAD", path),
    post: (path: string, body: object) => ask("POST", path, body)
  }
}

type Browser = ReturnType<typeof browserOf>

const stateOf = ({ cookies }: Browser) => [...cookies.keys()].filter((name) => name.includes("paymux_oidc_"))

describe("signing in with an identity provider over HTTP", () => {
  let provider: IdentityProvider
  let paymux: Paymux
  let hasAccess = true
  let role: "viewer" | "owner" = "viewer"
  beforeAll(async () => {
    provider = await identityProvider()
    paymux = await createQuickPaymux({
      sandbox: true,
      database: ":memory:",
      logs: false,
      publicUrl,
      dashboard: {
        oidc: {
          issuer: provider.issuer,
          clientId,
          clientSecret,
          roles: () => (hasAccess ? { account: "shop", modes: ["test"], role } : null)
        }
      }
    })
  })
  afterEach(() => {
    provider.claims = {}
    provider.foreignKey = false
    provider.reusesCodes = false
    hasAccess = true
    role = "viewer"
    vi.useRealTimers()
  })
  afterAll(async () => {
    await paymux.close()
    await provider[Symbol.asyncDispose]()
  })

  /** To the provider, where the person signs in. Returns the path that the browser is sent back to. */
  const away = async (browser: Browser, query = "") => {
    const response = await browser.get(`${start}${query}`)
    assert.strictEqual(response.status, 303)
    const back = provider.authorize(new URL(response.headers.get("location") ?? ""))
    return `${back.pathname}${back.search}`
  }

  const refusal = async (browser: Browser, path: string, reason = "failed") => {
    const response = await browser.get(path)
    assert.deepStrictEqual(
      [response.status, response.headers.get("location")],
      [303, `${publicUrl}/dashboard/sign-in?error=${reason}`]
    )
    assert.deepStrictEqual(stateOf(browser), [])
    assert.strictEqual((await browser.get("/dashboard/api/session")).status, 401)
  }

  it("goes there with a cookie that comes back from another site and ends soon, and comes back with a session", async () => {
    const browser = browserOf(paymux)
    const methods = await browser.get("/dashboard/api/sign-in")
    assert.deepInclude(await methods.json(), { oidc: true })
    const left = await browser.get(start)
    assert.match(
      left.headers.get("set-cookie") ?? "",
      /^__Host-paymux_oidc_[0-9a-f]{12}=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/
    )
    assert.strictEqual(left.headers.get("cache-control"), "no-store")
    const url = new URL(left.headers.get("location") ?? "")
    assert.strictEqual(url.origin, provider.issuer)
    assert.strictEqual(url.searchParams.get("redirect_uri"), `${publicUrl}${callback}`)
    const back = provider.authorize(url)
    const returned = await browser.get(`${back.pathname}${back.search}`)
    assert.deepStrictEqual([returned.status, returned.headers.get("location")], [303, `${publicUrl}/dashboard/`])
    assert.isTrue(
      returned.headers
        .getSetCookie()
        .some((line) => /^__Host-paymux_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/.test(line))
    )
    assert.deepStrictEqual(stateOf(browser), [])
    const me = await browser.get("/dashboard/api/session")
    assert.strictEqual(me.status, 200)
    assert.deepInclude(await me.json(), {
      method: "oidc",
      name: "asha@example.com",
      needsTotp: false,
      memberships: [{ account: "shop", modes: ["test"], role: "viewer" }]
    })
    assert.strictEqual((await browser.get("/dashboard/api/shop/test/events")).status, 200)
    assert.strictEqual((await browser.get("/dashboard/api/shop/live/events")).status, 404)
    assert.strictEqual((await browser.get("/dashboard/api/other/test/events")).status, 404)
  })

  it("ends the session that the browser had before", async () => {
    const browser = browserOf(paymux)
    await browser.get(await away(browser))
    const before = new Map(browser.cookies)
    // The cookie of the session is Strict: it is not sent as the browser comes back from another site.
    const path = await away(browser, "?again=true")
    for (const name of browser.cookies.keys()) if (!name.includes("_oidc_")) browser.cookies.delete(name)
    await browser.get(path)
    assert.strictEqual((await browser.get("/dashboard/api/session")).status, 200)
    const old = browserOf(paymux)
    for (const [name, value] of before) old.cookies.set(name, value)
    assert.strictEqual((await old.get("/dashboard/api/session")).status, 401)
  })

  it("refuses another state, an answer without a cookie or with that of another sign-in, and a code that was used", async () => {
    const browser = browserOf(paymux)
    const changed = await away(browser)
    await refusal(browser, changed.replace(/state=[^&]*/, "state=another"))
    await refusal(browserOf(paymux), await away(browserOf(paymux)))
    const one = browserOf(paymux)
    const path = await away(one)
    const two = browserOf(paymux)
    await away(two)
    await refusal(two, path)
    const kept = new Map(one.cookies)
    assert.strictEqual((await one.get(path)).headers.get("location"), `${publicUrl}/dashboard/`)
    const replayed = browserOf(paymux)
    for (const [name, value] of kept) replayed.cookies.set(name, value)
    await refusal(replayed, path)
    for (const query of ["", "?error=access_denied", "?code=x", `?code=${"x".repeat(5000)}&state=x`]) {
      const other = browserOf(paymux)
      await away(other)
      await refusal(other, `${callback}${query}`)
    }
  })

  it("ends every session of a person whom the configuration no longer gives access: none of them invites an owner", async () => {
    role = "owner"
    provider.claims = { sub: "leaver" }
    const earlier = browserOf(paymux)
    await earlier.get(await away(earlier))
    const invitation = (email: string) => ({ email, role: "owner" })
    const invite = "/dashboard/api/shop/test/team/invitations"
    assert.strictEqual((await earlier.post(invite, invitation("before@example.com"))).status, 201)
    hasAccess = false
    const later = browserOf(paymux)
    await refusal(later, await away(later), "no_access")
    assert.strictEqual((await earlier.get("/dashboard/api/session")).status, 401)
    assert.strictEqual((await earlier.post(invite, invitation("after@example.com"))).status, 401)
    const open = await paymux.dashboard.invitations({ account: "shop" })
    assert.deepStrictEqual(open, [])
  })

  it("accepts the answer of one sign-in once, also from a provider that accepts a code twice", async () => {
    provider.reusesCodes = true
    const browser = browserOf(paymux)
    const path = await away(browser)
    const kept = new Map(browser.cookies)
    assert.strictEqual((await browser.get(path)).headers.get("location"), `${publicUrl}/dashboard/`)
    const replayed = browserOf(paymux)
    for (const [name, value] of kept) replayed.cookies.set(name, value)
    await refusal(replayed, path)
    assert.strictEqual((await browser.get("/dashboard/api/session")).status, 200)
  })

  it("answers HEAD at neither address of the sign-in, and the person comes in by GET afterwards", async () => {
    const browser = browserOf(paymux)
    const path = await away(browser)
    for (const address of [start, path]) {
      const { headers, status } = await browser.head(address)
      assert.deepStrictEqual([status, headers.get("allow"), headers.getSetCookie()], [405, "GET, OPTIONS", []])
    }
    assert.strictEqual((await browser.get("/dashboard/api/session")).status, 401)
    assert.strictEqual((await browser.get(path)).headers.get("location"), `${publicUrl}/dashboard/`)
    assert.strictEqual((await browser.get("/dashboard/api/session")).status, 200)
  })

  it("refuses a person without access, another nonce, a foreign signature, and what has expired", async () => {
    hasAccess = false
    const stranger = browserOf(paymux)
    await refusal(stranger, await away(stranger), "no_access")
    hasAccess = true
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [
      { nonce: "another" },
      { exp: now - 600 },
      { iss: "https://evil.example" },
      { aud: "other" }
    ]) {
      provider.claims = claims
      const browser = browserOf(paymux)
      await refusal(browser, await away(browser))
    }
    provider.claims = {}
    provider.foreignKey = true
    const forged = browserOf(paymux)
    await refusal(forged, await away(forged))
    provider.foreignKey = false
    const late = browserOf(paymux)
    const path = await away(late)
    // The cookie itself: a browser may keep it after its Max-Age.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 })
    await refusal(late, path)
  })

  it("leads back to the page of the sign-in while the provider is unavailable", async () => {
    const gone = await identityProvider()
    const { issuer } = gone
    await gone[Symbol.asyncDispose]()
    const oidc = { issuer, clientId, clientSecret, roles: () => null }
    await using without = await createQuickPaymux({
      sandbox: true,
      database: ":memory:",
      logs: false,
      publicUrl,
      dashboard: { oidc }
    })
    const response = await browserOf(without).get(start)
    assert.deepStrictEqual(
      [response.status, response.headers.get("location"), response.headers.getSetCookie()],
      [303, `${publicUrl}/dashboard/sign-in?error=unavailable`, []]
    )
  })

  it("is not there where no provider is configured", async () => {
    await using without = await createQuickPaymux({ sandbox: true, database: ":memory:", logs: false, publicUrl })
    for (const path of [start, `${callback}?code=x&state=x`]) {
      assert.strictEqual((await browserOf(without).get(path)).status, 404)
    }
  })
})
