/** The text of a rules file: what it becomes, what is refused with which words, and where each problem is shown. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { readRules } from "../../src/rules/RulesDocument.ts"
import type { RulesDocument } from "../../src/rules/RulesDocument.ts"

const taken = (text: string, file = "routing.yaml"): RulesDocument =>
  Result.getOrThrowWith(readRules(text, file), (faults) => new Error(JSON.stringify(faults)))

/** As they are printed after the name of the file. */
const refusals = (text: string, file = "routing.yaml"): ReadonlyArray<string> => {
  const read = readRules(text, file)
  if (Result.isSuccess(read)) return []
  return read.failure.map(({ message, position }) =>
    position === null ? message : `${position.line}:${position.column} ${message}`
  )
}

const at = (document: RulesDocument, ...path: ReadonlyArray<string | number>): string => {
  const { column, line } = document.locate({ path })
  return `${line}:${column}`
}

const EMPTY = "is empty: rules have at least `version: 1` and a `default`"
const TAG = "tags are not supported"
const TWICE = "this key is in the mapping twice"
const DEEP = "is nested more than 64 levels deep"
const BRACKET = "a bracket above is not closed, or what is in it is not indented"
const NESTED = "a mapping cannot begin here: put it on a line of its own, or put the text in quotes"

const bomb = (levels: number): string =>
  ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
    .concat(Array.from({ length: levels }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(", ")}]`))
    .join("\n")

describe("YAML that is refused", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["an empty file", "", [EMPTY]],
    ["nothing but comments", "# rules\n\n# come later\n", [EMPTY]],
    ["an empty document", "---\n", [EMPTY]],
    ["null", "null\n", [EMPTY]],
    ["a key that is twice", "version: 1\nrules: []\nversion: 1", [`3:1 ${TWICE}`]],
    ["a key that is twice, deep in brackets", 'a:\n  - { b: 1, "b": 2 }', [`2:13 ${TWICE}`]],
    ["a tab as indentation", "rules:\n\t- name: x", ["2:1 a tab cannot indent: use spaces"]],
    ["indentation that fits nothing", "a:\n  b: 1\n c: 2", ["3:1 the indentation does not fit the lines above"]],
    ["items that begin at different columns", "a:\n  - 1\n - 2", ["3:1 the indentation does not fit the lines above"]],
    [
      "a key of an item, a space too far left",
      "rules:\n  - name: a\n    when: {}\n   choose: {}\n",
      ["4:1 the indentation does not fit the lines above"]
    ],
    [
      "a colon without a space",
      "- name:euros\n  when: {}",
      ["1:3 a key must be on one line, with a space after its `:`"]
    ],
    ["a colon without a space in braces", "a: { currency:EUR }", ["1:6 a space is missing after the `:`"]],
    [
      "a comma in a number in braces",
      "a: { percent: 2,9 }",
      ["1:17 a comma begins the next entry: decimals have a point, as in 2.9, and thousands no mark"]
    ],
    ["a point between thousands", "a: 500.000", ["1:4 thousands are written without a point: 500000, not 500.000"]],
    ["a second document", "a: 1\n---\nb: 2", ["2:1 a second document begins here; a file has one"]],
    ["an empty second document", "a: 1\n---\n", ["2:1 a second document begins here; a file has one"]],
    ["a number as a key", "a:\n  1: x", ["2:3 a key must be text: put it in quotes"]],
    ["true as a key", "true: x", ["1:1 a key must be text: put it in quotes"]],
    ["no key", ": x", ["1:1 a key must be text: put it in quotes"]],
    ["a list as a key", "? [a]\n: b", ["1:3 a key must be text"]],
    ["an alias as a key", "a: &a x\n*a : b", ["2:1 a key must be text"]],
    [
      "a merge key",
      "a: &a { b: 1 }\nc:\n  <<: *a",
      ["3:3 there are no merge keys in YAML 1.2: write out what `<<` stands for"]
    ],
    ["binary data", "a: !!binary aGVsbG8=", [`1:4 ${TAG}`]],
    ["a tag of one's own", "a: [!mine &x b]", [`1:5 ${TAG}`]],
    ["a tag of YAML itself", "a: !!str 5", [`1:4 ${TAG}`]],
    ["a tag on everything", "!!map { a: 1 }", [`1:1 ${TAG}`]],
    ["not a number", "a: .nan", ["1:4 must be a finite number"]],
    ["infinity", "a: -.inf", ["1:4 must be a finite number"]],
    ["a number that is none in binary", "a: 1e999", ["1:4 must be a finite number"]],
    ["an alias of nothing", "a: *nothing", ["1:4 there is no anchor of this name above"]],
    ["an alias of what comes later", "a: *b\nb: &b 1", ["1:4 there is no anchor of this name above"]],
    ["an alias within what it stands for", "a: &a [1, *a]", ["1:11 this alias is inside of what it stands for"]],
    ["another version of YAML", "%YAML 1.1\n---\na: yes", ["1:1 the rules are YAML 1.2, and no other version"]],
    ["an unknown directive", "%RULES x\n---\na: 1", ["1:1 this directive is not supported"]],
    ["two mappings on one line", "a: b: c", [`1:4 ${NESTED}`]],
    ["a key below a value", "a: 1\n  b: 2", [`1:4 ${NESTED}`]],
    ["a quote that stays open", "a: 'b\nc: d\n", ["3:1 a quote is not closed"]],
    ["a bracket that stays open", "a: [b, c\n", [`2:1 ${BRACKET}`]],
    ["a bracket that was not opened", "a: ]", ["1:4 this is not expected here"]],
    ["a comma too few", "a: [[b] [c]]", ["1:9 this is not expected here"]],
    ["a reserved character", "a: @b", ["1:4 text cannot begin with this character: put it in quotes"]],
    [
      "an unknown escape",
      'a: "\\d{6}"',
      ["1:5 there is no such escape in double quotes: write \\\\ for \\, or use single quotes"]
    ],
    ["a control character", "a: b\u0000", ["1:5 a control character cannot stand here"]],
    ["65 levels", `${"[".repeat(65)}${"]".repeat(65)}`, [`1:65 ${DEEP}`]],
    ["65 lists on one line", `${"- ".repeat(65)}x`, [`1:129 ${DEEP}`]],
    ["millions of levels", "[".repeat(3_000_000), [`1:65 ${DEEP}`]],
    [
      "65 levels by an alias",
      `a: &a ${"[".repeat(40)}${"]".repeat(40)}\nb: ${"[".repeat(24)}*a${"]".repeat(24)}`,
      [`2:28 ${DEEP}`]
    ],
    ["a billion values in ten lines", bomb(9), ["5:45 the aliases up to here stand for more than 100000 values"]]
  ]
  for (const [what, text, expected] of cases) {
    it(`refused: ${what}`, () => assert.deepStrictEqual(refusals(text), expected))
  }

  it("every fault that lets the check continue is reported at once", () =>
    assert.deepStrictEqual(refusals("a: !x 1\nb: .inf\na: 2\n3: *c"), [
      `1:4 ${TAG}`,
      "2:4 must be a finite number",
      `3:1 ${TWICE}`,
      "4:1 a key must be text: put it in quotes",
      "4:4 there is no anchor of this name above"
    ]))

  it("what stands in the file is not repeated", () => {
    const secret = "sk_live_51HxSecretAbc"
    for (const text of [
      `a: !${secret} 1`,
      `a: *${secret}`,
      `a: ${secret}: b`,
      `${secret}: 1\n${secret}: 2`,
      `%${secret}`
    ]) {
      assert.notInclude(refusals(text).join("\n"), secret)
    }
  })
})

describe("YAML that is taken", () => {
  const cases: ReadonlyArray<readonly [string, string, unknown]> = [
    [
      "words of YAML 1.1 are text",
      "a: [yes, off, 012, 1_000, 12:30, 2026-01-01]",
      { a: ["yes", "off", 12, "1_000", "12:30", "2026-01-01"] }
    ],
    ["decimals are numbers, with or without a last zero", "a: [2.90, 70.0, 0.25]", { a: [2.9, 70, 0.25] }],
    ["a colon inside of text", 'a: { "b:c": d:e }', { a: { "b:c": "d:e" } }],
    ["nothing is null", "a:\nb: ~", { a: null, b: null }],
    [
      "an alias is what it stands for",
      "a: &a { b: [1] }\nc: *a\nd: [*a, *a]",
      { a: { b: [1] }, c: { b: [1] }, d: [{ b: [1] }, { b: [1] }] }
    ],
    ["the nearest anchor above counts", "a: &x 1\nb: *x\nc: &x 2\nd: *x", { a: 1, b: 1, c: 2, d: 2 }],
    ["a byte order mark and CRLF", "\uFEFFa: 1\r\nb:\r\n  - c\r\n", { a: 1, b: ["c"] }],
    ["document markers around one document", "%YAML 1.2\n---\na: 1\n...\n", { a: 1 }],
    [
      "64 levels",
      `${"[".repeat(64)}${"]".repeat(64)}`,
      Array.from({ length: 63 }).reduce((inner: unknown) => [inner], [])
    ]
  ]
  for (const [what, text, expected] of cases)
    it(`taken: ${what}`, () => assert.deepStrictEqual(taken(text).config, expected))

  it("`__proto__` is a key like any other, and sets no prototype", () => {
    for (const [text, file] of [
      ["a: { __proto__: { b: 1 } }", "r.yml"],
      ['{ "a": { "__proto__": { "b": 1 } } }', "r.json"]
    ] as const) {
      const { config } = taken(text, file)
      assert.deepStrictEqual(JSON.stringify(config), '{"a":{"__proto__":{"b":1}}}')
      assert.isUndefined(Reflect.get({}, "b"))
    }
  })

  it("every JSON value is read as itself, as JSON and as YAML", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const expected: unknown = JSON.parse(text)
        if (expected === null) return
        assert.deepStrictEqual(taken(text, "r.json").config, expected)
        // A tab before a value on a line of its own is indentation in YAML, and a control character none.
        if (indent !== "\t" && !/\u007F/.test(text)) assert.deepStrictEqual(taken(text).config, expected)
      })
    ))
})

describe("any text at all", () => {
  const yaml = `a: &a\n  - { b: "c", d: 'e' } # f\n  - |\n    g\n? h\n: !i j\nk: *a\n---\n%l\n`
  const edits = fc.array(
    fc.tuple(
      fc.nat(yaml.length),
      fc.nat(3),
      fc.constantFrom(..."&*!|>{}[],:?-#%\"'\\\n\t\r @`a1~<.".split(""), "---", "\u0000")
    ),
    { maxLength: 6 }
  )
  const edited = edits.map((all) =>
    all.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), yaml)
  )

  it("is read or refused, at a place within it", () =>
    fc.assert(
      fc.property(
        fc.oneof(edited, fc.string({ unit: "binary" })),
        fc.constantFrom("r.yaml", "r.json"),
        (text, file) => {
          const lines = text.split("\n")
          const read = readRules(text, file)
          for (const { position } of Result.isFailure(read) ? read.failure : []) {
            if (position === null) continue
            const line = lines[position.line - 1]
            assert.isDefined(line, JSON.stringify(text))
            assert.isTrue(position.column >= 1 && position.column <= (line ?? "").length + 2, JSON.stringify(text))
          }
        }
      ),
      { numRuns: 2_000 }
    ))
})

