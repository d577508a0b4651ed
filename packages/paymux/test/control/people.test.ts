/** Signing in over HTTP: cookies, ids that change, and what each way in does not open. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Secret, TOTP } from "otpauth"
import type { Paymux, PaymuxOptions } from "../../src/index.ts"
import { createQuickPaymux } from "../quickPasswords.ts"

const https = "https://pay.example"
const password = "correct horse battery"

interface Browser {
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body?: unknown, method?: string) => Promise<Answer>
  cookie: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: { readonly [field: string]: unknown }
}

/** Keeps the cookies it is given, as a browser does. */
const browserOf = (paymux: Paymux, publicUrl = https): Browser => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await paymux.fetch(
      new Request(new URL(`/dashboard/api${path}`, publicUrl), {
        method,
        headers: {
          host: new URL(publicUrl).host,
          origin: publicUrl,
          ...(browser.cookie !== "" && { cookie: browser.cookie }),
          ...(body !== undefined && { "content-type": "application/json" })
        },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
    )
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";")
    if (cookie !== "") browser.cookie = cookie
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === "" ? {} : JSON.parse(text) }
  }
  const browser: Browser = {
    cookie: "",
    get: (path) => ask("GET", path),
    post: (path, body, method = "POST") => ask(method, path, body)
  }
  return browser
}

const tokenOf = (link: string): string => link.split("#")[1] ?? ""

const open = (options: PaymuxOptions = {}) =>
  createQuickPaymux({ sandbox: true, database: ":memory:", logs: false, publicUrl: https, ...options })

/** A browser of a new user, signed in with a password. */
const memberOf = async (paymux: Paymux, email: string, role: "owner" | "viewer", account?: string) => {
  const { link } = await paymux.dashboard.invite({ email, role, ...(account !== undefined && { account }) })
  const browser = browserOf(paymux)
  const joined = await browser.post("/sign-in/invitation", { token: tokenOf(link), password })
  assert.deepStrictEqual([joined.status, joined.json], [200, { email }])
  const signedIn = await browser.post("/sign-in/password", { email, password })
  assert.deepStrictEqual([signedIn.status, signedIn.json], [200, { step: "signed_in" }])
  return browser
}

