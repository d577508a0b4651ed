/** The draw of mutants: it must stay the same while code moves, so that rates of two commits can be compared. */
import { assert, describe, it } from "@effect/vitest"
import type { schema } from "@stryker-mutator/api/core"
import { globSync } from "node:fs"
import { join, matchesGlob } from "node:path"
import { drawnPlaces, oneOf, placesOfIds } from "./drawnPlaces.ts"
import { placeId, placesOf } from "./places.ts"
import type { Place } from "./places.ts"
import { mutatedPackage, mutatedPackages } from "./packages.ts"
import { comparison, floorOf, recordedRates } from "./rates.ts"
import { assertOthersRun, caught, compiling, tally } from "./tally.ts"

const capture = `export const capture = (amount: number): boolean => {
  if (amount > 0 && amount < 100) return true
  return amount === 100
}
`

const Ledger = `export class Ledger {
  readonly #total = 0
  add(amount: number) {
    if (amount < 0) throw new Error("negative")
    const doubled = (times: number) => times * 2
    return this.#total + doubled(amount)
  }
}
`

const many = Array.from({ length: 40 }, (_, n) => `const rule${n} = (a: number) => a > ${n} && a < 100\n`).join("")

/** What is drawn, without where it is. */
const shapeOf = (places: ReadonlyArray<Place>) => places.map(({ index, name, text }) => `${name} ${index} ${text}`)

const draw = (files: { readonly [path: string]: string }, seed = 1, mutants = 8) =>
  drawnPlaces(
    "core",
    Object.entries(files).flatMap(([path, text]) => placesOf(path, text)),
    seed,
    mutants
  )

describe("the draw of mutants", () => {
  it("is the same after a file or a function moves within the package", () => {
    const before = draw({ "a.ts": capture + many, "b.ts": Ledger })
    const renamed = draw({ "z/b.ts": Ledger, "z/a.ts": capture + many })
    const moved = draw({ "a.ts": many, "b.ts": `\n\n${Ledger}${capture}` })
    assert.deepStrictEqual(shapeOf(renamed), shapeOf(before))
    assert.deepStrictEqual(shapeOf(moved), shapeOf(before))
    assert.notDeepEqual(before.map(placeId), moved.map(placeId))
  })

  it("keeps the order of the places that were there after a function is added", () => {
    const before = shapeOf(draw({ "a.ts": many }, 1, 1_000))
    const after = shapeOf(draw({ "a.ts": many, "b.ts": capture }, 1, 1_000))
    assert.isAbove(after.length, before.length)
    assert.deepStrictEqual(
      after.filter((place) => before.includes(place)),
      before
    )
  })

  it("differs by seed and by package", () => {
    const places = placesOf("a.ts", many)
    assert.notDeepEqual(drawnPlaces("core", places, 1, 8), drawnPlaces("core", places, 2, 8))
    assert.notDeepEqual(drawnPlaces("core", places, 1, 8), drawnPlaces("http", places, 1, 8))
  })

  it("has two places for each mutant that is asked for, none twice, or all that there are", () => {
    const places = placesOf("a.ts", many)
    for (const mutants of [1, 10, 50, 1_000]) {
      const ids = drawnPlaces("core", places, 1, mutants).map(placeId)
      assert.strictEqual(new Set(ids).size, Math.min(2 * mutants, places.length))
      assert.strictEqual(ids.length, new Set(ids).size)
    }
  })

  it("of fewer mutants is the beginning of a draw of more", () => {
    const more = draw({ "a.ts": many }, 1, 20)
    assert.deepStrictEqual(draw({ "a.ts": many }, 1, 5), more.slice(0, 10))
  })

  it("takes one mutant of a place, not always of the same kind, and whatever their order", () => {
    const kinds = ["true", "false", "!=="]
    const of = (index: number, order = kinds) => oneOf(order, { name: "capture", index }, 1, (kind) => kind)
    const taken = Array.from({ length: 60 }, (_, index) => of(index))
    assert.deepStrictEqual(new Set(taken), new Set(kinds))
    assert.deepStrictEqual(
      taken,
      taken.map((_, index) => of(index, kinds.toReversed()))
    )
    assert.isUndefined(of(0, []))
  })
})

