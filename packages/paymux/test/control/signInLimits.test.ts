/** Who tries passwords learns nothing about users, and is stopped without stopping them: over HTTP, behind a proxy. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPaymux } from "../../src/index.ts"
import type { Paymux, PaymuxOptions } from "../../src/index.ts"
import { createQuickPaymux } from "../quickPasswords.ts"

const publicUrl = "https://pay.example"
const password = "correct horse battery"

const options = {
  sandbox: true,
  database: ":memory:",
  logs: false,
  publicUrl,
  dashboard: { trustedProxies: 1 }
} satisfies PaymuxOptions

const invite = async (paymux: Paymux, email: string): Promise<void> => {
  const { link } = await paymux.dashboard.invite({ email, role: "owner" })
  await send(paymux, "192.0.2.1", "invitation", { token: link.split("#")[1], password })
}

const send = (paymux: Paymux, address: string, step: string, body: unknown, cookie = "") =>
  paymux.fetch(
    new Request(`${publicUrl}/dashboard/api/sign-in/${step}`, {
      method: "POST",
      headers: {
        host: "pay.example",
        origin: publicUrl,
        "content-type": "application/json",
        "x-forwarded-for": address,
        ...(cookie !== "" && { cookie })
      },
      body: JSON.stringify(body)
    })
  )

describe("trying passwords", () => {
  let paymux: Paymux
  beforeAll(async () => {
    paymux = await createQuickPaymux(options)
    for (const email of ["asha@example.com", "ravi@example.com"]) await invite(paymux, email)
  })
  afterAll(() => paymux.close())

  const attempt = (address: string, email: string, given: string) =>
    send(paymux, address, "password", { email, password: given })

  /** All that is received; the id of the request, which always differs, is left out. */
  const received = async (response: Response) => {
    const id = response.headers.get("request-id") ?? ""
    assert.match(id, /^req_\w+$/)
    const headers = [...response.headers].filter(([name]) => name !== "date" && name !== "request-id")
    return { status: response.status, headers, body: (await response.text()).replaceAll(id, "…") }
  }

  it("returns the same bytes for known and unknown users, also once there are too many tries", async () => {
    for (let tries = 1; tries <= 6; tries++) {
      const known = await received(await attempt("198.51.100.7", "asha@example.com", "a wrong password"))
      const unknown = await received(await attempt("198.51.100.8", "unknown@example.com", "a wrong password"))
      assert.strictEqual(known.status, tries < 6 ? 401 : 429)
      assert.deepStrictEqual(unknown, known)
    }
  })

  it("refuses the sixth wrong try from one address, while the owner signs in from another", async () => {
    for (let tries = 1; tries <= 5; tries++) {
      assert.strictEqual((await attempt("203.0.113.66", "ravi@example.com", "a wrong password")).status, 401)
    }
    // Also the right password: who guesses it at the sixth try must not learn that.
    for (const given of ["a wrong password", password]) {
      const refused = await attempt("203.0.113.66", "ravi@example.com", given)
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "900"])
    }
    const owner = await attempt("192.0.2.44", "ravi@example.com", password)
    assert.deepStrictEqual([owner.status, await owner.json()], [200, { step: "signed_in" }])
  })
})

describe("a flood of sign-ins", () => {
  it("is refused for the most part with Retry-After, while the owner signs in from a device in which they did so before", async () => {
    // The hashes take the time that they take in production: otherwise no sign-in would wait.
    await using paymux = await createPaymux(options)
    await invite(paymux, "asha@example.com")
    const attempt = (address: string, email: string, given: string) =>
      send(paymux, address, "password", { email, password: given })
    const first = await attempt("192.0.2.50", "asha@example.com", password)
    assert.strictEqual(first.status, 200)
    const device = first.headers.getSetCookie().find((line) => line.includes("_device_")) ?? ""
    const flood = Array.from({ length: 40 }, (_, n) =>
      attempt(`198.51.100.${100 + n}`, `stranger${n}@example.com`, "a wrong password")
    )
    const body = { email: "asha@example.com", password }
    const owner = await send(paymux, "192.0.2.51", "password", body, device.split(";")[0])
    assert.deepStrictEqual([owner.status, await owner.json()], [200, { step: "signed_in" }])
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 503)
    assert.strictEqual(refused.length, 28)
    assert.deepStrictEqual([...new Set(refused.map(({ headers }) => headers.get("retry-after")))], ["10"])
  })
})
