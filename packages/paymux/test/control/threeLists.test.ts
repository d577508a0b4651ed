/** Everything that the control API reaches, the library and the commands reach too. */
import { assert, describe, it } from "@effect/vitest"
import { controlEndpoints } from "@paymux/dashboard"
import { paymux as command } from "../../src/cli.ts"
import { createPaymux } from "../../src/index.ts"
import { counterparts } from "./counterparts.ts"

const endpoints = controlEndpoints().map(({ group, name }) => `${group}.${name}`)
const entries = Object.entries(counterparts).flatMap(([endpoint, counterpart]) =>
  typeof counterpart === "string" ? [] : [{ endpoint, ...counterpart }]
)

/** What this test reads of a command. */
interface CommandNode {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<CommandNode> }>
}

/** The commands that do something, by their names after `paymux`. */
const commandsOf = (of: CommandNode, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const below = of.subcommands.flatMap(({ commands }) => commands)
  return below.length === 0 ? [names.join(" ")] : below.flatMap((each) => commandsOf(each, [...names, each.name]))
}

/** The functions of an object and of the objects in it, by their paths. */
const methodsOf = (value: object, path: string): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, each]) => {
    if (typeof each === "function") return [`${path}${name}`]
    return typeof each === "object" && each !== null ? methodsOf(each, `${path}${name}.`) : []
  })

describe("the lists of what the control API, the library and the commands do", () => {
  it("have an entry for each endpoint, and none for others", () => {
    const named = Object.keys(counterparts)
    assert.deepStrictEqual(
      endpoints.filter((endpoint) => !named.includes(endpoint)),
      [],
      "These endpoints have no entry in counterparts.ts: name the method and the command that do the same"
    )
    assert.deepStrictEqual(
      named.filter((endpoint) => !endpoints.includes(endpoint)),
      [],
      "These entries of counterparts.ts are no endpoints: remove them"
    )
  })

  it("name methods that the library has", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    const methods = methodsOf(paymux, "")
    assert.include(methods, "payments.create")
    assert.deepStrictEqual(
      entries.filter(({ library }) => !methods.includes(library)),
      []
    )
  })

  it("name commands that exist", () => {
    const commands = commandsOf(command, [])
    assert.include(commands, "serve")
    assert.deepStrictEqual(
      entries.filter((entry) => !commands.includes(entry.command)),
      []
    )
  })
})
