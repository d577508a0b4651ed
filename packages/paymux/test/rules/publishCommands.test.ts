/** `paymux rules publish` and `rollback`, as a person uses them beside a server that has its rules in the database. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"

let top: string
let commands: Commands

beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), "paymux-publish-"))
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(top, "node_modules"), "junction")
  commands = startCommands()
})
afterAll(() => {
  commands.stop()
  rmSync(top, { recursive: true, force: true })
})

const configuration = `export default {
  sandbox: true,
  database: "sqlite:paymux.db",
  routing: { source: "database", initial: "one.yaml" }
}
`

const folder = (more: { readonly [name: string]: string }): string => {
  const own = mkdtempSync(join(top, "folder-"))
  for (const [name, content] of Object.entries({ "paymux.config.ts": configuration, ...more })) {
    writeFileSync(join(own, name), content)
  }
  return own
}

const run = (cwd: string, ...args: ReadonlyArray<string>) => commands.run(cwd, "rules", ...args)

/** Rules with a comment that send cards to the provider with this letter. */
const cards = (letter: string) => `version: 1
rules:
  - name: cards # all
    when: { payment_method: card }
    choose: { priority: [sandbox_card_${letter}] }
default: { priority: [sandbox_card_a, sandbox_upi_a] }
`

// Each command starts a thread of its own.
describe("paymux rules publish and rollback", () => {
  it("make versions that differ in text, and refuse what is not from the newest, with the differences", async () => {
    const own = folder({ "one.yaml": cards("a"), "two.yaml": cards("b"), "three.yaml": `# late\n${cards("b")}` })
    await commands.make(own, join(import.meta.dirname, "inDatabase.ts"))
    const two = await run(own, "publish", "two.yaml", "--from", "1", "--note", "b is cheaper")
    assert.match(two.stdout, /^Published version 2 \(sha256:[0-9a-f]{16}\)\.\nRunning servers put it in force/)
    const late = await run(own, "publish", "three.yaml", "--from", "1")
    assert.deepStrictEqual([late.code, late.stdout], [1, ""])
    assert.include(late.stderr, "Version 2 was published in the meantime.")
    assert.match(late.stderr, /\+# late/)
    const back = JSON.parse((await run(own, "rollback", "1", "--from", "2", "--json")).stdout)
    assert.deepInclude(back, { version: 3, restores: 1, note: null })
    assert.strictEqual(back.author.kind, "command")
    const { stdout } = await run(own, "history")
    assert.match(stdout, /^ version +since +ruleset +from +by +note/)
    assert.match(stdout, /\n 3 .* rollback to 1 *\n 2 .* b is cheaper *\n 1 .* from one\.yaml/)
    assert.strictEqual((await run(own, "show", "3")).stdout, cards("a"))
    const { stdout: audited } = await commands.run(own, "audit", "list", "--json")
    assert.deepStrictEqual(
      JSON.parse(audited).map(({ action, target }: { action: string; target: string }) => [action, target]),
      [
        ["routing.rollback", "version 3"],
        ["routing.publish", "version 2"],
        ["routing.publish", "version 1"]
      ]
    )
  })

  it("refuse rules whose exclusions reject payments, unless --accept-no-route says that it is meant", async () => {
    const none = cards("a").replace(
      "priority: [sandbox_card_a, sandbox_upi_a]",
      "priority: [sandbox_card_b, sandbox_upi_a]"
    )
    const own = folder({ "one.yaml": none, "none.yaml": `${none}exclude: [sandbox_card_a]\n` })
    await commands.make(own, join(import.meta.dirname, "inDatabase.ts"))
    const problem =
      /none\.yaml:7:11 rule "cards" has no provider for a payment such as .*: "sandbox_card_a" is excluded/
    const checked = await run(own, "check", "none.yaml")
    assert.strictEqual(checked.code, 1)
    assert.match(checked.stderr, problem)
    const { problems, valid } = JSON.parse((await run(own, "check", "none.yaml", "--json")).stdout)
    assert.deepStrictEqual([valid, problems[0].line, problems[0].column], [false, 7, 11])
    const refused = await run(own, "publish", "none.yaml", "--from", "1")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /7:11 rule "cards" has no provider/)
    assert.include(refused.stderr, "accept it: --accept-no-route")
    const accepted = await run(own, "publish", "none.yaml", "--from", "1", "--accept-no-route")
    assert.match(accepted.stdout, /^Published version 2/)
    const [entry] = JSON.parse((await commands.run(own, "audit", "list", "--json")).stdout)
    assert.deepInclude(entry.after, { version: 2, acceptedNoRoute: true })
    const { stdout } = await commands.run(own, "doctor")
    assert.match(stdout, /✗ rules .*leave payments without a provider.*"sandbox_card_a" is excluded/s)
  })

  it("refuse rules that do not fit the providers, each problem with its place", async () => {
    const own = folder({ "one.yaml": cards("a"), "wrong.yaml": cards("z") })
    await commands.make(own, join(import.meta.dirname, "inDatabase.ts"))
    const { code, stderr } = await run(own, "publish", "wrong.yaml", "--from", "1")
    assert.strictEqual(code, 1)
    assert.include(stderr, '5:26 rule "cards": provider "sandbox_card_z" is not configured')
    assert.include((await run(own, "rollback", "9", "--from", "1")).stderr, "Version 9 of the rules not found.")
    assert.strictEqual((await run(own, "publish", "one.yaml")).code, 1)
  })
})
