import { rails } from "@paymux/core"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { relative } from "node:path"
import { packageNameOf } from "../adapter/Adapter.ts"
import { type Made, newAdapter } from "../adapter/newAdapter.ts"
import { userError } from "./userError.ts"

const create = Command.make(
  "new",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription(
        "The name of the payment provider: lower-case letters, digits and dashes, such as my-pay"
      )
    ),
    rail: Flag.Literals("rail", rails).pipe(
      Flag.withDescription("The payment method; default card"),
      Flag.withDefault("card" as const)
    ),
    dir: Flag.String("dir").pipe(
      Flag.withDescription(
        "The folder to create; default paymux-<name>, or packages/adapters/<name> in Paymux's repository"
      ),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ dir, name, rail }) {
    const cwd = process.cwd()
    const made = yield* Effect.mapError(newAdapter({ name, rail, cwd, dir: Option.getOrNull(dir) }), userError)
    const folder = relative(cwd, made.folder) || "."
    yield* Console.log(`Made ${packageNameOf(made.adapter)} in ${folder}: ${made.paths.length} files, a fake included.`)
    yield* Console.log("Next:")
    for (const step of steps(made, folder)) yield* Console.log(`  ${step}`)
  })
).pipe(
  Command.withDescription("Create the package of an adapter, with a fake of its provider and passing tests"),
  Command.withExamples([
    { command: "paymux adapter new my-pay --rail upi", description: "Make ./paymux-my-pay" },
    { command: "paymux adapter new my-pay --dir .", description: "In the folder at hand, which is empty" }
  ])
)

const steps = ({ adapter, home }: Made, folder: string): ReadonlyArray<string> => {
  switch (home) {
    case "workspace":
      return [
        "npx -y pnpm@12 install",
        `npx -y pnpm@12 exec vitest run packages/adapters/${adapter.names.id}`,
        "read docs/guide/write-an-adapter.md"
      ]
    case "outside":
      return [...(folder === "." ? [] : [`cd ${folder}`]), "npm install", "npm test", `read ${SHIPPED_GUIDE}`]
    default:
      return home satisfies never
  }
}

const SHIPPED_GUIDE = "node_modules/@paymux/testkit/write-an-adapter.md"

export const adapter = Command.make("adapter").pipe(
  Command.withDescription("Create an adapter for a payment provider"),
  Command.withSubcommands([create])
)
