/**
 * A process that runs `paymux` as often as it is asked to, each time in a folder of its own: a process for each command
 * takes a second each. It may run a module before, such as one that makes payments.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { pathToFileURL } from "node:url"
import { paymux } from "../src/cli.ts"

export type Asked =
  | { readonly cwd: string; readonly args: ReadonlyArray<string> }
  /** The result of its default export is sent back. */
  | { readonly cwd: string; readonly module: string }

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = async (args: ReadonlyArray<string>): Promise<Ran> => {
  const printed = { log: "", error: "" }
  const printing: Console.Console = Object.assign(Object.create(console), {
    log: (...words: ReadonlyArray<unknown>) => void (printed.log += `${words.join(" ")}\n`),
    error: (...words: ReadonlyArray<unknown>) => void (printed.error += `${words.join(" ")}\n`)
  })
  const command = Command.runWith(paymux, { version: "0.0.0" })(args).pipe(
    Effect.provideService(Console.Console, printing),
    Effect.provide(NodeServices.layer)
  )
  const code = Exit.isSuccess(await Effect.runPromiseExit(command)) ? 0 : 1
  return { code, stdout: printed.log, stderr: printed.error }
}

const answer = async (asked: Asked): Promise<unknown> => {
  process.chdir(asked.cwd)
  if ("args" in asked) return run(asked.args)
  const { default: make }: { readonly default: () => Promise<unknown> } = await import(pathToFileURL(asked.module).href)
  return make()
}

let last: Promise<unknown> = Promise.resolve()
process.on("message", (asked: Asked) => {
  // One after the other: there is one working directory.
  last = last.then(async () => process.send?.(await answer(asked)))
})
