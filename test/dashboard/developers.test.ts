/** What developers do in the dashboard: keys, webhook endpoints, deliveries, events and the request log. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { hasBrowser } from "../support/browser.ts"
import { violations } from "./axe.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { startHookReceiver } from "./HookReceiver.ts"
import type { HookReceiver } from "./HookReceiver.ts"
import { activate, fill, returnedFocus, moveTo } from "./keyboard.ts"

const card = {
  amount: 1_200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@customers.example", phone: "+4915112345678" }
} as const

const hostile = `<script>window.hacked = true</script><img src=x onerror="window.hacked = true">\u202Etxt.exe `

describe.skipIf(!hasBrowser)("the pages of developers (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let receiver: HookReceiver
  beforeAll(async () => {
    server = await openDashboard()
    receiver = await startHookReceiver()
  })
  afterAll(async () => {
    receiver.close()
    await server.close()
  })
  beforeEach(async () => {
    const { apiKeys, webhookEndpoints } = server.paymux
    for (const { keyId, revokedAt } of await apiKeys.list()) if (revokedAt === null) await apiKeys.revoke(keyId)
    for (const { id } of await webhookEndpoints.list()) await webhookEndpoints.remove(id)
    receiver.received.length = 0
    receiver.answer = { status: 204, body: "" }
  })

  const asDeveloper = (path: string) => server.open(path, { role: "developer" })

  /** What the API answers a server that has this key. */
  const statusWith = async (key: string): Promise<number> => {
    const response = await fetch(`${server.url}/v1/payments?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    await response.body?.cancel()
    return response.status
  }

  const secretIn = (page: Page): Promise<string> => page.locator("[data-secret]").innerText()

  const stored = async (dialog: Locator) => {
    await dialog.getByLabel("I have stored it").check()
    await dialog.getByRole("button", { name: "Done" }).click()
    await dialog.waitFor({ state: "detached" })
  }

  const createKey = async (page: Page, name: string): Promise<string> => {
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill(name)
    await dialog.getByRole("button", { name: "Create key" }).click()
    return secretIn(page)
  }

  const shortened = (key: string): RegExp => new RegExp(`…${key.slice(-4)}`)

  it("create, replace and revoke a key with the mouse, which the API honors at once", async () => {
    const { page, problems } = await asDeveloper("keys")
    const dialog = page.getByRole("dialog")
    const first = await createKey(page, "shop backend")
    assert.strictEqual(await statusWith(first), 200)
    assert.deepStrictEqual(await violations(page), [])

    await dialog.getByRole("button", { name: "Copy API key" }).click()
    await dialog.getByRole("button", { name: "Copied" }).waitFor()
    assert.strictEqual(await page.evaluate<string>("navigator.clipboard.readText()"), first)
    await page.keyboard.press("Escape")
    await dialog.getByText("It cannot be shown again").waitFor()
    assert.strictEqual(await secretIn(page), first)
    await stored(dialog)

    await page
      .getByRole("row", { name: shortened(first) })
      .getByRole("button", { name: "Replace" })
      .click()
    await dialog.getByLabel("Accept the former key for").selectOption({ label: "1 hour" })
    await dialog.getByRole("button", { name: "Replace key" }).click()
    const second = await secretIn(page)
    assert.deepStrictEqual([await statusWith(first), await statusWith(second)], [200, 200])
    await stored(dialog)
    await page
      .getByRole("row", { name: shortened(first) })
      .getByText(/^Accepted until/)
      .waitFor()

    await page
      .getByRole("row", { name: shortened(first) })
      .getByRole("button", { name: "Revoke" })
      .click()
    await dialog.getByText("shop backend").waitFor()
    await dialog.getByText("Last used").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: "Revoke key" }).click()
    await page
      .getByRole("row", { name: shortened(first) })
      .getByText("Revoked")
      .waitFor()
    assert.deepStrictEqual([await statusWith(first), await statusWith(second)], [401, 200])
    assert.deepStrictEqual(problems, [])
  })

  it("create, replace and revoke a key with the keyboard alone", async () => {
    const { page, problems } = await asDeveloper("keys")
    const dialog = page.getByRole("dialog")
    const done = async () => {
      await activate(page, dialog.getByLabel("I have stored it"), { key: "Space" })
      await activate(page, dialog.getByRole("button", { name: "Done" }))
      await dialog.waitFor({ state: "detached" })
    }
    await activate(page, page.getByRole("button", { name: "Create key" }))
    await fill(page, dialog.getByLabel("Name"), "laptop")
    await page.keyboard.press("Enter")
    const first = await secretIn(page)
    await done()
    assert.strictEqual(await returnedFocus(page), "button Create key")

    await activate(page, page.getByRole("row", { name: shortened(first) }).getByRole("button", { name: "Replace" }))
    await moveTo(page, dialog.getByLabel("Accept the former key for"))
    await page.keyboard.type("Not")
    await activate(page, dialog.getByRole("button", { name: "Replace key" }))
    const second = await secretIn(page)
    await done()
    assert.deepStrictEqual([await statusWith(first), await statusWith(second)], [401, 200])

    await activate(page, page.getByRole("row", { name: shortened(second) }).getByRole("button", { name: "Revoke" }))
    await activate(page, dialog.getByRole("button", { name: "Revoke key" }))
    await page
      .getByRole("row", { name: shortened(second) })
      .getByText("Revoked")
      .waitFor()
    assert.strictEqual(await statusWith(second), 401)
    assert.notStrictEqual(await returnedFocus(page), "nothing")
    assert.deepStrictEqual(problems, [])
  })

  it("secrets are in no page after a reload or Back, in no storage and in no address", async () => {
    const { page, problems } = await asDeveloper("keys")
    const key = await createKey(page, "shop backend")
    const isNowhere = async (secret: string) => {
      const places = await page.evaluate<string>(
        "JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, location.href, history.state])"
      )
      assert.notInclude(places, secret)
      assert.notInclude(JSON.stringify(await page.context().storageState()), secret)
    }
    await page.reload()
    await page.getByRole("row", { name: shortened(key) }).waitFor()
    await isNowhere(key)

    await page.getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("button", { name: "Add endpoint" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill(receiver.url)
    await dialog.getByRole("button", { name: "Add endpoint" }).click()
    const secret = await secretIn(page)
    assert.match(secret, /^whsec_/)
    await page.goBack()
    await page.getByRole("row", { name: shortened(key) }).waitFor()
    await isNowhere(secret)
    await page.goForward()
    await page.getByRole("link", { name: receiver.url }).click()
    await page.getByRole("button", { name: "Replace secret" }).click()
    await dialog.getByRole("button", { name: "Replace secret" }).click()
    const next = await secretIn(page)
    assert.notStrictEqual(next, secret)
    await page.reload()
    await page.getByRole("heading", { name: "Deliveries" }).waitFor()
    for (const each of [key, secret, next]) await isNowhere(each)
    assert.deepStrictEqual(problems, [])
  })

  it("add an endpoint, see why it fails, fix it, and send the event again", async () => {
    receiver.answer = { status: 500, body: hostile + "x".repeat(1_000_000) }
    const { page, problems } = await asDeveloper("endpoints")
    await page.getByRole("button", { name: "Add endpoint" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill(receiver.url)
    await dialog.getByRole("button", { name: "Add endpoint" }).click()
    await secretIn(page)
    await stored(dialog)
    await page.getByRole("link", { name: receiver.url }).click()

    const isText = async (within: Locator) => {
      const text = await within.locator("pre").first().innerText()
      assert.include(text, "<script>window.hacked = true</script>")
      assert.notInclude(text, "\u202E")
      assert.isBelow(text.length, 400)
      assert.isUndefined(await page.evaluate("window.hacked"))
    }
    await page.getByRole("button", { name: "Send test event" }).click()
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await dialog.getByText("Failed").waitFor()
    await dialog.getByText("500").waitFor()
    await isText(dialog)
    await dialog.getByRole("button", { name: "Close" }).last().click()

    const { id } = await server.paymux.payments.create(card)
    await page.getByRole("row", { name: /payment\.succeeded Retrying/ }).click()
    await page.getByRole("heading", { name: "Try 1" }).waitFor()
    await isText(page.getByRole("list", { name: "Tries" }))
    await page.getByRole("link", { name: id }).waitFor()

    receiver.answer = { status: 204, body: "" }
    await page.getByRole("button", { name: "Resend" }).click()
    await page.getByRole("list", { name: "Tries" }).getByText("Delivered").waitFor()
    const { records } = await server.paymux.webhookDeliveries.list()
    assert.deepStrictEqual(
      records.map(({ status }) => status),
      ["delivered"]
    )
    assert.strictEqual(receiver.received.at(-1), records[0]?.eventId)
    assert.deepStrictEqual(problems, [])
  })

  it("resend what was not delivered: counted first, and then exactly so many", async () => {
    receiver.answer = { status: 503, body: "down" }
    const { id } = await server.paymux.webhookEndpoints.add({ url: receiver.url })
    for (let n = 0; n < 4; n++) await server.paymux.payments.create({ ...card, amount: 1_000 + n })
    // The second retry is minutes away, so that none is in flight when they are counted.
    await eventually(async () => {
      const { records } = await server.paymux.webhookDeliveries.list({ endpointId: id })
      return records.length === 4 && records.every(({ attempts }) => attempts === 2)
    })
    const { page, problems } = await asDeveloper("deliveries")
    await page.getByText("4 deliveries failed or wait for a retry.").waitFor()
    receiver.received.length = 0
    receiver.answer = { status: 204, body: "" }
    await page.getByRole("button", { name: "Resend undelivered…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Resend 4 deliveries" }).waitFor()
    assert.deepStrictEqual(receiver.received, [])
    assert.deepStrictEqual(await violations(page), [])
    await dialog.getByRole("button", { name: "Resend 4 deliveries" }).click()
    await page.getByText("Sent again: 4 deliveries.").waitFor()
    await page.getByText("Nothing waits for a retry.").waitFor()
    await eventually(async () => {
      const { records } = await server.paymux.webhookDeliveries.list({ endpointId: id })
      return records.every(({ status }) => status === "delivered")
    })
    assert.lengthOf(receiver.received, 4)
    assert.strictEqual(new Set(receiver.received).size, 4)
    assert.deepStrictEqual(problems, [])
  })

  it("a URL that is not public is refused at its field, and a pasted 5 MB calmly", async () => {
    const { page } = await asDeveloper("endpoints")
    await page.getByRole("button", { name: "Add endpoint" }).click()
    const dialog = page.getByRole("dialog")
    const url = dialog.getByLabel("URL")
    for (const refused of ["http://10.0.0.1/hooks", "http://169.254.169.254/latest", "http://[::ffff:192.168.0.1]/"]) {
      await url.fill(refused)
      await dialog.getByRole("button", { name: "Add endpoint" }).click()
      await dialog.getByRole("alert").getByText("private, local or reserved").waitFor()
      assert.strictEqual(await url.getAttribute("aria-invalid"), "true")
      assert.strictEqual(await url.inputValue(), refused)
    }
    await paste(page, url)
    await dialog.getByText("At most 2,048 characters fit. What you pasted has 5,000,000 characters.").waitFor()
    assert.strictEqual(await url.inputValue(), "")
    assert.deepStrictEqual(await server.paymux.webhookEndpoints.list(), [])

    await page.goto(`${server.url}/dashboard/default/test/keys`)
    await page.getByRole("button", { name: "Create key" }).click()
    const name = dialog.getByLabel("Name")
    await paste(page, name)
    await dialog.getByText("At most 100 characters fit. What you pasted has 5,000,000 characters.").waitFor()
    await name.fill("shop\u202E backend")
    await dialog.getByRole("button", { name: "Create key" }).click()
    await dialog.getByRole("alert").getByText("1 to 100 characters").waitFor()
    await name.fill("shop backend")
    await dialog.getByRole("button", { name: "Create key" }).click()
    assert.strictEqual(await statusWith(await secretIn(page)), 200)
  })

  it("filters stand in the address: they survive a reload, a link and Back", async () => {
    await server.paymux.webhookEndpoints.add({ url: receiver.url })
    await server.paymux.payments.create(card)
    await server.paymux.payments.create({ ...card, payment_method_details: { card: { token: "tok_declined" } } })
    await eventually(async () => receiver.received.length === 2)
    const { page, problems } = await asDeveloper("deliveries")
    const filters = page.getByRole("group", { name: "Filters" })
    await filters.getByRole("button", { name: "Event type" }).click()
    await page.getByRole("dialog").getByLabel("payment.failed").check()
    await page.getByRole("button", { name: "Apply" }).click()
    await filters.getByRole("button", { name: "Status" }).click()
    await page.getByRole("dialog").getByLabel("Delivered").check()
    await page.getByRole("button", { name: "Apply" }).click()
    const isFiltered = async () => {
      await page
        .getByRole("row", { name: /^payment\.failed Delivered/ })
        .first()
        .waitFor()
      await page
        .getByRole("row", { name: /^payment\.succeeded/ })
        .first()
        .waitFor({ state: "detached" })
      assert.strictEqual(new URL(page.url()).search, "?types=payment.failed&status=delivered")
    }
    await isFiltered()
    await page.reload()
    await isFiltered()
    await page
      .getByRole("row", { name: /^payment\.failed/ })
      .first()
      .click()
    await page.getByRole("heading", { name: "Try 1" }).waitFor()
    await page.goBack()
    await isFiltered()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page
      .getByRole("row", { name: /^payment\.succeeded/ })
      .first()
      .waitFor()
    assert.strictEqual(new URL(page.url()).search, "")
    assert.deepStrictEqual(problems, [])
  })

  it("an event shows its body and its deliveries, and the request log what was refused, masked", async () => {
    const { key } = await server.paymux.apiKeys.create({ name: "shop backend" })
    const { id } = await server.paymux.webhookEndpoints.add({ url: receiver.url })
    const post = (body: object) =>
      fetch(`${server.url}/v1/payments`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    assert.strictEqual((await post(card)).status, 201)
    assert.strictEqual((await post({ ...card, amount: -5, customer: { email: hostile } })).status, 400)
    const { page, problems } = await asDeveloper("events")
    await page
      .getByRole("row", { name: /^payment\.succeeded/ })
      .first()
      .click()
    await page.getByText('"type": "payment.succeeded"').waitFor()
    await page.getByRole("button", { name: `Resend to ${id}` }).click()
    await page.getByText("The event is sent again.").waitFor()
    await eventually(async () => receiver.received.length === 2)
    assert.strictEqual(receiver.received[0], receiver.received[1])

    await page.getByRole("link", { name: "Requests" }).click()
    await page.getByRole("row", { name: /^400 POST/ }).click()
    await page.getByText('"email": "[text]"').waitFor()
    await page.getByText("invalid_request").first().waitFor()
    assert.notInclude(await page.content(), "window.hacked")
    assert.deepStrictEqual(problems, [])
    assert.strictEqual(await page.getByRole("link", { name: "API reference" }).getAttribute("href"), "/v1/docs")
  })

  it("who may only look sees no key, endpoint or delivery to change, and a missing page is a calm one", async () => {
    const { id } = await server.paymux.webhookEndpoints.add({ url: receiver.url })
    const { page, problems } = await server.open("keys", { role: "viewer" })
    await page.getByText("Owners and developers can create, replace and revoke them.").waitFor()
    for (const [path, heading] of [
      ["endpoints", "Webhook endpoints"],
      [`endpoints/${id}`, receiver.url],
      ["deliveries", "Deliveries"]
    ] as const) {
      await page.goto(`${server.url}/dashboard/default/test/${path}`)
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
      const changes = /create|add endpoint|resend|replace|revoke|disable|remove|edit|test event/i
      assert.strictEqual(await page.getByRole("main").getByRole("button", { name: changes }).count(), 0)
    }
    assert.deepStrictEqual(problems, [])
    for (const path of ["endpoints/we_none", "deliveries/evt_none/we_none", "events/evt_none", "requests/req_none"]) {
      await page.goto(`${server.url}/dashboard/default/test/${path}`)
      await page.getByText("There is nothing at this address").waitFor()
    }
  })
})

const paste = async (page: Page, field: Locator) => {
  await page.evaluate("navigator.clipboard.writeText('x'.repeat(5_000_000))")
  await field.fill("")
  await field.focus()
  await page.keyboard.press("ControlOrMeta+V")
}

/** Fails after 20 s: the limit of a test is minutes. */
const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + 20_000; !(await holds());) {
    if (performance.now() > end) assert.fail("It did not hold within 20 s")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
