/** A parameter that is not known is named, unless what stands there may be a secret. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { unknownParameter } from "../../src/request/QueryParameters.ts"
import { TestServer } from "../support/server.ts"

describe("an unknown parameter", () => {
  it.each(["stauts", "created-after", "createdAfter", "starting_aftr", "x"])("%s is named", (name) => {
    assert.deepStrictEqual(unknownParameter(name), { pointer: name, message: "is not a known parameter" })
  })

  it.each([
    "",
    "917",
    "hunter2",
    "4242424242424242",
    "pmx_test_abcdefghijklmnopqrstuvwxyzabcdefghijkl",
    "asha@example.com",
    "__proto__",
    "a b",
    "a\n",
    "\u001b[2J",
    "sch\u00fcssel",
    "a".repeat(33)
  ])("%j is not repeated", (name) => {
    assert.deepStrictEqual(unknownParameter(name), { pointer: "", message: "a parameter is not known" })
  })
})

layer(TestServer.layer(), { excludeTestServices: true })("over HTTP", (it) => {
  it.effect.each(["/v1/payments", "/v1/payments/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/refunds"])("%s names it", (path) =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      const refused = yield* ask({ path: `${path}?stauts=turquoise&stauts=b&hunter2=x` })
      assert.strictEqual(refused.status, 400)
      const { code, errors } = JSON.parse(refused.text)
      assert.strictEqual(code, "invalid_request")
      assert.deepStrictEqual(errors, [unknownParameter("stauts"), unknownParameter("hunter2")])
      assert.notMatch(refused.text, /turquoise|hunter/)
    })
  )
})
