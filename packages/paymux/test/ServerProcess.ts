/** `paymux serve` as a person starts it: a process of its own, on a port of its own, that can be killed. */
import { spawn } from "node:child_process"
import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { fileOfProgram } from "../../../test/support/program.ts"

export interface ServerProcess {
  readonly base: string
  readonly testKey: string
  readonly stdout: () => string
  readonly stderr: () => string
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>
  /** Nothing can print any more: the process and those that it started have ended. */
  readonly closed: Promise<unknown>
}

export const serve = async (folder: string, flags: ReadonlyArray<string> = []): Promise<ServerProcess> => {
  const bin = await fileOfProgram("paymux")
  return running(spawn(process.execPath, [bin, "serve", "--sandbox", "--port", "0", ...flags], { cwd: folder }))
}

/**
 * As npx does: the server is the child of a process that does not pass signals on. `pnpm`: as in `npx pnpm paymux serve`,
 * where that process stays. `kill` is about npx.
 */
export const serveBehindNpx = async (folder: string, pnpm = false): Promise<ServerProcess> => {
  const bin = await fileOfProgram("paymux")
  const { npm_command: _, ...environment } = process.env
  const serving = started([bin, "serve", "--sandbox", "--port", "0"])
  const script = pnpm ? started(["--eval", `${serving}.on("exit", () => {})`]) : serving
  return running(spawn(process.execPath, ["--eval", script], { cwd: folder, env: environment }))
}

/** A program that runs Node with these arguments, as a package manager does. */
const started = (arguments_: ReadonlyArray<string>): string =>
  `require("node:child_process").spawn(process.execPath, ${JSON.stringify(arguments_)}, { stdio: "inherit", env: { ...process.env, npm_command: "exec" } })`

const running = async (child: ChildProcessWithoutNullStreams): Promise<ServerProcess> => {
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()))
  const closed = once(child, "close")
  await ready(child, () => printed.out.split("\n").length > 2)
  const base = /^Paymux listening on (\S+)$/m.exec(printed.out)?.[1]
  const testKey = /^Test API key (\S+)$/m.exec(printed.out)?.[1]
  if (base === undefined || testKey === undefined) throw new Error(`did not start:\n${printed.out}\n${printed.err}`)
  return {
    base,
    testKey,
    stdout: () => printed.out,
    stderr: () => printed.err,
    closed,
    kill: async (signal) => {
      const ended = once(child, "exit")
      child.kill(signal)
      const [code] = await ended
      return typeof code === "number" ? code : null
    }
  }
}

const ready = async (child: ChildProcess, done: () => boolean): Promise<void> => {
  const { stdout } = child
  if (stdout === null) throw new Error("no standard output")
  const exited = once(child, "exit").then(() => "exited" as const)
  while (!done()) {
    if ((await Promise.race([once(stdout, "data"), exited])) === "exited") return
  }
}

/** Runs `paymux …` to its end. */
export const command = async (folder: string, ...args: ReadonlyArray<string>) => {
  const bin = await fileOfProgram("paymux")
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = await once(child, "close")
  return { code: typeof code === "number" ? code : null, stdout, stderr }
}
