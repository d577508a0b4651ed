import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decodeCommits, encodeCommits } from "../../../src/sqlite/writer/messages.ts"
import type { RunnableStep } from "../../../src/sqlite/steps.ts"

const value = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.double(),
  // Lone surrogates, too.
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0xd800, max: 0xdfff })).map((codes) => String.fromCharCode(...codes))
)
const statement = fc.record({
  sql: fc.constantFrom("INSERT INTO a VALUES (?)", "UPDATE b SET c = ?", "SELECT 1"),
  values: fc.array(value, { maxLength: 6 })
})
const need = fc.record({
  of: fc.constantFrom("change" as const, "no_row" as const),
  otherwise: fc.option(statement)
})
const steps: fc.Arbitrary<ReadonlyArray<RunnableStep>> = fc.array(
  fc.tuple(statement, fc.option(need)).map(([run, wanted]) => ({ ...run, need: wanted })),
  { maxLength: 5 }
)

describe("a batch on its way to the thread", () => {
  it("arrives as it was, and each text is sent once", () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 5 }), (commits) => {
        const texts: Array<string> = []
        const numberOf = (sql: string) => {
          if (!texts.includes(sql)) texts.push(sql)
          return texts.indexOf(sql)
        }
        const encoded = encodeCommits(commits, numberOf)
        assert.deepStrictEqual(decodeCommits(structuredClone(encoded), texts), commits)
        assert.notInclude(encoded.text, "INSERT")
      }),
      { numRuns: 300 }
    )
  })
})