describe("signing in over HTTP", () => {
  let paymux: Paymux
  beforeAll(async () => {
    paymux = await open()
  })
  afterAll(() => paymux.close())

  it("gives a cookie that only this host gets, over https, in no script and from no other site", async () => {
    const { link } = await paymux.dashboard.invite({ email: "cookie@example.com", role: "owner" })
    const browser = browserOf(paymux)
    await browser.post("/sign-in/invitation", { token: tokenOf(link), password })
    const { headers } = await browser.post("/sign-in/password", { email: "cookie@example.com", password })
    const cookies = headers.getSetCookie()
    assert.lengthOf(cookies, 2)
    for (const cookie of cookies) {
      for (const attribute of ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"]) {
        assert.include(cookie.split("; ").slice(1), attribute)
      }
    }
    assert.match(cookies.join("\n"), /^__Host-paymux_[0-9a-f]{12}=[\w-]{43};/m)
    // Of the device, whose next sign-in has a place of its own while others flood the server.
    assert.match(cookies.join("\n"), /^__Host-paymux_device_[0-9a-f]{12}=/m)
  })

  it("changes the id at each sign-in, and the old one is 401 after sign-in and sign-out", async () => {
    const browser = await memberOf(paymux, "rotate@example.com", "owner")
    const first = browser.cookie
    assert.strictEqual((await browser.get("/session")).status, 200)
    await browser.post("/sign-in/password", { email: "rotate@example.com", password })
    const second = browser.cookie
    assert.notStrictEqual(second, first)
    browser.cookie = first
    assert.strictEqual((await browser.get("/session")).status, 401)
    browser.cookie = second
    const again = await browser.post("/session/reauthenticate", { password })
    assert.strictEqual(again.status, 204)
    const third = browser.cookie
    browser.cookie = second
    assert.strictEqual((await browser.get("/session")).status, 401)
    browser.cookie = third
    assert.strictEqual((await browser.post("/session/sign-out")).status, 204)
    browser.cookie = third
    assert.strictEqual((await browser.get("/session")).status, 401)
  })

  it("opens live mode after TOTP was set up, with a code at each sign-in", async () => {
    const browser = await memberOf(paymux, "totp@example.com", "owner")
    const before = (await browser.get("/session")).json
    assert.deepInclude(before, { method: "password", needsTotp: true, reauthenticateUrl: null })
    assert.deepStrictEqual(before["memberships"], [{ account: null, modes: ["test"], role: "owner" }])
    assert.strictEqual((await browser.get("/default/live/keys")).status, 404)
    assert.strictEqual((await browser.get("/default/test/keys")).status, 200)

    const { headers, json } = await browser.post("/session/totp")
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.match(String(json["uri"]), /^otpauth:\/\/totp\/Paymux:totp/)
    assert.match(String(json["qrCode"]), /^<svg/)
    const app = new TOTP({ secret: Secret.fromBase32(String(json["secret"])) })
    assert.strictEqual((await browser.post("/session/totp/confirm", { code: "abc" })).status, 401)
    const code = app.generate()
    const confirmed = await browser.post("/session/totp/confirm", { code })
    const [recoveryCode] = Array.isArray(confirmed.json["recoveryCodes"]) ? confirmed.json["recoveryCodes"] : []
    assert.strictEqual((await browser.get("/default/live/keys")).status, 200)

    const other = browserOf(paymux)
    const step = await other.post("/sign-in/password", { email: "totp@example.com", password })
    assert.strictEqual(step.json["step"], "code")
    assert.strictEqual(other.cookie, "")
    const token = step.json["token"]
    const replayed = await other.post("/sign-in/code", { token, code })
    assert.deepStrictEqual([replayed.status, replayed.json["code"]], [401, "sign_in_failed"])
    assert.strictEqual((await other.post("/sign-in/code", { token, code: recoveryCode })).status, 204)
    assert.strictEqual((await other.get("/default/live/keys")).status, 200)
    const ended = await other.post("/session/sign-out-everywhere")
    assert.deepStrictEqual(ended.json, { ended: 2 })
    assert.strictEqual((await browser.get("/session")).status, 401)
  })

  it("answers unknown and known users alike, refuses long passwords, and the sixth wrong try is 429", async () => {
    await using limited = await open()
    await memberOf(limited, "known@example.com", "owner")
    const browser = browserOf(limited)
    const texts = []
    for (const email of ["known@example.com", "unknown@example.com"]) {
      const { json, status } = await browser.post("/sign-in/password", { email, password: "wrong password!" })
      assert.strictEqual(status, 401)
      texts.push(JSON.stringify({ ...json, request_id: "" }))
    }
    assert.strictEqual(texts[0], texts[1])
    const long = await browser.post("/sign-in/password", { email: "known@example.com", password: "x".repeat(2000) })
    assert.deepStrictEqual([long.status, long.json["code"]], [400, "invalid_request"])
    const huge = await browser.post("/sign-in/password", { email: "known@example.com", password: "x".repeat(1e7) })
    assert.strictEqual(huge.status, 413)
    for (let n = 1; n < 5; n++) {
      await browser.post("/sign-in/password", { email: "known@example.com", password: "wrong password!" })
    }
    const sixth = await browser.post("/sign-in/password", { email: "known@example.com", password })
    assert.deepStrictEqual([sixth.status, sixth.json["code"]], [429, "rate_limited"])
    assert.strictEqual(sixth.headers.get("retry-after"), "900")
  })

  it("takes no cookie of another instance, and none that is there twice", async () => {
    await using other = await open()
    const browser = await memberOf(paymux, "twice@example.com", "owner")
    const foreign = await memberOf(other, "twice@example.com", "owner")
    assert.notStrictEqual(foreign.cookie.split("=")[0], browser.cookie.split("=")[0])
    const [name] = browser.cookie.split("=")
    const own = browser.cookie
    browser.cookie = `${name}=${foreign.cookie.split("=")[1]}`
    assert.strictEqual((await browser.get("/session")).status, 401)
    browser.cookie = `${own}; ${own}`
    assert.strictEqual((await browser.get("/session")).status, 401)
    browser.cookie = `${foreign.cookie}; ${own}`
    assert.strictEqual((await browser.get("/session")).status, 200)
  })

  it("links work once, and one answer is given for all that do not", async () => {
    const browser = browserOf(paymux)
    const { link } = await paymux.dashboard.invite({ email: "once@example.com", role: "viewer" })
    await browser.post("/sign-in/invitation", { token: tokenOf(link), password })
    const answers = []
    for (const token of [tokenOf(link), "x", "", "a".repeat(43)]) {
      const { json, status } = await browser.post("/sign-in/invitation", { token, password })
      answers.push([status, json["detail"]])
    }
    assert.strictEqual(new Set(answers.map((each) => JSON.stringify(each))).size, 1)
    assert.strictEqual(answers[0]?.[0], 404)
    const reset = await paymux.dashboard.reset("once@example.com")
    const next = "staple staple horse"
    assert.strictEqual(
      (await browser.post("/sign-in/reset", { token: tokenOf(reset.link), password: "short" })).status,
      400
    )
    assert.strictEqual(
      (await browser.post("/sign-in/reset", { token: tokenOf(reset.link), password: next })).status,
      204
    )
    assert.strictEqual(
      (await browser.post("/sign-in/reset", { token: tokenOf(reset.link), password: next })).status,
      404
    )
    assert.strictEqual(
      (await browser.post("/sign-in/password", { email: "once@example.com", password: next })).status,
      200
    )
  })

  it("an owner manages the team of their account, and no other", async () => {
    const owner = await memberOf(paymux, "boss@example.com", "owner", "shop")
    await memberOf(paymux, "viewer@example.com", "viewer", "shop")
    const team = await owner.get("/shop/test/team?limit=1")
    assert.match(String(team.json["next"]), /^\d+\.\d+$/)
    const rest = await owner.get(`/shop/test/team?after=${String(team.json["next"])}`)
    // Boundary: a page of users.
    const page = [team, rest].flatMap(({ json }) => json["data"] as ReadonlyArray<{ id: string; email: string }>)
    const { id = "" } = page.find(({ email }) => email === "viewer@example.com") ?? {}
    assert.strictEqual((await owner.get("/other/test/team")).status, 404)

    const invited = await owner.post("/shop/test/team/invitations", { email: "c@example.com", role: "viewer" })
    assert.match(String(invited.json["link"]), /^https:\/\/pay\.example\/dashboard\/join#/)
    for (const more of [{ everyAccount: true }, { modes: ["live"] }]) {
      const refused = await owner.post("/shop/test/team/invitations", {
        email: "d@example.com",
        role: "viewer",
        ...more
      })
      assert.deepStrictEqual([refused.status, refused.json["code"]], [403, "forbidden"], JSON.stringify(more))
    }
    const joined = await browserOf(paymux).post("/sign-in/invitation", {
      token: tokenOf(String(invited.json["link"])),
      password
    })
    assert.strictEqual(joined.status, 200)
    const listed = await owner.get("/shop/test/team?limit=1")
    // Boundary: a page of users.
    const [c] = listed.json["data"] as ReadonlyArray<{ id: string }>
    assert.strictEqual((await owner.post(`/shop/test/team/${c?.id}/role`, { role: "developer" })).status, 204)
    assert.strictEqual((await owner.post(`/shop/test/team/${c?.id}/reset`, {})).status, 200)
    // The viewer has live mode too, which an owner without TOTP does not manage.
    assert.strictEqual((await owner.post(`/shop/test/team/${id}/role`, { role: "developer" })).status, 403)
    assert.strictEqual((await owner.post(`/shop/test/team/${id}/reset`, {})).status, 403)
    assert.strictEqual((await owner.post(`/shop/test/team/${id}`, undefined, "DELETE")).status, 204)
    const boss = page.find(({ email }) => email === "boss@example.com")
    const last = await owner.post(`/shop/test/team/${boss?.id}`, undefined, "DELETE")
    // Owners of every account are left.
    assert.strictEqual(last.status, 204)
  })

  it("an owner sees the open invitations to their account, renews and revokes them, and never sees a link again", async () => {
    const owner = await memberOf(paymux, "host@example.com", "owner", "salon")
    const viewer = await memberOf(paymux, "guest@example.com", "viewer", "salon")
    const path = "/salon/test/team/invitations"
    const accept = (link: unknown) =>
      browserOf(paymux).post("/sign-in/invitation", { token: tokenOf(String(link)), password })
    const listed = async () => {
      const { json } = await owner.get(path)
      // Boundary: a list of invitations.
      return json["data"] as ReadonlyArray<{ id: string; email: string; [field: string]: unknown }>
    }
    await paymux.dashboard.invite({ email: "elsewhere@example.com", role: "viewer", account: "other" })
    await paymux.dashboard.invite({ email: "live@example.com", role: "viewer", account: "salon", modes: ["live"] })
    await paymux.dashboard.invite({ email: "both@example.com", role: "viewer", account: "salon" })
    const invited = await owner.post(path, { email: "new@example.com", role: "operator" })
    const listedAs = await owner.get(path)
    assert.notInclude(JSON.stringify(listedAs.json), tokenOf(String(invited.json["link"])))
    const [first, second] = await listed()
    assert.deepStrictEqual(Object.keys(first ?? {}).toSorted(), [
      "account",
      "createdAt",
      "email",
      "expiresAt",
      "id",
      "invitedBy",
      "modes",
      "role"
    ])
    assert.deepInclude(first, {
      email: "new@example.com",
      account: "salon",
      modes: ["test"],
      role: "operator",
      invitedBy: "host@example.com",
      expiresAt: invited.json["expiresAt"]
    })
    // An owner without TOTP does not manage live mode, and is not shown it.
    assert.deepInclude(second, { email: "both@example.com", modes: ["test"], invitedBy: "program" })
    assert.strictEqual((await listed()).length, 2)

    assert.strictEqual((await viewer.get(path)).status, 403)
    assert.strictEqual((await owner.get("/other/test/team/invitations")).status, 404)
    for (const [method, address] of [
      ["DELETE", `${path}/${second?.id}`],
      ["POST", `${path}/${second?.id}/link`]
    ] as const) {
      const refused = await owner.post(address, undefined, method)
      assert.deepStrictEqual([refused.status, refused.json["code"]], [403, "forbidden"])
    }

    const renewed = await owner.post(`${path}/${first?.id}/link`)
    assert.match(String(renewed.json["link"]), /^https:\/\/pay\.example\/dashboard\/join#/)
    assert.strictEqual((await accept(invited.json["link"])).status, 404)
    assert.strictEqual((await owner.post(`${path}/${first?.id}`, undefined, "DELETE")).status, 404)
    const [again] = await listed()
    assert.strictEqual(again?.email, "new@example.com")
    assert.strictEqual((await owner.post(`${path}/${again?.id}`, undefined, "DELETE")).status, 204)
    assert.strictEqual((await owner.post(`${path}/${again?.id}`, undefined, "DELETE")).status, 404)
    assert.strictEqual((await accept(renewed.json["link"])).status, 404)
    assert.deepStrictEqual(
      (await listed()).map(({ email }) => email),
      ["both@example.com"]
    )
    const audit = await owner.get("/salon/test/audit?action=user.revoke_invitation")
    // Boundary: a page of the audit log.
    const entries = audit.json["data"] as ReadonlyArray<{ target: string; actor: { name: string } }>
    assert.deepStrictEqual(
      entries.map(({ actor, target }) => [target, actor.name]),
      [["new@example.com", "host@example.com"]]
    )
  })

  it("the audit log has the address of the client, which the trusted proxy appended", async () => {
    const host = () => ({
      id: "42",
      name: "Asha",
      role: "owner" as const,
      accounts: ["shop"],
      modes: ["test" as const],
      authenticatedAt: new Date()
    })
    for (const [trustedProxies, address] of [[1, "203.0.113.9"] as const, [0, null] as const]) {
      await using proxied = await open({ dashboard: { authenticate: host, trustedProxies } })
      const headers = {
        host: "pay.example",
        origin: https,
        "content-type": "application/json",
        "x-forwarded-for": "198.51.100.66, 203.0.113.9"
      }
      const made = await proxied.fetch(
        new Request(`${https}/dashboard/api/shop/test/keys`, {
          method: "POST",
          headers,
          body: JSON.stringify({ name: "till" })
        })
      )
      assert.strictEqual(made.status, 201, await made.text())
      const { json } = await browserOf(proxied).get("/shop/test/audit")
      // Boundary: a page of the audit log.
      const [entry] = json["data"] as ReadonlyArray<{ actor: { address: string | null } }>
      assert.strictEqual(entry?.actor.address, address)
    }
  })

  it("a session opens neither /v1 nor another instance, and an API key opens no session", async () => {
    const browser = await memberOf(paymux, "v1@example.com", "owner")
    const v1 = await paymux.fetch(new Request(`${https}/v1/payments`, { headers: { cookie: browser.cookie } }))
    assert.strictEqual(v1.status, 401)
    const key = await paymux.fetch(
      new Request(`${https}/dashboard/api/session`, {
        headers: { authorization: `Bearer ${paymux.testKey}`, host: "pay.example" }
      })
    )
    assert.strictEqual(key.status, 401)
  })
})

describe("other ways in", () => {
  it("the sandbox on this machine opens once by its link, by a cookie without Secure, under no other host", async () => {
    const publicUrl = "http://localhost:4310"
    await using paymux = await open({ publicUrl })
    const browser = browserOf(paymux, publicUrl)
    const token = tokenOf((await paymux.dashboard.firstLink())?.link ?? "")
    const opened = await browser.post("/sign-in/sandbox", { token })
    assert.match(
      opened.headers.get("set-cookie") ?? "",
      /^paymux_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/
    )
    assert.strictEqual((await browser.post("/sign-in/sandbox", { token })).status, 404)
    assert.deepInclude((await browser.get("/session")).json, { method: "sandbox", id: "sandbox" })
    assert.strictEqual((await browser.get("/default/test/keys")).status, 200)
    assert.strictEqual((await browser.get("/default/live/keys")).status, 404)
    assert.strictEqual((await browser.post("/session/totp")).status, 409)
    const rebound = await paymux.fetch(
      new Request(`${publicUrl}/dashboard/api/session`, {
        headers: { host: "evil.example:4310", cookie: browser.cookie }
      })
    )
    assert.strictEqual(rebound.status, 403)
  })

  it("a host's own users are those it names, and what it returns by mistake opens nothing", async () => {
    const good = {
      id: "42",
      name: "Asha",
      role: "owner",
      accounts: ["shop"],
      modes: ["test"],
      authenticatedAt: new Date()
    }
    let answer: unknown = good
    await using paymux = await open({
      dashboard: {
        authenticate: (request) => {
          assert.strictEqual(request.headers.get("host"), "pay.example")
          if (answer instanceof Error) throw answer
          return answer as never
        },
        reauthenticateUrl: "/login"
      }
    })
    const browser = browserOf(paymux)
    const me = await browser.get("/session")
    assert.deepInclude(me.json, { id: "42", method: "host", reauthenticateUrl: "/login", expiresAt: null })
    assert.strictEqual((await browser.get("/shop/test/keys")).status, 200)
    assert.strictEqual((await browser.get("/default/test/keys")).status, 404)
    for (const path of ["/sign-in/password", "/sign-in/sandbox"]) {
      assert.strictEqual((await browser.post(path, { email: "a@b.io", password, token: "x" })).status === 200, false)
    }
    for (const bad of [
      undefined,
      true,
      "42",
      [],
      {},
      { ...good, id: 42 },
      { ...good, id: "" },
      { ...good, name: undefined },
      { ...good, role: "admin" },
      { ...good, role: ["owner"] },
      { ...good, accounts: "shop" },
      { ...good, accounts: null },
      { ...good, accounts: ["*"] },
      { ...good, modes: "live" },
      { ...good, modes: ["prod"] },
      { ...good, authenticatedAt: "now" },
      { ...good, authenticatedAt: new Date(Number.NaN) },
      { ...good, authenticatedAt: Date.now() + 3_600_000 }
    ]) {
      answer = bad
      assert.strictEqual((await browser.get("/session")).status, 401, JSON.stringify(bad))
    }
    answer = null
    assert.strictEqual((await browser.get("/session")).status, 401)
    answer = new Error("the session store is down")
    assert.strictEqual((await browser.get("/session")).status, 503)
  })

  it("without a dashboard there is nothing at its addresses", async () => {
    await using paymux = await open({ dashboard: false })
    assert.strictEqual((await browserOf(paymux).get("/session")).status, 404)
    for (const path of ["/dashboard", "/dashboard/", "/dashboard/default/test/payments", "/dashboard/assets/x.js"]) {
      assert.strictEqual((await paymux.fetch(new Request(`${https}${path}`))).status, 404, path)
    }
  })
})
