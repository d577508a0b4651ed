/** The dashboard in a host, as a browser sees it. */
import { assert, describe, it } from "@effect/vitest"
import { recorded } from "../dashboard/RecordedPage.ts"
import { hasBrowser, openBrowser } from "../support/browser.ts"
import { running } from "./Host.ts"
import type { Change, Example } from "./Host.ts"

/** The example with Paymux under `/payments`. `file` calls `createPaymux`; `mount` is what else changes there. */
export const underPayments = (example: Example, file: string, ...mount: ReadonlyArray<Change>): Example => {
  const from = "publicUrl: `http://localhost:${port}`"
  return { ...example, changes: [{ file, from, to: `${from}, basePath: "/payments"` }, ...mount] }
}

export const opensDashboard = (name: string, example: Example, basePath: "" | "/payments" = "/payments"): void => {
  describe.skipIf(!hasBrowser)(`the dashboard in ${name} (Linux on x64, or CHROMIUM_PATH)`, { timeout: 60_000 }, () => {
    it(`signs people in ${basePath === "" ? "at the root" : `under ${basePath}`}, with no error and no request elsewhere`, () =>
      running(example, async ({ url }) => {
        const browser = await openBrowser()
        try {
          const { page, problems } = recorded(await browser.newPage(), url)
          await page.goto(`${url}${basePath}/dashboard/default/test/payments`)
          await page.getByRole("heading", { name: "Sign in to Paymux" }).waitFor()
          assert.strictEqual(new URL(page.url()).pathname, `${basePath}/dashboard/sign-in`)
          assert.deepStrictEqual(problems, [])
        } finally {
          await browser.close()
        }
      }))
  })
}
