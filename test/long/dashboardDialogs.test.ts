/**
 * Every dialog and menu that a button of the dashboard opens: found by pressing each button of each page, once for each name. Nothing is
 * written: the page is kept from sending anything but reads.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { violations } from "../dashboard/axe.ts"
import { openDashboard, screens } from "../dashboard/DashboardServer.ts"
import type { DashboardServer } from "../dashboard/DashboardServer.ts"
import { opened } from "../dashboard/opened.ts"
import { pagesOf } from "../dashboard/pages.ts"
import { isWhole, slice } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"

/** Titles of what the crawl must have seen at least; ids and names in them are left out. */
const expected = [
  "Capture the payment",
  "Cancel the payment",
  "Refund the payment",
  "Payment page",
  "Create an API key",
  "Revoke an API key",
  "Remove the endpoint",
  "Edit the endpoint",
  "Send a test event",
  "Match to payment",
  "Dismiss this report",
  "Invite a person"
]

describe.skipIf(!hasBrowser)("the dialogs of the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let page: Page
  let paths: ReadonlyArray<string> = []
  beforeAll(async () => {
    server = await openDashboard({ data: "example" })
    ;({ page } = await server.newPage())
    await server.signIn(page, "owner")
    const { request } = page.context()
    const found = async (list: string, query: string) => {
      const response = await request.get(`${server.url}/dashboard/api/default/test/${list}?limit=1&${query}`)
      const [, id] = /"id":"([^"]+)"/.exec(await response.text()) ?? []
      return `/dashboard/default/test/${list}/${id ?? assert.fail(`no ${list} with ${query}`)}`
    }
    // Pages that offer what the first of their lists does not.
    const offers = await Promise.all([
      found("payments", "status=authorized"),
      found("payments", "status=pending"),
      found("reports", "statuses=parked")
    ])
    const pages = await pagesOf(request, server.url)
    paths = slice([...pages.flatMap(({ path, signedOut }) => (signedOut ? [] : [path])), ...offers], 6)
    await page.route("**/dashboard/api/**", (route) =>
      route.request().method() === "GET" ? route.continue() : route.abort()
    )
  }, 600_000)
  afterAll(() => server.close())

  it("break no rule of accessibility, and give the focus back when they close", async () => {
    const seen = new Set<string>()
    const found: Array<string> = []
    const pressed = new Set<string>()
    for (const path of paths) {
      await opened(page, `${server.url}${path}`)
      for (const button of await newButtons(page, pressed)) await press(page, button, path, { seen, found })
    }
    assert.deepStrictEqual(found, [])
    if (!isWhole()) return
    const titles = [...seen]
    assert.deepStrictEqual(
      expected.filter((title) => !titles.some((each) => each.startsWith(title))),
      [],
      titles.join(", ")
    )
  }, 600_000)

  describe("that a state of the page opens", () => {
    const visit = async (path: string) => {
      const { page } = await server.open(path, { role: "owner" })
      const result: Result = { seen: new Set(), found: [] }
      const button = (name: string) => page.getByRole("button", { name, exact: true })
      return { page, result, button }
    }

    it("to save a view", async () => {
      const { button, page, result } = await visit("payments?currency=JPY")
      await button("Save view").click()
      await checkDialog(page, button("Save view"), "payments", result)
      assert.deepStrictEqual(result.found, [])
    })

    it("while payments are exported", async () => {
      const { button, page, result } = await visit("payments")
      await page.getByRole("row").nth(1).waitFor()
      // A browser that streams asks for a file, in a window of its own.
      await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"))
      await page.route("**/payments?**", () => new Promise(() => {}))
      await button("Export").click()
      await checkDialog(page, button("Export"), "payments", result)
      assert.deepStrictEqual(result.found, [])
      assert.deepStrictEqual([...result.seen], ["Exporting payments"])
    })

    it("with the shortcuts, and to confirm an identity", async () => {
      const { button, page, result } = await visit("keys")
      await button("Create key").first().waitFor()
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
      await checkRules(page, "the shortcuts", result)
      await page.keyboard.press("Escape")
      await page.route("**/keys", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({
              status: 403,
              json: { code: "reauthentication_required", errors: [], detail: "", title: "" }
            })
          : route.fallback()
      )
      await button("Create key").click()
      await page.getByLabel("Name").fill("backend")
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
      await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor()
      await checkRules(page, "the identity", result)
      assert.deepStrictEqual(result.found, [])
    })
  })
})