describe("JSON that is refused", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["an empty file", " \n", [EMPTY]],
    ["null", "null", [EMPTY]],
    ["a comma too many", '{\n  "a": 1,\n}', ["3:1 a key in double quotes is missing here"]],
    ["a comma too many in a list", "[1,]", ["1:4 a value is missing here: text is in double quotes"]],
    ["a comma too few", '{"a": 1\n "b": 2}', ["2:2 a `,` or `}` is missing here"]],
    ["a comma too few in a list", "[1 2]", ["1:4 a `,` or `]` is missing here"]],
    ["a key without quotes", "{a: 1}", ["1:2 a key in double quotes is missing here"]],
    ["no colon", '{"a" 1}', ["1:6 a `:` is missing here"]],
    ["text in single quotes", "['a']", ["1:2 a value is missing here: text is in double quotes"]],
    ["a comment", '{"a": 1} // x', ["1:10 nothing can follow the end of the rules"]],
    ["a quote that stays open", '{"a": "b\n}', ["1:7 a quote is not closed"]],
    ["an unknown escape", '["\\d"]', ["1:3 there is no such escape"]],
    ["a control character", '["\u0001"]', ["1:3 a control character cannot stand here"]],
    ["a key that is twice", '{"a": 1,\n "a": 2}', [`2:2 ${TWICE}`]],
    ["a number that is none in binary", '{"a": 1e999}', ["1:7 must be a finite number"]],
    ["a point between thousands", '{"a": 5.000}', ["1:7 thousands are written without a point: 500000, not 500.000"]],
    ["millions of levels", "[".repeat(3_000_000), [`1:65 ${DEEP}`]]
  ]
  for (const [what, text, expected] of cases) {
    it(`refused: ${what}`, () => assert.deepStrictEqual(refusals(text, "routing.json"), expected))
  }

  it("is what JSON.parse refuses, and no other text", () =>
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\0-1.eE tnu\n\u0001'.split("")),
        fc.boolean(),
        (json, where, put, cut) => {
          const index = where % (json.length + 1)
          const text = json.slice(0, index) + put + json.slice(index + (cut ? 1 : 0))
          const reported = refusals(text, "r.json").filter((line) => !/twice|finite|is empty|thousands/.test(line))
          assert.strictEqual(reported.length === 0, isJson(text), `${text}\n${reported.join("\n")}`)
        }
      ),
      { numRuns: 2_000 }
    ))
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text.trim() === ""
  }
}

