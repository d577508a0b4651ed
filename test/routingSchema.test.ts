/** The published JSON Schema of routing rules, put to AJV as an editor would. */
import { assert, describe, it } from "@effect/vitest"
import { Currency } from "@paymux/core"
import { conditionWords } from "@paymux/routing"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { shapeRefusals } from "../packages/routing/test/shapeRefusals.ts"
import { severalWays, wholeLanguage } from "../packages/routing/test/wholeLanguage.ts"
import { choose, failover, fees, rules, top, when } from "../packages/routing/test/written.ts"

const root = resolve(import.meta.dirname, "..")
const file = "docs/reference/routing.schema.json"
const text = readFileSync(resolve(root, file), "utf8")
const schema: unknown = JSON.parse(text)

type Json = { readonly [key: string]: unknown }
const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)

/** Every schema in it, with its place. */
const schemasIn = (json: unknown, place = "#"): ReadonlyArray<readonly [place: string, schema: Json]> => {
  if (Array.isArray(json)) return json.flatMap((each, index) => schemasIn(each, `${place}/${index}`))
  if (!isObject(json)) return []
  return [[place, json], ...Object.entries(json).flatMap(([key, each]) => schemasIn(each, `${place}/${key}`))]
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
const validate = ajv.compile(isObject(schema) ? schema : {})
/** `undefined` is not JSON: what is left out there is left out here. */
const isValid = (config: unknown): boolean => validate(JSON.parse(JSON.stringify(config)))

/** What the schema says of a condition: the operators below it and the words that it may equal. */
const wordsIn = (
  condition: Json
): { readonly operators: ReadonlyArray<string>; readonly values: ReadonlyArray<string> } => {
  const schemas = schemasIn(condition)
  const operators = schemas.flatMap(([, { properties }]) => (isObject(properties) ? Object.keys(properties) : []))
  const references = schemas.some(([, { $ref }]) => $ref === "#/$defs/Currency")
  const values = schemas.flatMap(([, { enum: words }]) => (Array.isArray(words) ? words.map(String) : []))
  return { operators, values: references ? Currency.currencyCodes : [...new Set(values)] }
}

describe("the file", () => {
  it("has the conditions, operators and words that an editor completes", () => {
    const definitions = isObject(schema) && isObject(schema["$defs"]) ? schema["$defs"] : {}
    const properties = isObject(definitions["When"]) ? definitions["When"]["properties"] : null
    const conditions = isObject(properties) ? properties : {}
    assert.sameMembers([...conditionWords.map(({ name }) => name), "all", "any", "not"], Object.keys(conditions))
    // Without a list in the schema: any two letters have its form, and a boolean is no word.
    const unlisted = ["card.country", "livemode"]
    for (const { name, operators, values } of conditionWords) {
      const condition = conditions[name]
      const found = isObject(condition) ? wordsIn(condition) : null
      assert.deepStrictEqual({ operators, values: unlisted.includes(name) ? [] : values }, found)
    }
  })

  it("is a JSON Schema of draft 2020-12 with a name, a title and a sentence", () => {
    assert.isTrue(ajv.validateSchema(isObject(schema) ? schema : {}))
    assert.include(schema, { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" })
    assert.hasAnyKeys(schema, ["$id"])
    assert.hasAnyKeys(schema, ["title"])
    assert.hasAnyKeys(schema, ["description"])
  })

  it("closes every mapping", () => {
    const open = schemasIn(schema).filter(
      ([, { additionalProperties, properties }]) => isObject(properties) && additionalProperties !== false
    )
    assert.deepStrictEqual(
      open.map(([place]) => place),
      []
    )
  })

  it("says of every key what it is", () => {
    const silent = schemasIn(schema).flatMap(([place, { patternProperties, properties }]) =>
      [properties, patternProperties].flatMap((keys) =>
        isObject(keys) && place.split("/").at(-1) !== "properties"
          ? Object.entries(keys).flatMap(([key, each]) =>
              isObject(each) && typeof each["description"] === "string" ? [] : [`${place}/${key}`]
            )
          : []
      )
    )
    assert.deepStrictEqual(silent, [])
  })

  it("is shipped in the package, where an editor finds it", () => {
    const manifest: unknown = JSON.parse(readFileSync(resolve(root, "packages/paymux/package.json"), "utf8"))
    assert.deepInclude(manifest, { files: ["dist", "src", "templates", "routing.schema.json", "README.md"] })
    assert.isTrue(isObject(manifest) && isObject(manifest["exports"]))
    assert.nestedPropertyVal(manifest, "exports.\\./routing\\.schema\\.json", "./routing.schema.json")
    assert.nestedPropertyVal(manifest, "publishConfig.exports.\\./routing\\.schema\\.json", "./routing.schema.json")
  })
})

describe("rules that are right are valid", () => {
  it("of the whole language", () => assert.isTrue(isValid(wholeLanguage), ajv.errorsText(validate.errors)))

  for (const [what, config] of severalWays) {
    it(`of ${what}`, () => assert.isTrue(isValid(config), ajv.errorsText(validate.errors)))
  }

  it("with or without what may be left out", () => {
    const short = [
      top({}),
      top({ rules: [], fees: {}, failover: {} }),
      when({}),
      when({ "metadata.": "x", "metadata.a.b": { exists: true } }),
      choose({ best: "cost", among: ["anything"] }),
      choose({ split: { x: 0.5 }, sticky_by: "metadata.user" }),
      failover({ on: [] }),
      fees({ x: { upi: {} } }),
      rules({ any: [{ all: [{ not: {} }] }] })
    ]
    for (const config of short) assert.isTrue(isValid(config), JSON.stringify(config))
  })
})

describe("what is not written in the language is not valid", () => {
  for (const [what, config, , jsonSchema] of shapeRefusals) {
    it(`${what}${jsonSchema === undefined ? "" : ": but for that, which takes a program"}`, () =>
      assert.strictEqual(isValid(config), jsonSchema !== undefined))
  }
})
