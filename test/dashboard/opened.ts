/** Opens an address of the dashboard and waits for what the page shows, not for a time. */
import type { Page } from "playwright-core"

/** Until nothing is loaded any more and the heading of the page stands. Also if only what is behind `#` differs. */
export const opened = async (page: Page, url: string): Promise<void> => {
  await page.goto("about:blank")
  await page.goto(url, { waitUntil: "networkidle" })
  await page.locator("h1").first().waitFor()
}
