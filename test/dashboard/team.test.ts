/** The people of a team in the dashboard: invited, joined, changed, reset and signed out; secrets are shown once. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { codeOf } from "../../packages/paymux/test/authenticatorApp.ts"
import { liveProvider } from "../../packages/paymux/test/control/liveProvider.ts"
import { card } from "../../packages/paymux/test/card.ts"
import { reportDuplicate } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { joinByLink, signInByForm } from "./joinByLink.ts"
import { opened } from "./opened.ts"
import { pagesOf } from "./pages.ts"

const password = "correct horse battery staple"

/** What begins with one of these changes something. */
const action =
  /^(?:refund|capture|cancel|resolve|match|dismiss|invite|create|add|edit|change|publish|roll back|rotate|replace|revoke|delete|remove|disable|enable|resend|send|reset|save)\b/i

const secretOf = async (page: Page): Promise<string> => {
  const secret = page.locator("[data-secret]")
  await secret.waitFor()
  return (await secret.textContent()) ?? ""
}

/** After a secret was shown: neither a reload nor Back shows it again. */
const isGone = async (page: Page, secret: string, path: string): Promise<void> => {
  const text = async () => (await page.content()).includes(secret)
  assert.isFalse(await text())
  await page.reload({ waitUntil: "networkidle" })
  assert.isFalse(await text())
  await page.goto(path)
  await page.goBack({ waitUntil: "networkidle" })
  assert.isFalse(await text())
  assert.notInclude(page.url(), secret)
  const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
  assert.notInclude(await page.evaluate<string>(stored), secret)
}

