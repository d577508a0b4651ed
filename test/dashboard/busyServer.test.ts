/** A page whose reads are refused because the server is busy with payments. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { patiently, waitOf } from "../../packages/dashboard/app/src/api/busyServer.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

const refused = () => new Response(null, { status: 429, headers: { "retry-after": "2" } })

/** Answers with these, one after the other, and then with the last one. */
const answering = (...answers: ReadonlyArray<() => Response>) => {
  const sent: Array<string> = []
  const waits: Array<number> = []
  const send = patiently(
    async ({ method }) => {
      sent.push(method)
      return (answers[Math.min(sent.length, answers.length) - 1] ?? refused)()
    },
    async (ms) => void waits.push(ms)
  )
  return { send, sent, waits }
}

const address = "http://localhost/dashboard/api/default/test/payments"

describe("a read that is refused with 429", () => {
  it("is sent again after the time that the server names, until it is answered", async () => {
    const { send, sent, waits } = answering(refused, refused, () => new Response("read"))
    const response = await send(new Request(address))
    assert.strictEqual(await response.text(), "read")
    assert.lengthOf(sent, 3)
    assert.isTrue(waits.every((ms) => ms >= 2000))
  })

  it("is given up in the end, with its refusal", async () => {
    const { send, sent } = answering(refused)
    assert.strictEqual((await send(new Request(address))).status, 429)
    assert.lengthOf(sent, 9)
  })

  it("is not sent again once the page is left", async () => {
    const controller = new AbortController()
    let sent = 0
    const send = patiently(async () => {
      sent++
      controller.abort(new Error("left"))
      return refused()
    })
    const answer = await send(new Request(address, { signal: controller.signal })).catch((error: unknown) => error)
    assert.strictEqual(String(answer), "Error: left")
    assert.strictEqual(sent, 1)
  })

  it("waits for a second if the server names no time, and longer with each time, not all pages alike", () => {
    for (const header of [null, "", "0", "-1", "soon", "86400"]) assert.strictEqual(waitOf(header, 0, 0), 1000)
    assert.isAbove(waitOf("1", 1, 0), waitOf("1", 0, 0))
    assert.isAbove(waitOf("1", 0, 0.5), waitOf("1", 0, 0))
  })

  it("is a read: what changes something is sent once", async () => {
    const { send, sent } = answering(refused)
    assert.strictEqual((await send(new Request(address, { method: "POST", body: "{}" }))).status, 429)
    assert.lengthOf(sent, 1)
  })
})

describe.skipIf(!hasBrowser)("a page of a busy server (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  })
  afterAll(() => server?.close())

  it("shows the payments once it is answered, and nothing of the refusal; else what to do", async () => {
    const { page } = await server.open("payments", { role: "viewer" })
    await page.getByText("No payments yet").waitFor()
    let refusals = 2
    const body = JSON.stringify({
      type: "",
      title: "Too many requests",
      status: 429,
      code: "rate_limited",
      detail: "",
      errors: [],
      request_id: ""
    })
    await page.clock.install()
    await page.route(/\/test\/payments\?/, (route) =>
      refusals-- > 0
        ? route.fulfill({ status: 429, headers: { "retry-after": "1" }, contentType: "application/problem+json", body })
        : route.continue()
    )
    const alert = page.getByRole("alert")
    const load = () => page.reload({ waitUntil: "commit" })
    await load()
    const answered = page.getByText("No payments yet")
    while ((await answered.count()) === 0) {
      assert.strictEqual(await alert.count(), 0)
      await page.clock.runFor(500)
    }
    refusals = Number.POSITIVE_INFINITY
    await load()
    while ((await alert.count()) === 0) await page.clock.runFor(1_000)
    await alert.filter({ hasText: "The server is busy" }).waitFor()
    assert.notInclude(await page.content(), "429")
    refusals = 0
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No payments yet").waitFor()
  })
})
