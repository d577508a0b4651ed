/** Who tries passwords learns nothing about users, and is stopped without stopping them: over HTTP, behind a proxy. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"

const publicUrl = "https://pay.example"
const password = "correct horse battery"

// Each hash of a password takes 0.4 s of a core on purpose, on a busy machine many times that.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

describe("trying passwords", () => {
  let paymux: Paymux
  beforeAll(async () => {
    paymux = await createPaymux({
      sandbox: true,
      database: ":memory:",
      logs: false,
      publicUrl,
      dashboard: { trustedProxies: 1 }
    })
    for (const email of ["asha@example.com", "ravi@example.com"]) {
      const { link } = await paymux.dashboard.invite({ email, role: "owner" })
      await send("192.0.2.1", "invitation", { token: link.split("#")[1], password })
    }
  })
  afterAll(() => paymux.close())

  const send = (address: string, step: string, body: unknown, cookie = "") =>
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
  const attempt = (address: string, email: string, given: string) =>
    send(address, "password", { email, password: given })

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

  it("refuses most of a flood with Retry-After, and signs in the owner from a device in which they did so before", async () => {
    const first = await attempt("192.0.2.50", "asha@example.com", password)
    assert.strictEqual(first.status, 200)
    const device = first.headers.getSetCookie().find((line) => line.includes("_device_")) ?? ""
    const flood = Array.from({ length: 40 }, (_, n) =>
      attempt(`198.51.100.${100 + n}`, `stranger${n}@example.com`, "a wrong password")
    )
    const body = { email: "asha@example.com", password }
    const owner = await send("192.0.2.51", "password", body, device.split(";")[0])
    assert.deepStrictEqual([owner.status, await owner.json()], [200, { step: "signed_in" }])
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 503)
    assert.strictEqual(refused.length, 28)
    assert.deepStrictEqual([...new Set(refused.map(({ headers }) => headers.get("retry-after")))], ["10"])
  })
})
