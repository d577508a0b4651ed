import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as FormEncoding from "../src/FormEncoding.ts"

const encoded = (form: FormEncoding.Form) => Result.getOrThrow(FormEncoding.encode(form))
const reason = (form: FormEncoding.Form) => {
  const result = FormEncoding.encode(form)
  return Result.isFailure(result) ? result.failure.reason : `accepted ${result.success}`
}

describe("FormEncoding", () => {
  it("nests with brackets, in order of keys", () => {
    assert.strictEqual(
      encoded({
        currency: "inr",
        amount: 1000n,
        metadata: { order: "7 & more", b: true },
        expand: ["customer", "latest_charge"],
        automatic_payment_methods: { enabled: true },
        list: [{ price: "p", quantity: 2 }],
        absent: undefined,
        empty: {},
        unset: ""
      }),
      [
        "amount=1000",
        "automatic_payment_methods[enabled]=true",
        "currency=inr",
        "expand[0]=customer&expand[1]=latest_charge",
        "list[0][price]=p&list[0][quantity]=2",
        "metadata[b]=true&metadata[order]=7%20%26%20more",
        "unset="
      ].join("&")
    )
  })

  it("a list of more than ten keeps its order", () => {
    const items = Array.from({ length: 12 }, (_, index) => `i${index}`)
    assert.deepStrictEqual([...new URLSearchParams(encoded({ items })).values()], items)
  })

  it("equal content gives equal bytes, whatever the order it was made in", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.dictionary(keys, FastCheck.dictionary(keys, texts)), (form) => {
        const reversed = Object.fromEntries(
          Object.entries(form)
            .toReversed()
            .map(([key, inner]) => [key, Object.fromEntries(Object.entries(inner).toReversed())])
        )
        assert.strictEqual(encoded(reversed), encoded(form))
      })
    )
  })

  it("an independent reader gets every text back, and nothing more", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.dictionary(keys, texts), (metadata) => {
        const read = [...new URLSearchParams(encoded({ metadata }))].map(([name, text]) => [name.slice(9, -1), text])
        assert.deepStrictEqual(Object.fromEntries(read), { ...metadata })
        assert.strictEqual(read.length, Object.keys(metadata).length)
      })
    )
  })

  it("a key that would be read as another field is refused", () => {
    for (const key of ["a][b", "a[b]", "]", ""]) {
      assert.strictEqual(reason({ metadata: { [key]: "1" } }), "key", key)
      assert.strictEqual(reason({ [key]: "1" }), "key", key)
    }
  })

  it("fractions, numbers that lost digits, lone surrogates and endless nesting are refused", () => {
    for (const amount of [1.5, Number.NaN, Infinity, 2 ** 53]) assert.strictEqual(reason({ amount }), "number")
    assert.strictEqual(reason({ text: "\ud800" }), "text")
    assert.strictEqual(reason({ "\ud800": "1" }), "text")
    const circular: Record<string, FormEncoding.FormValue> = {}
    circular["self"] = circular
    assert.strictEqual(reason(circular), "depth")
  })
})

const keys = FastCheck.string({ unit: "grapheme", minLength: 1 }).filter(
  (key) => !/[[\]]/.test(key) && key !== "__proto__"
)
const texts = FastCheck.string({ unit: "grapheme" })
