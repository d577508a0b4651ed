import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { beforeAll } from "vitest"
import { root, running } from "./Host.ts"
import type { Example } from "./Host.ts"
import { bodyOf, checks } from "./checks.ts"
import { opensDashboard, underPayments } from "./dashboard.ts"
import { postSigned } from "./webhook.ts"

const nestjs: Example = { entry: ["docs/examples/nestjs/dist/main.mjs"] }

const mount = String.raw`express.all(/^\/(?:v1|webhooks|return|pay|sandbox|docs\/problems|dashboard)(?:\/|$)/, paymux.node)`

beforeAll(() => {
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const cwd = join(root, "docs/examples/nestjs")
  const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd, encoding: "utf8" })
  assert.strictEqual(status, 0, stdout)
})

checks("NestJS 12", nestjs)
opensDashboard(
  "NestJS 12",
  underPayments(nestjs, "dist/paymux.mjs", { from: mount, to: 'express.use("/payments", paymux.node)' })
)

describe("a mistake in NestJS", () => {
  const middleware = `Shop.prototype.configure = (consumer) => {
    consumer.apply(paymux.node).forRoutes({ path: "webhooks/*path", method: 1 }) // RequestMethod.POST
  }`

  it("a middleware of a module stands behind Nest's parsers", () =>
    running({ ...nestjs, changes: [{ from: mount, to: middleware }] }, async (host) => {
      assert.containsSubset(await bodyOf(await postSigned(host), 500), { code: "internal" })
      host.terminate()
      assert.include((await host.ended).errors, "Mount Paymux before body parsers")
    }))
})
