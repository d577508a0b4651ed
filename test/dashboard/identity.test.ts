/** Who acts, and where: sessions that end, people who take turns in one browser, accounts and modes beside each other. */
import { assert, describe, it } from "@effect/vitest"
import type { CreatePaymentJson } from "paymux"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { people } from "./people.ts"

const card: CreatePaymentJson = {
  amount: 1_000,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
}

const signOut = async (page: Page, url: string): Promise<void> => {
  const { origin } = new URL(url)
  const answer = await page.context().request.post(`${url}/dashboard/api/session/sign-out`, { headers: { origin } })
  assert.isBelow(answer.status(), 300)
}

const enter = async (dialog: Locator, { email, password }: { readonly email: string; readonly password: string }) => {
  await dialog.getByLabel("Email").fill(email)
  await dialog.getByLabel("Password").fill(password)
  await dialog.getByRole("button", { name: "Sign in" }).click()
}

describe.skipIf(!hasBrowser)("a session that ends (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  })
  afterAll(() => server?.close())

  it("sends a waiting refund for its own person only, not for another person who signs in", async () => {
    const { id } = await server.paymux.payments.create(card)
    const { page } = await server.open(`payments/${id}`, { role: "operator" })
    await page.getByRole("button", { name: "Refund", exact: true }).click()
    await signOut(page, server.url)
    await page.getByRole("button", { name: "Refund 10.00 EUR" }).click()
    await enter(page.getByRole("dialog", { name: "Your session has ended" }), people.owner)
    await page
      .getByRole("status")
      .filter({ hasText: `You are now ${people.owner.email}` })
      .waitFor()
    assert.deepStrictEqual((await server.paymux.refunds.search({ paymentId: id })).data, [])
  })

  it("was not begun by the identity provider: the page of the sign-in says why", async () => {
    for (const [reason, text] of [
      ["failed", "The sign-in with the identity provider failed."],
      ["no_access", "You have no access."],
      ["unavailable", "Single sign-on is temporarily unavailable"]
    ] as const) {
      const { page } = await server.open(`/dashboard/sign-in?error=${reason}`, { role: null })
      await page.getByRole("alert").filter({ hasText: text }).waitFor()
    }
    const { page } = await server.open("/dashboard/sign-in?error=another", { role: null })
    await page.getByLabel("Password").waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0)
  })

  it("in one tab leaves no customer data in another, and no page of it by the history", async () => {
    const { id } = await server.paymux.payments.create(card)
    const { page } = await server.open(`payments/${id}`, { role: "operator" })
    await page.getByText("asha@example.com").first().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.url}/dashboard/default/test/payments`)
    const link = await page.context().newPage()
    await link.goto(`${server.url}/dashboard/reset#token`)
    await other.getByRole("button", { name: /^You are/ }).click()
    await other.getByRole("menuitem", { name: "Sign out" }).click()
    for (const tab of [page, other]) {
      await tab.waitForURL(`${server.url}/dashboard/sign-in`)
      await tab.getByLabel("Password").waitFor()
      assert.notInclude(await tab.content(), "asha@example.com")
    }
    await other.goBack()
    await other.getByLabel("Password").waitFor()
    assert.notInclude(await other.content(), "asha@example.com")
    await link.getByRole("heading", { name: "Set a new password" }).waitFor()
  })

  it("hides what was read as soon as the server refuses a request, until the person signs in again", async () => {
    const { id } = await server.paymux.payments.create(card)
    const { page } = await server.open(`payments/${id}`, { role: "operator" })
    const email = page.locator("main").getByText("asha@example.com").first()
    await email.waitFor()
    await signOut(page, server.url)
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    // As when the tab is looked at again.
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
    await dialog.waitFor()
    assert.isFalse(await email.isVisible())
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByText("You are not signed in, so this page is hidden.").waitFor()
    assert.isFalse(await email.isVisible())
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await enter(dialog, people.operator)
    await email.waitFor()
  })

  it("becomes a sign-in where a password was requested meanwhile", async () => {
    const { page } = await server.open("keys", { role: "developer" })
    await page.route("**/keys", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 403, json: { code: "reauthentication_required", errors: [], detail: "", title: "" } })
        : route.fallback()
    )
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name").fill("backend")
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    const again = page.getByRole("dialog", { name: "Confirm that it is you" })
    await again.getByLabel("Password").fill(people.developer.password)
    await signOut(page, server.url)
    await page.unroute("**/keys")
    await again.getByRole("button", { name: "Confirm" }).click()
    await enter(page.getByRole("dialog", { name: "Your session has ended" }), people.developer)
    await page.getByText(/^pmx_test_\w{38}$/).waitFor()
  })

  it("is not asked again and again for what a person may not see", async () => {
    const { page } = await server.newPage()
    await server.signIn(page, "viewer")
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""))
    // As for a person with a role in some accounts only.
    await page.route("**/breakers", (route) =>
      route.fulfill({ status: 403, json: { code: "forbidden", errors: [], detail: "", title: "" } })
    )
    await page.clock.install()
    const refused = page.waitForResponse(/\/breakers$/)
    await page.goto(`${server.url}/dashboard/default/test/providers`)
    await refused
    asked.length = 0
    // After the second time, all that the first one asked has been seen.
    for (let time = 0; time < 2; time++) {
      const again = page.waitForResponse(/statistics\/totals/)
      await page.clock.runFor(31_000)
      await again
    }
    assert.notInclude(asked, "breakers")
  })

  it("asks once: a dialog that was closed stays closed while the page polls, and returns with the next page", async () => {
    const { page } = await server.open("events", { role: "viewer" })
    await page.getByRole("heading", { level: 1 }).waitFor()
    await signOut(page, server.url)
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await dialog.waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    for (let polls = 0; polls < 2; polls++) {
      await page.waitForResponse((response) => response.url().includes("/events") && response.status() === 401)
    }
    assert.isFalse(await dialog.isVisible())
    await page.getByRole("link", { name: "Refunds" }).click()
    await dialog.waitFor()
  })
})

describe.skipIf(!hasBrowser)("accounts and modes (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard({
      paymux: {
        sandbox: true,
        dashboard: {
          authenticate: () => ({
            id: "u_1",
            name: "Asha",
            role: "owner",
            accounts: ["shop_a", "shop_b"],
            modes: ["test"],
            authenticatedAt: Date.now()
          })
        }
      }
    })
  })
  afterAll(() => server?.close())

  it("keep their secrets apart: a key that was shown in one is not on the page of the other", async () => {
    const { page } = await server.newPage()
    await page.goto(`${server.url}/dashboard/shop_a/test?view=setup`)
    await page.getByRole("button", { name: "Create a test key" }).waitFor()
    await page.getByRole("button", { name: /^Account shop_a/ }).click()
    await page.getByRole("menuitem", { name: "shop_b" }).click()
    await page.waitForURL(/shop_b/)
    await page.getByRole("button", { name: "Create a test key" }).click()
    const secret = await page.locator("[data-secret]").innerText()
    assert.match(secret, /^pmx_test_\w{38}$/)
    await page.goBack()
    await page.waitForURL(/shop_a/)
    await page.getByRole("button", { name: "Create a test key" }).waitFor()
    assert.notInclude(await page.content(), secret)
  })

  it("are taken letter by letter from the address", async () => {
    const { page } = await server.newPage()
    for (const path of ["shop_a/Test/payments", "shop_a/LIVE", "shop_c/test"]) {
      await page.goto(`${server.url}/dashboard/${path}`)
      await page.getByRole("heading", { name: "Not found" }).waitFor()
    }
  })
})