describe("the places of a source file", () => {
  const at = (text: string) => placesOf("a.ts", text).map(({ isStatic, name, text }) => [name, text, isStatic])

  it("have the name of the function that they are in", () => {
    const names = (text: string) => [...new Set(placesOf("a.ts", text).map(({ name }) => name))]
    assert.deepStrictEqual(names(capture), ["capture"])
    assert.deepStrictEqual(names(Ledger), ["Ledger.add", "Ledger.add.doubled"])
    assert.deepStrictEqual(names("export function f(a: number) { return [1].some((b) => b > a) }"), ["f"])
    assert.deepStrictEqual(names("const table = { get: () => !1, 'set all': () => !1 }"), [
      "table",
      "table.get",
      "table.set all"
    ])
    assert.deepStrictEqual(names("const make = Effect.gen(function* () { const a = !b; return a })"), ["make"])
  })

  it("are the nodes for which Stryker has mutators, and no types, imports and keys", () => {
    assert.deepStrictEqual(at('import { a } from "b"\nexport type T = "c" | true\nexport { d } from "e"'), [])
    assert.deepStrictEqual(at('const f = () => ({ "a": "b" }) as { readonly c: "d" }'), [
      ["f", '() => ({ "a": "b" }) as { readonly c: "d" }', false],
      ["f", '{ "a": "b" }', false],
      ["f", '"b"', false]
    ])
    const statements = "function f() { if (a) throw new E(); b(); c?.(); for (; d; e++) g += -1 }"
    assert.deepStrictEqual(
      at(statements).map(([, text]) => text),
      [statements.slice(13), "a", "throw new E();", "b();", "c?.()", "d", "e++", "g += -1", "-1"]
    )
  })

  it("that run only while the module loads are marked", () => {
    assert.deepStrictEqual(at("const a = [1]\nconst b = () => [2]"), [
      ["a", "[1]", true],
      ["b", "() => [2]", false],
      ["b", "[2]", false]
    ])
  })

  it("count lines and columns from 1", () => {
    const [place] = placesOf("a.ts", "\nconst a =\n  !b")
    assert.deepStrictEqual(place?.location, { start: { line: 3, column: 3 }, end: { line: 3, column: 5 } })
  })

  it("are found by the beginning of an id, or by a whole one", () => {
    const places = placesOf("a.ts", "const f = () => !a\nconst g = () => !b")
    const found = (only: string) => placesOfIds(places, [only]).map(({ name }) => name)
    assert.deepStrictEqual(found("a.ts:1:17 BooleanLiteral a"), ["f"])
    assert.deepStrictEqual(found("a.ts:2:"), ["g", "g"])
    assert.deepStrictEqual(found("a.ts:1:1 BooleanLiteral a"), [])
    assert.strictEqual(found("a.ts").length, 4)
  })
})

describe("the floor of a run", () => {
  const recorded = { seed: 1, mutants: 120, compiling: 80, caught: 68 }

  it("is the recorded rate for the recorded draw", () => {
    assert.strictEqual(floorOf(recorded, { ...recorded, caught: 0 }), 85)
  })

  it("is two standard errors lower for another draw, the less the more mutants ran", () => {
    assert.closeTo(floorOf(recorded, { ...recorded, seed: 2 }), 73.7, 0.05)
    assert.closeTo(floorOf(recorded, { ...recorded, mutants: 600, compiling: 400 }), 76.3, 0.05)
    assert.closeTo(floorOf(recorded, { seed: 1, mutants: 1, compiling: 1, caught: 0 }), 13.1, 0.05)
  })
})

