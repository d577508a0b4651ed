/** Runs the programs that the dashboard prints, as a person does who copies them. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const execute = promisify(execFile)
const client = fileURLToPath(new URL("../../packages/client", import.meta.url))

/** What a command of a shell prints. */
export const runInShell = async (command: string): Promise<string> =>
  (await execute("bash", ["-c", command], { timeout: 30_000 })).stdout

/** A folder in which `npm install @paymux/client` was run. */
export const makeProject = () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-printed-"))
  mkdirSync(join(folder, "node_modules/@paymux"), { recursive: true })
  symlinkSync(client, join(folder, "node_modules/@paymux/client"))
  const save = (name: string, code: string): string => {
    writeFileSync(join(folder, name), code)
    return join(folder, name)
  }
  return {
    /** What a Node program prints. */
    runNode: async (name: string, code: string): Promise<string> =>
      (await execute(process.execPath, [save(name, code)], { timeout: 30_000 })).stdout,
    /** A program that goes on; it is there when the port answers. */
    startReceiver: async (command: string, name: string, code: string, port: number): Promise<StartedProgram> => {
      const program = spawn(command, [save(name, code)], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
      const ended = once(program, "exit")
      let printed = ""
      program.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text))
      await Promise.race([
        answers(port),
        ended.then(() => Promise.reject(new Error(`${name} ended before it received anything: ${printed}`)))
      ])
      return {
        printed: () => printed,
        stop: async () => {
          program.kill()
          await ended
        }
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

export interface StartedProgram {
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

const answers = async (port: number): Promise<void> => {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "not signed" })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
