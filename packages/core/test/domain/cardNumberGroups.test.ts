import { assert, describe, it } from "@effect/vitest"
import { findRawCardData } from "../../src/domain/RawCardData.ts"

const isFound = (text: string) => findRawCardData({ metadata: { note: text } }) !== null

describe("the groups of a card number", () => {
  it("are not joined over a fraction between them", () => {
    assert.isTrue(isFound("4111 111111111111"))
    assert.isFalse(isFound("4111.123456789012 111111111111"))
  })

  it("are held apart by spaces of any script", () => {
    assert.isTrue(isFound("№ 5 4111111111111111"))
    assert.isTrue(isFound("№ 5\u20034111111111111111"))
  })
})
