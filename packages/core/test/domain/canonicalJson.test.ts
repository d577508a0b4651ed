import { assert, describe, it } from "@effect/vitest"
import { canonicalJson } from "../../src/domain/sha256.ts"

describe("canonical JSON", () => {
  it("is the same text for equal values, whatever the order of their keys", () => {
    const text = '{"B":null,"a":[2,{"x":"ü","y":true},1],"b":{}}'
    assert.strictEqual(canonicalJson({ a: [2, { y: true, x: "ü" }, 1], B: null, b: {} }), text)
    assert.strictEqual(canonicalJson({ b: {}, B: null, a: [2, { x: "ü", y: true }, 1] }), text)
  })

  it("keeps the order and the kind of a list", () => {
    assert.strictEqual(canonicalJson([2, 1]), "[2,1]")
    assert.strictEqual(canonicalJson([]), "[]")
    assert.notStrictEqual(canonicalJson([1]), canonicalJson({ 0: 1 }))
  })

  it("leaves out members without a value", () => {
    assert.strictEqual(canonicalJson({ a: undefined, b: 1 }), '{"b":1}')
  })

  it("is a text also of what is no object", () => {
    assert.deepStrictEqual([null, 1, "a", false].map(canonicalJson), ["null", "1", '"a"', "false"])
  })
})