describe.skipIf(!hasBrowser)("the team in the dashboard (Linux on x64, or CHROMIUM_PATH)", { timeout: 600_000 }, () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard({ data: "example" })
  }, 600_000)
  afterAll(() => server?.close())

  const invited = async (page: Page, email: string, role?: string): Promise<string> => {
    await page.getByRole("button", { name: "Invite a person" }).click()
    await page.getByRole("textbox", { name: "Email" }).fill(email)
    if (role !== undefined) await page.getByRole("radio", { name: role }).check()
    await page.getByRole("button", { name: "Make the link" }).click()
    const link = await secretOf(page)
    await page.getByRole("button", { name: "Done" }).click()
    return link
  }

  const choose = async (page: Page, email: string, item: string) => {
    await page.getByRole("button", { name: `Actions for ${email}` }).click()
    await page.getByRole("menuitem", { name: item }).click()
  }

  const post = (page: Page, path: string, data: object, headers: { readonly [name: string]: string } = {}) =>
    page.context().request.post(`${server.url}/dashboard/api/${path}`, {
      headers: { origin: new URL(server.url).origin, ...headers },
      data
    })

  const sessionStatus = async (cookie: string): Promise<number> =>
    (await fetch(`${server.url}/dashboard/api/session`, { headers: { cookie } })).status

  const cookieOf = async (page: Page): Promise<string> =>
    (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")

  it("shows until when an invitation holds, as a time, in the audit log", async () => {
    const { page } = await server.open("team", { role: "owner" })
    await invited(page, "timed@shop.example", "Viewer")
    await page.goto(`${server.url}/dashboard/default/test/audit`)
    await page.getByRole("button", { name: "Details" }).first().click()
    const expiry = page.getByRole("dialog").getByRole("row", { name: "expiresAt" })
    assert.match((await expiry.textContent()) ?? "", /expiresAt–\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d/)
    // On a phone it breaks between its words, and not at a colon.
    assert.strictEqual(await expiry.locator("bdi").locator("wbr").count(), 0)
  })

  it("lets an owner invite a viewer, who joins by the link, sees every page and can change nothing", async () => {
    const owner = await server.open("team", { role: "owner" })
    const email = "viewer@shop.example"
    const link = await invited(owner.page, email, "Viewer")
    const [, token = ""] = link.split("#")
    assert.isAbove(token.length, 20)
    await isGone(owner.page, token, `${server.url}/dashboard/default/test/payments`)

    const { page, problems } = await server.newPage()
    await joinByLink(page, link, { email, password })
    const pages = await pagesOf(owner.page.context().request, server.url)
    for (const { name, path } of pages.filter(({ signedOut }) => !signedOut)) {
      await opened(page, `${server.url}${path}`)
      const buttons = await page.locator("main").getByRole("button", { disabled: false }).all()
      const names = await Promise.all(
        buttons.map(async (button) => (await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "")
      )
      assert.deepStrictEqual(
        names.filter((text) => action.test(text.trim())),
        [],
        name
      )
    }
    const shop = server.paymux.forAccount("default", { mode: "test" })
    const { id } = await shop.payments.create(card)
    await reportDuplicate(server.database, id, `ch_${id}_second`)
    const { reviews, version } = await shop.reviews.get(id)
    const headers = { "if-match": `"${version}"`, "idempotency-key": crypto.randomUUID() }
    const resolution = { review: reviews[0]?.id, resolution: "given_back", evidence: "re_88" }
    const tries = [
      await post(page, `default/test/payments/${id}/refunds`, { amount: 100 }, headers),
      await post(page, `default/test/reviews/${id}/resolve`, resolution, headers),
      await post(page, "default/test/team/invitations", { email: "another@shop.example", role: "owner" }),
      await post(page, "default/test/keys", { name: "mine" })
    ]
    assert.deepStrictEqual(
      tries.map((response) => response.status()),
      [403, 403, 403, 403]
    )
    assert.strictEqual((await shop.reviews.get(id)).version, version)
    // The team and unmatched reports are not for viewers of one account: these reads are refused.
    assert.deepStrictEqual(
      problems.filter((problem) => !problem.endsWith("was answered 403.")),
      []
    )
  })

  it("lists open invitations, makes a new link that is shown once, and revokes one", async () => {
    const email = "invited@shop.example"
    const { page: owner } = await server.open("team", { role: "owner" })
    const former = await invited(owner, email, "Operator")
    const invitations = owner.getByRole("region", { name: "Invited people" })
    const row = invitations.getByRole("row").filter({ hasText: email })
    for (const text of ["Operator", "default, test", "asha.rao@shop.example", /^in [23] days$/]) {
      await row.getByRole("cell", { name: text }).waitFor()
    }
    await choose(owner, `the invitation for ${email}`, "Make a new link")
    await owner.getByRole("button", { name: "Make the link" }).click()
    const link = await secretOf(owner)
    assert.notStrictEqual(link, former)
    await owner.getByRole("button", { name: "Done" }).click()
    await isGone(owner, link.split("#")[1] ?? link, `${server.url}/dashboard/default/test/payments`)

    await choose(owner, `the invitation for ${email}`, "Revoke")
    const dialog = owner.getByRole("dialog")
    await dialog.getByRole("button", { name: "Revoke invitation" }).click()
    await dialog.waitFor({ state: "hidden" })
    await row.waitFor({ state: "hidden" })
    const { page } = await server.newPage()
    for (const each of [former, link]) {
      const token = each.split("#")[1]
      assert.strictEqual((await post(page, "sign-in/invitation", { token, password })).status(), 404)
    }
    await owner.goto(`${server.url}/dashboard/default/test/audit`)
    await owner.getByRole("row").filter({ hasText: "Revoked an invitation" }).getByText(email).waitFor()
  })

  it("shows the audit log on a phone with each address on one line", async () => {
    const { page } = await server.open("audit", { role: "owner", screen: screens.phoneLight })
    const table = page.getByRole("region", { name: "Audit log" })
    const addresses = table.locator("bdi:visible").filter({ hasText: "chinonso.okafor@shop.example" })
    await addresses.first().waitFor()
    const heights = await addresses.evaluateAll((found: ReadonlyArray<{ readonly offsetHeight: number }>) =>
      found.map(({ offsetHeight }) => offsetHeight)
    )
    // px: two lines of the smallest text are 32.
    assert.isBelow(Math.max(...heights), 24)
    const sideways = await table.evaluate(
      ({ clientWidth, scrollWidth }: { readonly clientWidth: number; readonly scrollWidth: number }) =>
        scrollWidth - clientWidth
    )
    assert.strictEqual(sideways, 0)
  })

  it("changes a role from the next request on, and removes a person", async () => {
    const email = "changed@shop.example"
    const { page: owner } = await server.open("team", { role: "owner" })
    const { page } = await server.newPage()
    await joinByLink(page, await invited(owner, email), { email, password })
    const may = async () => (await post(page, "default/test/payments/pay_none/cancel", {})).status()
    assert.strictEqual(await may(), 403)
    await owner.reload()
    await choose(owner, email, "Change role")
    const dialog = owner.getByRole("dialog")
    await dialog.getByRole("radio", { name: "Operator" }).check()
    await dialog.getByRole("button", { name: "Change role" }).click()
    await dialog.waitFor({ state: "hidden" })
    await owner.getByRole("row").filter({ hasText: email }).getByText("Operator").waitFor()
    assert.notStrictEqual(await may(), 403)

    const cookie = await cookieOf(page)
    await choose(owner, email, "Remove")
    await dialog.getByRole("button", { name: "Remove person" }).click()
    // What is behind an open dialog has no role: it seems hidden.
    await dialog.waitFor({ state: "hidden" })
    await owner.getByRole("row").filter({ hasText: email }).waitFor({ state: "hidden" })
    assert.strictEqual(await sessionStatus(cookie), 401)
  })

  it("resets a password by a link that is shown once, and ends the person's sessions", async () => {
    const email = "reset@shop.example"
    const { page: owner } = await server.open("team", { role: "owner" })
    const { page } = await server.newPage()
    await joinByLink(page, await invited(owner, email), { email, password })
    const cookie = await cookieOf(page)
    await owner.reload()
    await choose(owner, email, "Reset password")
    await owner.getByRole("button", { name: "Make the link" }).click()
    const link = await secretOf(owner)
    assert.strictEqual(await sessionStatus(cookie), 200)
    await owner.getByRole("button", { name: "Done" }).click()
    await isGone(owner, link.split("#")[1] ?? link, `${server.url}/dashboard/default/test/payments`)

    await page.goto(link)
    await page.getByLabel("New password").fill("short")
    await page.getByRole("button", { name: "Set the password" }).click()
    await page.getByText("The password must have at least 12 characters.").waitFor()
    await page.getByLabel("New password").fill("a new horse battery staple")
    await page.getByRole("button", { name: "Set the password" }).click()
    await page.getByRole("heading", { name: "Your password is set" }).waitFor()
    assert.strictEqual(await sessionStatus(cookie), 401)
    await page.getByRole("link", { name: "Sign in" }).click()
    await signInByForm(page, { email, password: "a new horse battery staple" })
  })

  it("signs out: the old cookie opens nothing any more", async () => {
    const { page } = await server.open("", { role: "developer" })
    await page.getByRole("button", { name: "You are ben@shop.example" }).click()
    const cookie = await cookieOf(page)
    assert.strictEqual(await sessionStatus(cookie), 200)
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.waitForURL("**/sign-in")
    assert.strictEqual(await sessionStatus(cookie), 401)
    await page.goto(`${server.url}/dashboard/default/test/payments`)
    await page.getByRole("heading", { name: "Sign in to Paymux" }).waitFor()
  })
})

