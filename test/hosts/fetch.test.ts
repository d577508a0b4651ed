import { assert, describe, it } from "@effect/vitest"
import { running } from "./Host.ts"
import type { Example } from "./Host.ts"
import { checks } from "./checks.ts"
import { opensDashboard, underPayments } from "./dashboard.ts"
import { postSigned } from "./webhook.ts"

const server = "docs/examples/fetch/server.ts"
const example: Example = { entry: ["test/hosts/serveFetch.ts", server] }

checks("plain fetch", example, { end: { code: 0, answering: false } })
opensDashboard("plain fetch", underPayments(example, "fetch/paymux.ts"))

describe("a mistake in a server of plain fetch", () => {
  const mount = "return paymux.fetch(request)"

  it("a body that was read is not there for Paymux", () =>
    running(
      { ...example, changes: [{ from: mount, to: `return request.text().then(() => paymux.fetch(request))` }] },
      async (host) => {
        assert.strictEqual((await postSigned(host)).status, 500)
      }
    ))
})