describe("a run compared with the recorded rate", () => {
  const run = { seed: 1, mutants: 120, compiling: 80, caught: 68 }
  const recorded = { ...run, rate: 85, date: "2026-11-28", commit: "0123abcd" }

  it("fails below its floor, and says where the floor comes from", () => {
    assert.deepStrictEqual(comparison(recorded, run), {
      isBelow: false,
      text: "Floor: 85 %, from 68 of 80 at 0123abcd on 2026-11-28."
    })
    const one = comparison(recorded, { ...run, caught: 67 })
    assert.isTrue(one.isBelow)
    assert.include(one.text, "Below the floor")
    assert.isFalse(comparison(recorded, { ...run, seed: 2, caught: 60 }).isBelow)
    assert.isTrue(comparison(recorded, { ...run, seed: 2, caught: 58 }).isBelow)
  })

  it("does not fail where no rate is recorded", () => {
    assert.isFalse(comparison(undefined, { ...run, caught: 0 }).isBelow)
  })

  it("finds recorded rates of mutated packages only, each of at least 60 mutants", () => {
    const rates = recordedRates(join(import.meta.dirname, "rates.json"))
    assert.includeMembers(Object.keys(mutatedPackages), Object.keys(rates))
    for (const [name, { caught, compiling, mutants, rate }] of Object.entries(rates)) {
      assert.isAtLeast(mutants, 60, name)
      assert.closeTo(rate, (caught / compiling) * 100, 0.05, name)
    }
  })
})

describe("a mutated package", () => {
  for (const [name, { sources, tests }] of Object.entries(mutatedPackages)) {
    it(`${name} has sources, and tests for each of its patterns that no earlier one has`, () => {
      assert.isNotEmpty(globSync(sources))
      tests.forEach((glob, rank) => {
        const files = globSync(glob).filter(
          (file) => !tests.slice(0, rank).some((earlier) => matchesGlob(file, earlier))
        )
        assert.isNotEmpty(files, glob)
      })
    })
  }

  it("is refused by name where there is no such package", () => {
    assert.throws(() => mutatedPackage("cor"), /Unknown package "cor". Choose one of: core, http/)
    assert.throws(() => mutatedPackage("toString"), /Unknown package/)
  })
})

describe("the count of a run", () => {
  const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }
  const mutant = (status: schema.MutantStatus, more: Partial<schema.MutantResult> = {}): schema.MutantResult => ({
    id: `${status} ${String(more.killedBy)}`,
    mutatorName: "BooleanLiteral",
    location,
    status,
    ...more
  })
  const report = (...mutants: Array<schema.MutantResult>): schema.MutationTestResult => ({
    schemaVersion: "2",
    thresholds: { high: 80, low: 60 },
    files: { "packages/http/src/a.ts": { language: "typescript", source: "", mutants } },
    testFiles: {
      "packages/http/test/a.test.ts": { tests: [{ id: "own", name: "own" }] },
      "packages/paymux/test/b.test.ts": { tests: [{ id: "other", name: "other" }] }
    }
  })

  it("counts caught mutants by who caught them, of those that compile and are drawn", () => {
    const counted = tally(
      "http",
      report(
        mutant("Killed", { killedBy: ["own"] }),
        mutant("Killed", { killedBy: ["other"] }),
        mutant("Timeout"),
        mutant("RuntimeError"),
        mutant("Survived"),
        mutant("NoCoverage"),
        mutant("Ignored"),
        mutant("CompileError", { statusReason: "not drawn" }),
        mutant("CompileError", { statusReason: "rejected by TypeScript" })
      )
    )
    assert.deepInclude(counted, { drawn: 7, own: 1, others: 1, timeouts: 1, breaks: 1, survived: 1, uncovered: 1 })
    assert.deepStrictEqual([compiling(counted), caught(counted)], [6, 4])
  })

  it("is refused where tests of other folders ran no mutant: they then ran the original packages", () => {
    const { tests } = mutatedPackage("http")
    assert.throws(
      () => assertOthersRun("http", tests, report(mutant("Killed", { coveredBy: ["own"] }))),
      /packagesOfCopy/
    )
    assertOthersRun("http", tests, report(mutant("Killed", { coveredBy: ["other"] })))
    assertOthersRun("routing", mutatedPackage("routing").tests, report())
  })
})