describe.skipIf(!hasBrowser)(
  "two-factor authentication in the dashboard (Linux on x64, or CHROMIUM_PATH)",
  { timeout: 600_000 },
  () => {
    let server: DashboardServer
    beforeAll(async () => {
      server = await openDashboard({ paymux: { providers: [liveProvider], secret: "s".repeat(32), dashboard: {} } })
    })
    afterAll(() => server?.close())

    it("opens live mode with a code of an authenticator app, and shows its secrets once", async () => {
      const { page } = await server.open("/dashboard/default/live", { role: "owner" })
      await page.getByRole("heading", { name: "Live mode needs a second factor" }).waitFor()
      await page.getByRole("link", { name: "Set up two-factor authentication" }).click()
      await page.getByRole("button", { name: "Set it up" }).click()
      const secret = await secretOf(page)
      const image = page.getByRole("img", { name: "QR code with the secret below" })
      assert.isAbove(await image.evaluate((element: { readonly naturalWidth: number }) => element.naturalWidth), 0)
      await page.getByRole("textbox", { name: "Code" }).fill("abcdef")
      await page.getByRole("button", { name: "Confirm" }).click()
      await page.getByText("The code is wrong or was used before.").waitFor()
      await page.getByRole("textbox", { name: "Code" }).fill(codeOf(secret))
      await page.getByRole("button", { name: "Confirm" }).click()
      const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")
      await codes.first().waitFor()
      assert.strictEqual(await codes.count(), 10)
      const recovery = (await codes.first().textContent()) ?? ""
      const live = `${server.url}/dashboard/default/live/payments`
      await page.reload({ waitUntil: "networkidle" })
      await isGone(page, recovery, live)
      await isGone(page, secret, live)
      await page.goto(live)
      await page.getByText("Live mode: actions move real money").waitFor()
    })
  }
)
