import { assert, describe, it } from "@effect/vitest"
import { running } from "./Host.ts"
import type { Example } from "./Host.ts"
import { bodyOf, createPayment, checks } from "./checks.ts"
import { opensDashboard, underPayments } from "./dashboard.ts"
import { postSigned } from "./webhook.ts"

const hono: Example = { entry: ["docs/examples/hono/server.ts"] }

checks("Hono", hono)
opensDashboard("Hono", underPayments(hono, "hono/paymux.ts"))

describe.concurrent("a mistake in Hono", () => {
  const made = "const app = new Hono()\n"
  const mount = "app.use((context, next) => (paymux.owns(context.req.path) ? paymux.fetch(context.req.raw) : next()))"

  it("a middleware that reads the body leaves nothing of what a provider signed", () => {
    const reading = `app.use(async (context, next) => {\n  await context.req.text()\n  await next()\n})\n`
    return running({ ...hono, changes: [{ from: made, to: made + reading }] }, async (host) => {
      assert.isAtLeast((await postSigned(host)).status, 400)
    })
  })

  it("app.mount with a path takes the path away", () =>
    running({ ...hono, changes: [{ from: mount, to: 'app.mount("/v1", paymux.fetch)' }] }, async (host) => {
      assert.containsSubset(await bodyOf(await createPayment(host), 404), { code: "not_found" })
    }))
})
