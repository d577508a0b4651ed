/** `paymux` of a checkout, started as a person starts it. */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Observed } from "../compare/Recording.ts"
import { UsageError } from "./UsageError.ts"

/** The only file of a checkout that is named here, beside the entries of packages that a configuration imports. */
export const entry = "packages/paymux/src/bin.ts"

export interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<Ended>
  /** `last`: the last line that it prints at its start. */
  readonly serve: (last: RegExp) => Promise<Serving>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Serving {
  /** With the base path and the cell: the first line that it prints, without `/v1`. */
  readonly server: string
  readonly key: string
  readonly link: string
  readonly stop: () => Promise<Ended>
}

/** ms. A command that asks a question, or hangs, ends then without an exit code. */
const longestCommand = 120_000

export const programOf = (checkout: string, folder: string): Program => {
  const start = (args: ReadonlyArray<string>, timeout?: number) => {
    const child = spawn(process.execPath, [join(checkout, entry), ...args], {
      cwd: folder,
      timeout,
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(checkout)
    })
    return { child, printed: collect(child) }
  }
  return {
    run: async (args) => {
      const { child, printed } = start(args, longestCommand)
      const [code] = await once(child, "close")
      return { code, ...printed }
    },
    serve: async (last) => {
      const { child, printed } = start(["serve", "--port", "0"])
      const closed = once(child, "close")
      await untilPrinted(child, printed, last)
      const find = (line: RegExp): string => line.exec(printed.stdout)?.[1] ?? "none"
      return {
        server: find(/^Paymux listening on (\S+)\/v1$/m),
        key: find(/^Test API key (\S+)$/m),
        link: find(/^Dashboard: open \S+#(\S+)/m),
        stop: async () => {
          child.kill("SIGTERM")
          const [code] = await closed
          return { code, ...printed }
        }
      }
    }
  }
}

export const observedCommand = (name: string, route: string, { code, stderr, stdout }: Ended): Observed => ({
  kind: "command",
  name,
  route,
  fields: { code: String(code), stdout, stderr }
})

/** Nothing that the person has set, so that a run says the same everywhere. */
const environment = (checkout: string): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  NO_COLOR: "1",
  TZ: "UTC",
  LANG: "C.UTF-8",
  NODE_COMPILE_CACHE: join(checkout, "node_modules/.cache/compiled")
})

const collect = (child: ChildProcess) => {
  const printed = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
  return printed
}

const untilPrinted = async (
  child: ChildProcess,
  printed: { readonly stdout: string; readonly stderr: string },
  expected: RegExp
) => {
  const ended = once(child, "exit").then(() => true)
  while (!expected.test(printed.stdout)) {
    const output = child.stdout === null ? [] : [once(child.stdout, "data")]
    if ((await Promise.race([...output, ended])) === true) {
      throw new UsageError(`paymux serve of ${child.spawnargs[1]} did not start:\n${printed.stdout}${printed.stderr}`)
    }
  }
}
