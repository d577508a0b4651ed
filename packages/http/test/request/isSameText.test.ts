import { assert, it } from "@effect/vitest"
import { isSameText } from "../../src/request/isSameText.ts"

it("texts are the same when every character is", () => {
  assert.isTrue(isSameText("secret", "secret"))
  for (const other of ["secreT", "Secret", "secre", "secret ", "", "sécret"])
    assert.isFalse(isSameText("secret", other))
})
