/** Watching a payment from a page of another origin, in a browser, with the built module. */
import { assert, describe, it } from "@effect/vitest"
import { build } from "tsup"
import { createServer } from "node:http"
import type { RequestListener, Server } from "node:http"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { createPaymux } from "paymux"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser, openBrowser } from "../../../test/support/browser.ts"

const payment = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919876543210" },
  metadata: { sandbox_scenario: "undecided" }
} as const

const listening = async (handle: RequestListener): Promise<readonly [Server, string]> => {
  const server = createServer(handle).listen(0, "127.0.0.1")
  await once(server, "listening")
  // Boundary of a test: it listens on a port.
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
}

describe("@paymux/client/browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-browser-"))
  let code = ""
  beforeAll(async () => {
    await build({
      entry: [join(import.meta.dirname, "../src/browser/index.ts")],
      outDir: folder,
      format: "esm",
      platform: "browser",
      minify: true,
      silent: true,
      config: false,
      dts: false
    })
    code = readFileSync(join(folder, "index.js"), "utf8")
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is at most 3 kB, compressed", () => {
    assert.isAtMost(gzipSync(code).length, 3_000)
  })

  it.skipIf(!hasBrowser)(
    "reports each change to a page of another origin, and stops at the end (Linux on x64, or CHROMIUM_PATH)",
    async () => {
      const [shop, shopUrl] = await listening((request, response) => {
        response.setHeader("content-type", request.url === "/watch.js" ? "text/javascript" : "text/html")
        response.end(request.url === "/watch.js" ? code : "<!doctype html><link rel=icon href=data:,>")
      })
      const [server, publicUrl] = await listening((request, response) => paymux.node(request, response))
      const paymux = await createPaymux({ sandbox: true, database: ":memory:", publicUrl })
      const browser = await openBrowser()
      try {
        const { hosted_url } = await paymux.payments.create(payment)
        const page = await browser.newPage()
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        await page.goto(shopUrl)
        await page.evaluate(`import("/watch.js").then(({ watchPayment }) => {
          globalThis.seen = []
          watchPayment(${JSON.stringify(hosted_url)}, ({ status }) => globalThis.seen.push(status), { pollInterval: 50 })
        })`)
        await page.waitForFunction("globalThis.seen?.includes('pending')")
        // The stream breaks: the browser reconnects, and gets the same version of the payment again.
        const again = page.waitForResponse((response) => response.ok())
        server.closeAllConnections()
        await again
        await page.waitForTimeout(100)
        await fetch(hosted_url ?? "", {
          method: "POST",
          redirect: "manual",
          body: new URLSearchParams({ decision: "approve" })
        })
        await page.waitForFunction("globalThis.seen.includes('succeeded')")
        assert.deepStrictEqual(await page.evaluate("globalThis.seen"), ["pending", "succeeded"])
        const sent = requests.length
        await page.waitForTimeout(300)
        assert.strictEqual(requests.length, sent)
      } finally {
        await browser.close()
        for (const each of [shop, server]) {
          each.closeAllConnections()
          each.close()
        }
        await paymux.close()
      }
    }
  )

  it.skipIf(!hasBrowser)(
    "reads of the browser what a create request takes (Linux on x64, or CHROMIUM_PATH)",
    async () => {
      const [shop, shopUrl] = await listening((request, response) => {
        response.setHeader("content-type", request.url === "/facts.js" ? "text/javascript" : "text/html")
        response.end(request.url === "/facts.js" ? code : "<!doctype html><link rel=icon href=data:,>")
      })
      const paymux = await createPaymux({ sandbox: true, database: ":memory:", publicUrl: shopUrl })
      const browser = await openBrowser()
      try {
        const page = await browser.newPage({
          locale: "en-IN",
          timezoneId: "Asia/Kolkata",
          screen: { width: 390, height: 844 },
          viewport: { width: 390, height: 844 }
        })
        await page.goto(shopUrl)
        const facts = await page.evaluate('import("/facts.js").then(({ browserFacts }) => browserFacts())')
        assert.deepStrictEqual(facts, {
          language: "en-IN",
          // Chromium reports the older name of the zone.
          time_zone: "Asia/Calcutta",
          screen: { width: 390, height: 844, color_depth: 24 }
        })
        const { status } = await paymux.payments.create({ ...payment, client: facts as object })
        assert.strictEqual(status, "pending")
      } finally {
        await browser.close()
        shop.close()
        await paymux.close()
      }
    }
  )
})
