/** The shop among the examples, in a process of its own: an order, the payment page, and the way back. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join, resolve } from "node:path"
import { hasBrowser, openBrowser } from "../support/browser.ts"
import { freePort } from "../support/freePort.ts"

const example = join(resolve(import.meta.dirname, "../.."), "docs/examples/shop/shop.ts")

describe("docs/examples/shop", () => {
  it.skipIf(!hasBrowser)(
    "sells by UPI and by card: its customer pays on the payment page and returns (Linux on x64, or CHROMIUM_PATH)",
    async () => {
      const port = await freePort()
      const shop = spawn(process.execPath, [example], { env: { ...process.env, PORT: String(port) } })
      const browser = await openBrowser()
      try {
        const lines = shop.stdout.setEncoding("utf8")[Symbol.asyncIterator]()
        assert.include(String((await lines.next()).value), `http://localhost:${port}`)
        for (const method of ["Pay by UPI", "Pay by card"]) {
          const page = await browser.newPage()
          await page.goto(`http://127.0.0.1:${port}/`)
          await page.click(`text=${method}`)
          await page.locator("h1").waitFor()
          assert.include(await page.title(), "Chai & Co.")
          await page.locator("button", { hasText: "Approve" }).click()
          await page.locator("a", { hasText: "Return to the shop" }).click()
          await page.locator("text=Thank you!").waitFor()
          await page.close()
        }
      } finally {
        await browser.close()
        shop.kill("SIGTERM")
      }
      assert.deepStrictEqual(await once(shop, "exit"), [0, null])
    }
  )
})
