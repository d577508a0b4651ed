/** How the editor of routing rules compares and merges texts, and what it knows of the place of the cursor. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { diffOf, mergeTexts } from "../../packages/dashboard/app/src/pages/routing/editor/lines.ts"
import { completionsAt } from "../../packages/dashboard/app/src/pages/routing/editor/completion.ts"
import { placeAt } from "../../packages/dashboard/app/src/pages/routing/editor/yamlPlace.ts"

/** Few words, so that lines are often the same. */
const text = fc.array(fc.constantFrom("a", "b", "c", "", "  - name: d"), { maxLength: 12 }).map((all) => all.join("\n"))

describe("the difference of two texts", () => {
  it("has each line where it stands, and what was removed and added", () =>
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, next] = [before.split("\n"), after.split("\n")]
        const lines = diffOf(before, after).flat()
        for (const { kind, line, text: shown } of lines) {
          assert.strictEqual((kind === "removed" ? old : next)[line - 1], shown)
        }
        const count = (kind: string) => lines.filter((each) => each.kind === kind).length
        assert.strictEqual(old.length - count("removed") + count("added"), next.length)
        assert.strictEqual(lines.length === 0, before === after)
      })
    ))
})

describe("merging", () => {
  it("takes texts of very many lines", () => {
    const base = "\n".repeat(400_000)
    const changed = `${base}${"a\n".repeat(200_000)}`
    assert.strictEqual(mergeTexts(base, changed, base, "version 2").text, changed)
    assert.isAbove(diffOf(base, changed).flat().length, 200_000)
  })

  it("is what either changed, where the other changed nothing or the same", () =>
    fc.assert(
      fc.property(text, text, (base, changed) => {
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
          [changed, changed]
        ] as const) {
          assert.deepStrictEqual(mergeTexts(base, mine, theirs, "version 2"), { text: changed, conflicts: 0 })
        }
      })
    ))

  it("keeps empty lines that stand beside each other", () => {
    for (const [base, changed] of [
      ["\n  - name: d\na", "\n\n  - name: d\na"],
      ["\n\n  - name: d", "\n  - name: d"],
      ["c\nb\nc", "c\nb\n\nc"]
    ] as const) {
      assert.deepStrictEqual(mergeTexts(base, changed, base, "version 2"), { text: changed, conflicts: 0 })
    }
  })

  it("makes one change of more distinct lines than can be compared one by one", () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => String(n))
    const base = lines.join("\n")
    const changed = ["first", ...lines.slice(1), "last"].join("\n")
    assert.deepStrictEqual(mergeTexts(base, changed, base, "version 2"), { text: changed, conflicts: 0 })
    assert.deepStrictEqual(mergeTexts(base, base, changed, "version 2"), { text: changed, conflicts: 0 })
  })

  it("makes both changes where they are apart, and marks both where they are not", () => {
    const base = "one\ntwo\nthree\nfour\nfive"
    assert.deepStrictEqual(mergeTexts(base, base.replace("one", "1"), base.replace("five", "5"), "version 2"), {
      text: "1\ntwo\nthree\nfour\n5",
      conflicts: 0
    })
    assert.deepStrictEqual(mergeTexts(base, base.replace("two", "2"), base.replace("two", "deux"), "version 2"), {
      text: "one\n<<<<<<< your draft\n2\n=======\ndeux\n>>>>>>> version 2\nthree\nfour\nfive",
      conflicts: 1
    })
  })
})

describe("the place of the cursor", () => {
  const placeIn = (written: string) => {
    const lines = written.split("\n")
    const last = lines.length - 1
    return placeAt(lines[last] ?? "", (distance) => lines[last - distance] ?? null)
  }

  it.each([
    ["", [], "key"],
    ["rules:\n  - ", ["rules"], "item"],
    ["rules:\n  - name: x\n    ", ["rules"], "key"],
    ["rules:\n  - name: x\n    when: { payment_method: upi, amount: { ", ["rules", "when", "amount"], "key"],
    ["rules:\n  - name: x\n    when:\n      card.network: ", ["rules", "when", "card.network"], "value"],
    ["rules:\n  - name: x\n    when: { currency: [EUR, ", ["rules", "when", "currency"], "item"],
    ["rules:\n- name: x\n  when: {}\n  choose:\n    split: { ", ["rules", "choose", "split"], "key"],
    ["default:\n  priority:\n    - ", ["default", "priority"], "item"]
  ] as const)("%j", (written, path, kind) => assert.deepStrictEqual(placeIn(written), { path: [...path], kind }))

  it("is none in a comment", () => {
    assert.isNull(placeIn("# rules: "))
    assert.isNull(placeIn("default: # of "))
  })
})

interface Part {
  readonly properties?: { readonly [key: string]: Part }
  readonly items?: Part
  readonly anyOf?: ReadonlyArray<Part>
  readonly enum?: ReadonlyArray<string>
}

/** The schema of the language, which is written from its definition. */
const language: Part & { readonly $defs: { readonly [name: string]: Part } } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../docs/reference/routing.schema.json"), "utf8")
)

const keysOf = (part: Part | undefined) => Object.keys(part?.properties ?? {})

describe("completion", () => {
  const { $defs, properties = {} } = language
  const { Choose, Failover, Fee, Outage, Weekday, When } = $defs
  const { rules } = properties
  const offered = (kind: "key" | "value" | "item", ...path: ReadonlyArray<string>) =>
    completionsAt({ path, kind }, { providers: [], conditions: [] }).map(({ label }) => label)
  const choose = (Choose?.anyOf ?? []).flatMap(keysOf)

  it("offers the keys of the language, no other and none less", () => {
    assert.sameMembers(offered("key"), keysOf(language))
    assert.sameMembers(offered("item", "rules"), keysOf(rules?.items))
    assert.sameMembers(offered("key", "rules", "choose"), choose)
    assert.sameMembers(offered("key", "default"), choose)
    assert.sameMembers(offered("item", "outages"), keysOf(Outage))
    assert.sameMembers(offered("key", "failover"), keysOf(Failover))
    assert.sameMembers(offered("key", "rules", "failover"), keysOf(Failover))
    assert.sameMembers(offered("key", "fees", "acme", "card"), keysOf(Fee))
    assert.includeMembers(keysOf(When), offered("key", "rules", "when").slice(1))
  })

  it("offers the values of the language", () => {
    const [, split, best] = Choose?.anyOf ?? []
    assert.deepStrictEqual(offered("item", "failover", "on"), Failover?.properties?.["on"]?.items?.enum)
    assert.deepStrictEqual(offered("item", "failover", "not_on"), Failover?.properties?.["not_on"]?.items?.enum)
    assert.deepStrictEqual(offered("item", "rules", "when", "time", "weekdays"), Weekday?.enum)
    assert.deepStrictEqual(offered("item", "outages", "methods"), Outage?.properties?.["methods"]?.items?.enum)
    assert.deepStrictEqual(offered("value", "default", "best"), best?.properties?.["best"]?.enum)
    assert.deepStrictEqual(offered("value", "default", "learn_from"), best?.properties?.["learn_from"]?.enum)
    const segments = best?.properties?.["segments"]?.items?.anyOf?.[0]?.enum ?? []
    assert.deepStrictEqual(offered("item", "default", "segments"), [...segments, "metadata."])
    assert.deepStrictEqual(offered("value", "default", "sticky_by"), split?.properties?.["sticky_by"]?.anyOf?.[0]?.enum)
  })
})
