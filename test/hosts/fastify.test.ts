import { assert, describe, it } from "@effect/vitest"
import { running } from "./Host.ts"
import type { Example } from "./Host.ts"
import { bodyOf, checks } from "./checks.ts"
import { opensDashboard, underPayments } from "./dashboard.ts"
import { postSigned } from "./webhook.ts"

const fastify: Example = { entry: ["docs/examples/fastify/server.ts"] }

checks("Fastify 5", fastify)
opensDashboard("Fastify 5", underPayments(fastify, "fastify/paymux.ts", { from: `"/v1/*"`, to: `"/payments/*"` }))

describe.concurrent("a mistake in Fastify", () => {
  const leaving = 'scope.addContentTypeParser("*", (_request, _body, done) => done(null))\n'

  it("Fastify's own parser eats what a provider signed", () =>
    running(
      { ...fastify, changes: [{ from: `scope.removeAllContentTypeParsers()\n  ${leaving}`, to: "" }] },
      async (host) => {
        assert.containsSubset(await bodyOf(await postSigned(host), 500), { code: "internal" })
        host.terminate()
        assert.include((await host.ended).errors, "Mount Paymux before body parsers")
      }
    ))

  it("without a parser of its own Fastify refuses the content type", () =>
    running({ ...fastify, changes: [{ from: leaving, to: "" }] }, async (host) => {
      assert.containsSubset(await bodyOf(await postSigned(host), 415), { code: "FST_ERR_CTP_INVALID_MEDIA_TYPE" })
    }))
})
