/** A served Paymux with the payment page, and a browser to open it in. */
import { AxeBuilder } from "@axe-core/playwright"
import { assert } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { openBrowser } from "../../../test/support/browser.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux, PaymuxOptions } from "../src/index.ts"

export type NewPayment = Parameters<Paymux["payments"]["create"]>[0]

export const phone = { viewport: { width: 360, height: 800 }, colorScheme: "dark" } satisfies BrowserContextOptions
export const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: "light" } satisfies BrowserContextOptions

export type CheckoutBrowser = Awaited<ReturnType<typeof openCheckout>>

export const openCheckout = async (options: PaymuxOptions<string>) => {
  const server = createServer((request, response) => paymux.node(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "string" || address === null ? 0 : address.port
  const publicUrl = `http://127.0.0.1:${port}`
  const paymux = await createPaymux<string>({ database: ":memory:", publicUrl, ...options })
  const browser = await openBrowser()

  /** A page and what went wrong in it: errors, and requests to any other server. */
  const opened = async (url: string, context: BrowserContextOptions | BrowserContext) => {
    const page = await ("newPage" in context ? context : await browser.newContext(context)).newPage()
    const wrong: Array<string> = []
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(String(error)))
    page.on("request", (request) => {
      const isOwn = request.url().startsWith(new URL(url).origin) || request.url().startsWith("data:")
      if (!isOwn) wrong.push(request.url())
    })
    await page.goto(url)
    return { page, wrong }
  }

  const created = async (payment: NewPayment) => {
    const { hosted_url, id } = await paymux.payments.create(payment)
    return { id, url: hosted_url ?? "" }
  }

  return {
    paymux,
    browser,
    publicUrl,
    opened,
    created,
    dropConnections: () => server.closeAllConnections(),
    close: async () => {
      await browser.close()
      server.closeAllConnections()
      server.close()
      await paymux.close()
    }
  }
}

/** Decides as the payer would in an app: not on the page. */
export const decide = (url: string, decision: "approve" | "decline" | "expire") =>
  fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams({ decision }) })

export const ends = async (page: Page, title: string) => {
  await page.locator("h1", { hasText: title }).waitFor({ timeout: 30_000 })
  assert.strictEqual(await page.locator("#announce").textContent(), title)
}

/** What axe finds against WCAG 2.2 AA. */
export const violations = async (page: Page) =>
  (
    await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze()
  ).violations.map(({ help, id, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(" ")})`)
