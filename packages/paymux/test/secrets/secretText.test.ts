/** PAYMUX_SECRET: a secret of any characters, or a list. */
import { assert, describe, it } from "@effect/vitest"
import { readSecretText } from "../../src/options/secretOption.ts"

describe("PAYMUX_SECRET", () => {
  it.each(["a secret of at least 32 characters", "with, commas; and spaces", "[in brackets]", "[", "{}", ""])(
    "%j is one secret",
    (text) => assert.strictEqual(readSecretText(text), text)
  )

  it.each([
    ['["new","old"]', ["new", "old"]],
    [' [ "new" ]\n', ["new"]],
    ["[]", []]
  ])("%j is a list", (text, list) => assert.deepStrictEqual(readSecretText(text), list))

  it.each(['["new","old"', '["new",5]', '["new" "old"]', "[] x"])("%j is refused", (text) =>
    assert.isNull(readSecretText(text))
  )
})
