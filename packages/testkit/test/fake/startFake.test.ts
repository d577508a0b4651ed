import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"

const fake = new URL("../../src/fake/index.ts", import.meta.url).href

/** A program that asks a fake once, on a connection that is kept, and does not close it. */
const program = `
import { fakeProvider, startFake } from ${JSON.stringify(fake)}
const { vendor } = await startFake(fakeProvider({
  credentials: { test: { apiKey: "acme_test_1" }, live: { apiKey: "acme_live_1" } },
  authenticates: () => true,
  declineCodes: [],
  routes: { "GET /v1/ping": () => ({ status: 200 }) }
}))
const { status } = await fetch(vendor.url + "/v1/ping")
console.log(status)
`

describe("startFake", () => {
  it("does not keep the program alive", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const [printed] = await once(child.stdout, "data")
      assert.strictEqual(String(printed).trim(), "200")
      assert.deepStrictEqual(await once(child, "exit"), [0, null])
    } finally {
      child.kill("SIGKILL")
    }
  })
})
