import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { parse, parseObject } from "../../src/request/StrictJson.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const refusal = (text: string | Uint8Array, maxDepth?: number) => {
  const input = typeof text === "string" ? bytes(text) : text
  const result = parse(input, maxDepth === undefined ? {} : { maxDepth })
  if (Result.isSuccess(result)) return null
  const { code, offset, pointer } = result.failure
  return { code, offset, pointer }
}

const value = (text: string) => Result.getOrThrow(parse(bytes(text)))

const nativeOrNull = (text: string) => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

describe("StrictJson.parse", () => {
  it("reads every document that JSON.stringify writes, as JSON.parse does", () => {
    // Numbers beyond the exact integers, NUL, `__proto__` and depth are what it refuses by design.
    const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true }))
    const string = fc.string({ unit: "grapheme", maxLength: 20 }).filter((s) => !s.includes("\u0000"))
    const key = string.filter((s) => s !== "__proto__" && s !== "prototype")
    const { document } = fc.letrec((tie) => ({
      document: fc.oneof(
        { maxDepth: 6, depthSize: "small" },
        fc.constantFrom(null, true, false),
        number,
        string,
        fc.array(tie("document"), { maxLength: 5 }),
        fc.dictionary(key, tie("document"), { maxKeys: 30 })
      )
    }))
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 1, "\t", "\r\n "), (document, indent) => {
        const text = JSON.stringify(document, null, indent)
        assert.deepStrictEqual(value(text), JSON.parse(text))
      }),
      { numRuns: 2000 }
    )
  })

  it("whatever it accepts JSON.parse accepts too, and what JSON.parse refuses it refuses", () => {
    const unit = fc.constantFrom(
      ...Array.from('{}[],:"\\ntrufalse0123456789.eE+-bu/ \t\n\r\u0001é😀'),
      '"a":',
      "\\u00",
      "\\ud83d",
      "[["
    )
    const noise = fc.array(unit, { maxLength: 12 }).map((units) => units.join(""))
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), fc.string({ unit, maxLength: 2 }))
      .map(([json, at, count, noise]) => {
        const start = json.length === 0 ? 0 : at % json.length
        return json.slice(0, start) + noise + json.slice(start + count)
      })
    fc.assert(
      fc.property(fc.oneof(noise, broken), (text) => {
        if (!text.isWellFormed()) return
        const native = nativeOrNull(text)
        const strict = parse(bytes(text))
        if (Result.isSuccess(strict)) {
          assert.isNotNull(native)
          assert.deepStrictEqual(strict.success, native?.value)
        } else if (native !== null) {
          assert.notInclude(["syntax", "trailing_data", "empty", "invalid_utf8"], strict.failure.code)
        }
      }),
      { numRuns: 20_000 }
    )
  })

  it.each([
    ["", "empty"],
    [" \r\n\t", "empty"],
    ['{"a":', "syntax"],
    ['{"a"}', "syntax"],
    ["{a:1}", "syntax"],
    ["{'a':1}", "syntax"],
    ['{"a":1,}', "syntax"],
    ["[1,]", "syntax"],
    ["[1 2]", "syntax"],
    ["[1}", "syntax"],
    ["{}}", "trailing_data"],
    ['{"a":1} {"a":2}', "trailing_data"],
    ["{}\u0000", "trailing_data"],
    ["NaN", "syntax"],
    ["-", "syntax"],
    ["01", "syntax"],
    ["+1", "syntax"],
    ["1.", "syntax"],
    [".5", "syntax"],
    ["1e", "syntax"],
    ["0x10", "trailing_data"],
    ["Infinity", "syntax"],
    ["tru", "syntax"],
    ['"a', "syntax"],
    ['"\\', "syntax"],
    ['"\\x41"', "syntax"],
    ['"\\u12g4"', "syntax"],
    ['"tab\tinside"', "syntax"],
    ['"nul\u0000inside"', "syntax"],
    ["/* c */ {}", "syntax"],
    ["\u00a0{}", "syntax"],
    ["\ufeff{}", "byte_order_mark"]
  ])("%j is refused as %s", (text, code) => {
    assert.strictEqual(refusal(text)?.code, code)
  })

  it.each([
    ['{"amount":1,"amount":2}', "/amount", 12],
    ['{"a":{"b":1,"c":[{},{"d":0,"d":0}]}}', "/a/c/1/d", 27],
    ['{"a":1,"\\u0061":2}', "/a", 7],
    ['{"é":{"ü":1,"\\u00fc":2}}', "", 14],
    ['{"a/b~c":1,"a/b~c":1}', "/a~1b~0c", 11],
    ['{"":1,"":1}', "/", 6]
  ])("a key that stands twice in one object is refused where it stands: %s", (text, pointer, offset) => {
    assert.deepStrictEqual(refusal(text), { code: "duplicate_key", pointer, offset })
  })

  it("the same key in different objects is no duplicate", () => {
    assert.deepStrictEqual(value('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":3}}'), {
      a: { a: [{ a: 1 }, { a: 2 }] },
      b: { a: 3 }
    })
  })

  it("a duplicate is found among any number of keys", () => {
    for (const count of [1, 15, 16, 17, 40, 5000]) {
      const keys = Array.from({ length: count }, (_, i) => `"k${i}":{"k0":${i}}`)
      assert.isNull(refusal(`{${keys.join()}}`))
      assert.deepInclude(refusal(`{${[...keys, `"k${count - 1}":1`].join()}}`), { code: "duplicate_key" })
      assert.deepInclude(refusal(`{${[...keys, '"k0":1'].join()}}`), { code: "duplicate_key" })
    }
  })

  it.each([
    ['{"__proto__":{"admin":true}}', "/__proto__"],
    ['{"a":[{"\\u005f_proto__":1}]}', "/a/0/__proto__"],
    ['{"constructor":{"prototype":{}}}', "/constructor/prototype"]
  ])("a key that reaches a prototype is refused anywhere: %s", (text, pointer) => {
    assert.deepInclude(refusal(text), { code: "forbidden_key", pointer })
  })

  it("`constructor` and `prototype` are ordinary keys when neither is in the other", () => {
    assert.isNull(refusal('{"constructor":"Skoda","prototype":{"constructor":1},"a":{"prototype":2}}'))
  })

  it.each(["\\ud83d", "\\ude00", "\\ud83d\\u0041", "\\ude00\\ud83d", "\\ud83dx", "\\uD83D\\uD83D"])(
    "half of a surrogate pair is refused in values and in keys: %s",
    (escaped) => {
      assert.deepInclude(refusal(`{"name":"${escaped}"}`), { code: "lone_surrogate", pointer: "/name" })
      assert.deepInclude(refusal(`{"name":1,"${escaped}":1}`), { code: "lone_surrogate", pointer: "" })
    }
  )

  it("whole pairs are read, escaped or not", () => {
    assert.deepStrictEqual(value('["\\ud83d\\ude00","😀"]'), ["😀", "😀"])
  })

  it("NUL is refused in values and in keys", () => {
    assert.deepInclude(refusal('{"a":"b\\u0000"}'), { code: "nul_character", pointer: "/a", offset: 7 })
    assert.deepInclude(refusal('{"\\u0000":1}'), { code: "nul_character", pointer: "" })
    assert.deepStrictEqual(value('"\\\\u0000"'), "\\u0000")
  })

  it.each([
    [[0x7b, 0xff, 0x7d], 1],
    [[0x22, 0xc0, 0x80, 0x22], 1],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    [[0x22, 0x61, 0xf4, 0x90, 0x80, 0x80, 0x22], 2],
    [[0x22, 0xe2, 0x82], 3]
  ])("invalid UTF-8 %j is refused", (body, reach) => {
    const refused = refusal(new Uint8Array(body))
    assert.strictEqual(refused?.code, "invalid_utf8")
    // A decoder may report a sequence at its first byte or at the byte that breaks it.
    assert.isAtLeast(refused?.offset ?? -1, reach)
    assert.isBelow(refused?.offset ?? 99, body.length + 1)
  })

  it.each([
    "9007199254740992",
    "-9007199254740993",
    "1e16",
    "1e400",
    "-1E400",
    "1e-400",
    "1.00000000000000000001",
    "9007199254740991.4",
    "100000000000000000000000"
  ])("the number %s, which a double does not hold, is refused", (token) => {
    assert.deepStrictEqual(refusal(`{"amount":${token}}`), {
      code: "number_out_of_range",
      pointer: "/amount",
      offset: 10
    })
  })

  it.each([
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["1e3", 1000],
    ["1E+3", 1000],
    ["1.5e1", 15],
    ["10000000000000000000e-16", 1000],
    ["1000.000000000000000000", 1000],
    ["0e999999999999", 0],
    ["0.3000000000000000000001", 0.3],
    ["-0", -0]
  ])("the number %s is read", (token, number) => {
    assert.strictEqual(value(token), number)
  })

  it("depth is bounded: 32 by default, and any depth is refused or read without using the stack", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    assert.isNull(refusal(nested(32)))
    assert.deepInclude(refusal(nested(33)), { code: "too_deep", offset: 32 })
    assert.deepInclude(refusal(nested(10_000)), { code: "too_deep" })
    assert.deepInclude(refusal('{"a":'.repeat(10_000)), { code: "too_deep" })
    assert.isNull(refusal(nested(10_000), 10_000))
    assert.deepInclude(refusal("[".repeat(10_000), 10_000), { code: "syntax", offset: 10_000 })
  })

  it("offsets count bytes, pointers count array elements", () => {
    assert.deepStrictEqual(refusal('{"é😀":[1,[2,{"a":tru}]]}'), { code: "syntax", offset: 21, pointer: "" })
    assert.deepStrictEqual(refusal('{"k":[1,[2,{"a":tru}]]}'), { code: "syntax", offset: 16, pointer: "/k/1/1/a" })
  })

  it("a pointer repeats no key that could be a card number, nor a long one", () => {
    const card = "4111 1111 1111 1111"
    assert.deepInclude(refusal(`{"metadata":{"${card}":1,"${card}":2}}`), {
      code: "duplicate_key",
      pointer: "/metadata"
    })
    assert.deepInclude(refusal(`{"${"x".repeat(65)}":{"a":-}}`), { code: "syntax", pointer: "" })
  })

  it("a message repeats nothing of the body", () => {
    const result = parse(bytes('{"card":"4111111111111111'))
    assert.isTrue(Result.isFailure(result))
    assert.notInclude(JSON.stringify(result), "4111")
  })
})

describe("StrictJson.parseObject", () => {
  it.each(["[]", "null", "1", '"a"', "true", "[{}]"])("%s is no object", (text) => {
    const result = parseObject(bytes(text))
    assert.strictEqual(Result.isFailure(result) ? result.failure.code : null, "not_an_object")
  })

  it("an object is read, and the faults of `parse` come first", () => {
    assert.deepStrictEqual(Result.getOrThrow(parseObject(bytes('{"a":[]}'))), { a: [] })
    const result = parseObject(bytes("[1,"))
    assert.strictEqual(Result.isFailure(result) ? result.failure.code : null, "syntax")
  })
})