interface Result {
  readonly seen: Set<string>
  readonly found: Array<string>
}

/** Buttons by what they say: that of each row opens the same dialog. */
const newButtons = async (page: Page, pressed: Set<string>): Promise<ReadonlyArray<string>> => {
  const all = await page.getByRole("button", { disabled: false }).all()
  const fresh: Array<string> = []
  for (const button of all) {
    const words = await nameOf(button)
    const kind = words.replace(/ for .*|: .*|["“\d].*/, "")
    if (words === "" || pressed.has(kind)) continue
    pressed.add(kind)
    fresh.push(words)
  }
  return fresh
}

const nameOf = async (button: Locator): Promise<string> =>
  ((await button.getAttribute("aria-label")) ?? (await button.textContent()) ?? "").trim()

const press = async (page: Page, name: string, path: string, result: Result): Promise<void> => {
  const button = page.getByRole("button", { name, exact: true, disabled: false }).first()
  if (!(await button.isVisible().catch(() => false))) return
  await button.click()
  const what = await shown(page)
  if (what === "dialog") await checkDialog(page, button, `${path} › ${name}`, result)
  if (what === "menu") await checkMenu(page, button, `${path} › ${name}`, result)
  const { pathname, search } = new URL(page.url())
  if (pathname + search !== path.replace(/\/$/, "")) await opened(page, new URL(path, page.url()).href)
}

const shown = async (page: Page): Promise<"dialog" | "menu" | "nothing"> => {
  const [dialog, menu] = [page.getByRole("dialog").first(), page.getByRole("menu").first()]
  await dialog
    .or(menu)
    .first()
    .waitFor({ timeout: 500 })
    .catch(() => {})
  if (await dialog.isVisible()) return "dialog"
  return (await menu.isVisible()) ? "menu" : "nothing"
}

const checkDialog = async (page: Page, opener: Locator, place: string, { found, seen }: Result): Promise<void> => {
  const dialog = page.getByRole("dialog").first()
  seen.add(await titleOf(page, dialog))
  await checkRules(page, place, { found })
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "hidden" })
  const isBack = await opener
    .and(page.locator(":focus"))
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false
    )
  if (!isBack) found.push(`${place}: the focus is not on the button that opened it.`)
}

/** The rules of accessibility, on a wide light screen and on a narrow dark one. */
const checkRules = async (page: Page, place: string, { found }: Pick<Result, "found">): Promise<void> => {
  for (const { colorScheme, viewport } of [screens.phoneDark, screens.desktopLight]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    for (const violation of await violations(page)) found.push(`${place} at ${viewport.width} px: ${violation}`)
  }
}

const checkMenu = async (page: Page, opener: Locator, place: string, result: Result): Promise<void> => {
  for (const violation of await violations(page)) result.found.push(`${place}: ${violation}`)
  const items = await page.getByRole("menuitem", { disabled: false }).allTextContents()
  await page.keyboard.press("Escape")
  for (const item of items.filter((text) => !leaves.has(text.trim()))) {
    if (!(await opener.isVisible())) return
    await opener.click()
    await page.getByRole("menuitem", { name: item.trim(), exact: true }).first().click()
    if ((await shown(page)) === "dialog") await checkDialog(page, opener, `${place} › ${item}`, result)
    await page.keyboard.press("Escape")
  }
}

const titleOf = async (page: Page, dialog: Locator): Promise<string> => {
  const label = await dialog.getAttribute("aria-labelledby")
  return label === null
    ? ((await dialog.getAttribute("aria-label")) ?? "")
    : ((await page.locator(`[id="${label}"]`).textContent()) ?? "")
}

/** What goes to another page. */
const leaves = new Set(["Sign out"])
