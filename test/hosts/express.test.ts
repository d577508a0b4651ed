import { assert, describe, it } from "@effect/vitest"
import { running } from "./Host.ts"
import type { Example } from "./Host.ts"
import { bodyOf, createPayment, checks } from "./checks.ts"
import { opensDashboard, underPayments } from "./dashboard.ts"
import { postSigned } from "./webhook.ts"

const express: Example = { entry: ["docs/examples/express/server.ts"] }
const express4: Example = { ...express, instead: { express: "express-4" } }

checks("Express 5", express)
checks("Express 4", express4)
opensDashboard("Express 5", underPayments(express, "express/paymux.ts"))

const mount = `app.use((request, response, next) => {
  if (paymux.owns(request.path)) paymux.node(request, response)
  else next()
})`

describe.concurrent("a mistake in Express", () => {
  it("a parser before Paymux eats what a provider signed, and the log says so", () =>
    running({ ...express, changes: [{ from: mount, to: `app.use(express.json())\n${mount}` }] }, async (host) => {
      assert.containsSubset(await bodyOf(await postSigned(host), 500), { code: "internal" })
      assert.containsSubset(await bodyOf(await createPayment(host), 500), {
        code: "internal",
        detail:
          "The host read the body before Paymux could. Mount Paymux before body parsers such as express.json(), or mount those on other paths only."
      })
      host.terminate()
      assert.include((await host.ended).errors, "Mount Paymux before body parsers")
    }))

  it("app.use with a path takes the path away", () =>
    running({ ...express, changes: [{ from: mount, to: 'app.use("/v1", paymux.node)' }] }, async (host) => {
      assert.containsSubset(await bodyOf(await createPayment(host), 404), { code: "not_found" })
    }))
})
