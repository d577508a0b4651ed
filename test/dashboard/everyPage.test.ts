/** Every page of the dashboard, with a month of data, on a desktop and a phone, in light and dark. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { amount } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { layoutShift, overflow, violations } from "./axe.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { opened } from "./opened.ts"
import { pagesOf } from "./pages.ts"
import type { DashboardPage } from "./pages.ts"
import type { RecordedPage } from "./RecordedPage.ts"

const tried = Object.entries(screens).filter(([name]) => amount({ part: name === "desktopLight", all: true }))
/** Tabs: a page waits half a second until it is known that nothing more is loaded. */
const atOnce = 3

describe.skipIf(!hasBrowser)("every page of the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  const tabs: Array<{ readonly signedIn: RecordedPage; readonly signedOut: RecordedPage }> = []
  let pages: ReadonlyArray<DashboardPage> = []
  beforeAll(async () => {
    server = await openDashboard({ data: "example" })
    for (let tab = 0; tab < atOnce; tab++) {
      const signedIn = await server.newPage()
      await server.signIn(signedIn.page, "owner")
      tabs.push({ signedIn, signedOut: await server.newPage() })
      pages = await pagesOf(signedIn.page.context().request, server.url)
    }
  }, 600_000)
  afterAll(() => server.close())

  /** What is wrong with the page as it is on its first screen. */
  const wrong = async ({ page, problems }: RecordedPage, path: string): Promise<ReadonlyArray<string>> => {
    const before = problems.length
    await opened(page, `${server.url}${path}`)
    const shift = await layoutShift(page)
    const sideways = await overflow(page)
    const headings = await page.locator("h1").count()
    const title = await page.title()
    return [
      ...problems.slice(before),
      ...(shift > 0.05
        ? [`It moves while it loads: its layout shift is ${shift.toFixed(3)}, at most 0.05 is good.`]
        : []),
      ...(sideways > 0 ? [`It is ${sideways} px wider than the screen.`] : []),
      ...(headings === 1 ? [] : [`It has ${headings} headings h1.`]),
      ...(title === "" ? ["It has no title."] : []),
      ...(await violations(page))
    ]
  }

  for (const [name, { colorScheme, viewport }] of tried) {
    it(`is accessible, keeps still, and does nothing wrong (${name})`, async () => {
      const found: { [page: string]: ReadonlyArray<string> } = {}
      const left = pages.values()
      const inOneTab = async ({ signedIn, signedOut }: (typeof tabs)[number]) => {
        for (const { name, path, signedOut: isSignedOut } of left) {
          const recorded = isSignedOut ? signedOut : signedIn
          await recorded.page.setViewportSize(viewport)
          await recorded.page.emulateMedia({ colorScheme })
          const sentences = await wrong(recorded, path)
          if (sentences.length > 0) found[name] = sentences
        }
      }
      await Promise.all(tabs.map(inOneTab))
      assert.deepStrictEqual(found, {})
    }, 600_000)
  }
})