describe("where a problem is shown", () => {
  const yaml = taken(`# rules
version: 1
rules:
  - name: cards
    when: { payment_method: card, any: [ { livemode: true } ] }
    choose: &chosen
      split:
        stripe: 70
        adyen: 30
  - &upi
    name: upi
    choose: *chosen
default: { priority: [stripe] }
`)
  const json = taken('{\n\t"version": 1,\n\t"default": {\n\t\t"priority": [ "stripe" ]\n\t}\n}', "routing.json")

  it("a value at its start", () => {
    assert.strictEqual(at(yaml, "version"), "2:10")
    assert.strictEqual(at(yaml, "rules", 0, "name"), "4:11")
    assert.strictEqual(at(yaml, "rules", 0, "choose", "split", "adyen"), "9:16")
    assert.strictEqual(at(yaml, "default", "priority", 0), "13:23")
    assert.strictEqual(at(json, "version"), "2:13")
    assert.strictEqual(at(json, "default", "priority", 0), "4:17")
  })

  it("a mapping or a list at its key, and in a list where the item begins", () => {
    assert.strictEqual(at(yaml, "rules"), "3:1")
    assert.strictEqual(at(yaml, "rules", 0), "4:5")
    assert.strictEqual(at(yaml, "rules", 0, "when", "any"), "5:35")
    assert.strictEqual(at(yaml, "rules", 0, "when", "any", 0), "5:42")
    assert.strictEqual(at(yaml, "rules", 0, "choose", "split"), "7:7")
    assert.strictEqual(at(json, "default", "priority"), "4:3")
  })

  it("what stands for something else at its own key, and what is within where it is written", () => {
    assert.strictEqual(at(yaml, "rules", 1, "choose"), "12:5")
    assert.strictEqual(at(yaml, "rules", 1, "choose", "split", "stripe"), "8:17")
  })

  it("what is missing at the nearest that holds it", () => {
    assert.strictEqual(at(yaml, "rules", 1, "when"), "11:5")
    assert.strictEqual(at(yaml, "rules", 0, "choose", "split", "acme"), "7:7")
    assert.strictEqual(at(yaml, "rules", 0, "name", "x", 3), "4:5")
    assert.strictEqual(at(yaml, "failover"), "1:1")
    assert.strictEqual(at(yaml), "1:1")
    assert.strictEqual(at(yaml, "rules", 7, "when"), "3:1")
  })

  it("a problem of a key at the key, whatever stands under it", () => {
    assert.deepStrictEqual(yaml.locate({ path: ["version"], at: "key" }), { line: 2, column: 1 })
    assert.deepStrictEqual(json.locate({ path: ["version"], at: "key" }), { line: 2, column: 2 })
  })

  it("in lines that end in CRLF", () => {
    assert.strictEqual(at(taken("\uFEFFa: 1\r\nb:\r\n  - c\r\n"), "b", 0), "3:5")
  })
})

describe("a file of another kind", () => {
  for (const file of ["routing.toml", "routing", "yaml", "routing.yaml.bak"]) {
    it(`${file} is refused with the kinds there are`, () =>
      assert.deepStrictEqual(refusals("a: 1", file), ["is not supported: rules are in .yaml, .yml or .json"]))
  }
})
