/** Runs `paymux` commands, one after the other, all in one process beside this one. */
import { fork } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { fileOfProgram } from "../../../test/support/program.ts"
import type { Asked, Ran } from "./CommandsProcess.ts"

export interface Commands {
  /** `paymux …` in a folder. */
  readonly run: (cwd: string, ...args: ReadonlyArray<string>) => Promise<Ran>
  /** What the default export of a module answers in a folder. */
  readonly make: (cwd: string, module: string) => Promise<unknown>
  readonly stop: () => void
  /** Without any chance to clean up. */
  readonly kill: () => void
}

/** @param env variables beside those of this process */
export const startCommands = (env: { readonly [name: string]: string } = {}): Commands => {
  const started = start(env)
  // Where it did not start, each command says why.
  const whenStarted = (act: (child: ChildProcess) => void) =>
    void started.then(
      ({ child }) => act(child),
      () => undefined
    )
  const answer = async (asked: Asked): Promise<unknown> => {
    const { child, waiting } = await started
    const answered = Promise.withResolvers<unknown>()
    waiting.push(answered)
    child.send(asked)
    return answered.promise
  }
  return {
    // Boundary: this is what it answers to a command.
    run: (cwd, ...args) => answer({ cwd, args }) as Promise<Ran>,
    make: (cwd, module) => answer({ cwd, module }),
    stop: () => whenStarted((child) => child.kill()),
    kill: () => whenStarted((child) => child.kill("SIGKILL"))
  }
}

const start = async (env: { readonly [name: string]: string }) => {
  const child = fork(await fileOfProgram("commands"), { env: { ...process.env, NO_COLOR: "1", ...env }, silent: true })
  let log = ""
  child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const waiting: Array<PromiseWithResolvers<unknown>> = []
  child.on("message", (message) => waiting.shift()?.resolve(message))
  child.on("exit", (code) => {
    for (const { reject } of waiting) reject(new Error(`the commands ended with ${code}:\n${log}`))
  })
  return { child, waiting }
}
