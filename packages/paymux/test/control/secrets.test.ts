/** Each secret of the dashboard is in one response, which is not cached, and in nothing that is stored or logged. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { Secret, TOTP } from "otpauth"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Paymux } from "../../src/index.ts"
import { createQuickPaymux } from "../quickPasswords.ts"

const publicUrl = "https://pay.example"
const password = "correct horse battery staple"
const email = "asha@example.com"
/** Of keys and of secrets of endpoints. A token may contain an underscore anywhere. */
const prefix = /^(?:whsec|pmx_test|pmx_live)_/

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-dashboard-secrets-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: { readonly [field: string]: unknown }
}

/** A browser whose requests also carry their secrets where proxies and servers write logs of them. */
const browserOf = (paymux: Paymux) => {
  let cookie = ""
  const ask = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const response = await paymux.fetch(
      new Request(`${publicUrl}/dashboard/api${path}`, {
        method,
        headers: {
          host: "pay.example",
          origin: publicUrl,
          ...(cookie !== "" && { cookie }),
          ...(body !== undefined && { "content-type": "application/json" })
        },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
    )
    const [given = ""] = (response.headers.get("set-cookie") ?? "").split(";")
    if (given !== "") cookie = given
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text === "" ? {} : JSON.parse(text) }
  }
  return {
    session: () => cookie.split("=")[1] ?? "",
    get: (path: string) => ask("GET", path),
    post: (path: string, body: unknown = {}) => ask("POST", path, body)
  }
}

const tokenOf = (link: unknown): string => String(link).split("#")[1] ?? ""

describe("secrets of the dashboard", () => {
  it("are in no file of the database, no log line and no list, and their responses are not cached", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined)
    const secrets = new Map<string, string>([["the password", password]])
    const paymux = await createQuickPaymux({
      sandbox: true,
      database: `sqlite:${join(folder, "shop.db")}`,
      logs: "json",
      publicUrl
    })
    const browser = browserOf(paymux)
    /** A response with a secret: it may not be kept. */
    const shown = async (name: string, reply: Promise<Reply>, secretOf: (json: Reply["json"]) => unknown) => {
      const { headers, json, status, text } = await reply
      assert.include([200, 201], status, text)
      assert.strictEqual(headers.get("cache-control"), "no-store", name)
      const secret = String(secretOf(json))
      assert.isAbove(secret.length, 9, name)
      secrets.set(name, secret)
      return json
    }

    const invitation = tokenOf((await paymux.dashboard.invite({ email, role: "owner" })).link)
    secrets.set("an invitation that was used", invitation)
    await browser.post("/sign-in/invitation", { token: invitation, password })
    await browser.post("/sign-in/password", { email, password })
    secrets.set("a session that ended", browser.session())
    const totp = await shown("the TOTP secret", browser.post("/session/totp"), ({ secret }) => secret)
    const app = new TOTP({ secret: Secret.fromBase32(String(totp["secret"])) })
    const confirmed = await browser.post("/session/totp/confirm", { code: app.generate() })
    assert.strictEqual(confirmed.headers.get("cache-control"), "no-store")
    // Boundary: the response to a confirmation.
    const codes = confirmed.json["recoveryCodes"] as ReadonlyArray<string>
    for (const code of codes) secrets.set(`recovery code ${code}`, code)
    const other = browserOf(paymux)
    await other.post("/sign-in/password", { email, password: "a wrong password, typed" })
    secrets.set("a wrong password", "a wrong password, typed")
    await shown("a step", other.post("/sign-in/password", { email, password }), ({ token }) => token)
    await other.post("/sign-in/code", { token: secrets.get("a step"), code: codes[0] })
    secrets.set("a session", other.session())

    for (const mode of ["test", "live"]) {
      const keys = `/default/${mode}/keys`
      const key = await shown(`a ${mode} key`, other.post(keys, { name: "till" }), (json) => json["key"])
      await shown(`a rotated ${mode} key`, other.post(`${keys}/${String(key["id"])}/rotate`), (json) => json["key"])
      const endpoints = `/default/${mode}/endpoints`
      const added = await shown(
        `a secret of an endpoint, ${mode}`,
        other.post(endpoints, { url: "https://shop.io/hooks" }),
        ({ secret }) => secret
      )
      await shown(
        `its next secret, ${mode}`,
        other.post(`${endpoints}/${String(added["id"])}/rotate`),
        ({ secret }) => secret
      )
    }
    const viewer = { email: "viewer@example.com", role: "viewer" }
    await shown("an invitation", other.post("/default/test/team/invitations", viewer), ({ link }) => tokenOf(link))
    secrets.set("a link to reset", tokenOf((await paymux.dashboard.reset(email)).link))

    const reads = ["test/keys", "test/endpoints", "test/audit", "test/team", "test/requests", "live/keys", "live/audit"]
    const written = new Map<string, string>()
    for (const path of reads) {
      const { status, text } = await other.get(`/default/${path}`)
      assert.strictEqual(status, 200, path)
      written.set(path, text)
    }
    const metrics = await paymux.fetch(new Request(`${publicUrl}/metrics`))
    written.set("metrics", await metrics.text())
    for (const file of readdirSync(folder)) written.set(file, readFileSync(join(folder, file), "latin1"))
    await paymux.close()
    for (const file of readdirSync(folder)) written.set(`${file}, closed`, readFileSync(join(folder, file), "latin1"))
    written.set("logs", logged.mock.calls.map(String).join("\n"))
    logged.mockRestore()
    assert.isAbove(secrets.size, 20)
    // The search finds what is there.
    assert.include(written.get("shop.db, closed"), email)
    for (const [place, text] of written) {
      for (const [name, secret] of secrets) {
        assert.isFalse(text.includes(secret), `${name} is in ${place}`)
        // The part behind the prefix alone is the secret, too.
        assert.isFalse(text.includes(secret.replace(prefix, "")), `${name} is in ${place}, without its prefix`)
      }
    }
  })
})
