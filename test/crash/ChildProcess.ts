/** A process of the crash tests, with what it says and how it ends. */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { fileOfProgram } from "../support/program.ts"
import type { Program } from "../support/program.ts"

interface Ending {
  /** `null` where a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Child<Ready> {
  readonly ready: Ready
  readonly send: (message: object) => void
  /** All that it says from now on. */
  readonly listen: (listener: (message: unknown) => void) => void
  /** The next thing it says. */
  readonly next: () => Promise<unknown>
  readonly ended: Promise<Ending>
  readonly signal: (signal: NodeJS.Signals) => void
  /** The same, and waits for its end. */
  readonly kill: (signal: NodeJS.Signals) => Promise<Ending>
  /** What it wrote to standard error. */
  readonly log: () => string
}

/**
 * Waits for its first message; rejects with what it wrote where it ends before. `within`: a command that runs the
 * command that follows it.
 */
export const startChild = async <Ready>(
  program: Program,
  argument: string,
  within: ReadonlyArray<string> = []
): Promise<Child<Ready>> => {
  const [command, ...args] = [...within, process.execPath, await fileOfProgram(program), argument]
  const child = spawn(command ?? process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/compiled") }
  })
  let log = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-100_000)
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.once("error", () => resolve({ code: 127, signal: null }))
  })
  const ready = await firstMessage<Ready>(child, ended, () => log)
  return {
    ready,
    send: (message) => {
      // A process that is gone needs no message.
      if (child.connected) child.send(message, () => undefined)
    },
    listen: (listener) => void child.on("message", listener),
    next: () => new Promise((resolve) => child.once("message", resolve)),
    ended,
    signal: (signal) => void child.kill(signal),
    kill: (signal) => {
      child.kill(signal)
      return ended
    },
    log: () => log
  }
}

const firstMessage = <Ready>(child: ChildProcess, ended: Promise<unknown>, log: () => string): Promise<Ready> =>
  new Promise((resolve, reject) => {
    // Boundary: the messages of our own processes.
    child.once("message", (message) => resolve(message as Ready))
    void ended.then(() => reject(new Error(`A process ended before it was ready:\n${log()}`)))
  })
