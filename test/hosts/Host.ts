/** An example under `docs/examples`, run as a person runs it: a process, an address, the key that it prints. */
import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { createInterface } from "node:readline"
import { freePort } from "../support/freePort.ts"

export const root = resolve(import.meta.dirname, "../..")

export interface Example {
  /** What Node is given, from the root of the repository. */
  readonly entry: ReadonlyArray<string>
  /** Packages that are loaded in the place of others, by their names. */
  readonly instead?: { readonly [name: string]: string }
  /** How the example differs here. */
  readonly changes?: ReadonlyArray<Change>
}

export interface Change {
  /** The end of its path. Default: the last file of `entry`. */
  readonly file?: string
  /** What the file says. */
  readonly from: string
  /** What it says here. */
  readonly to: string
}

/** Of the account at Stripe that the examples get from their environment. */
export const stripeAccount = { secretKey: "sk_test_hosts", webhookSecret: "whsec_hosts" }

export interface Running {
  readonly url: string
  readonly port: number
  readonly testKey: string
  /** Sends SIGTERM. */
  readonly terminate: () => void
  /** The exit code and the signal; and what it wrote to standard error. */
  readonly ended: Promise<{ readonly exit: readonly [number | null, NodeJS.Signals | null]; readonly errors: string }>
  /** Leaves nothing behind. */
  readonly remove: () => Promise<void>
}

/** A process that may not have come to listen yet. */
export const launch = async (example: Example, port: number) => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-host-"))
  const child = spawn(process.execPath, [...preloaded(example), ...example.entry.map(fromRoot)], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      STRIPE_SECRET_KEY: stripeAccount.secretKey,
      STRIPE_WEBHOOK_SECRET: stripeAccount.webhookSecret,
      EXAMPLE: JSON.stringify(example)
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const errors = text(child.stderr)
  const ended = once(child, "exit").then(async ([code, signal]) => ({
    exit: [code, signal] as const,
    errors: await errors
  }))
  const remove = async () => {
    child.kill("SIGKILL")
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  return { child, ended, remove }
}

export const start = async (example: Example): Promise<Running> => {
  for (let tries = 1; ; tries++) {
    const running = await startAt(example, await freePort())
    if (typeof running !== "string") return running
    // Another test, or a connection of one, may have taken the port since it was found.
    if (tries === 5 || !running.includes("EADDRINUSE")) {
      return assert.fail(`${example.entry.join(" ")} ended: ${running}`)
    }
  }
}

/** A text: it ended, with these errors. */
const startAt = async (example: Example, port: number): Promise<Running | string> => {
  const { child, ended, remove } = await launch(example, port)
  try {
    const testKey = await printedKey(child)
    // Bun and Deno listen when the module has been run, and has printed its line.
    while (child.exitCode === null && !(await isAccepting(port)));
    if (testKey === null || child.exitCode !== null) {
      const { errors } = await ended
      await remove()
      return errors
    }
    return {
      url: `http://localhost:${port}`,
      port,
      testKey,
      terminate: () => void child.kill("SIGTERM"),
      ended,
      remove
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** `act`, with the example running. */
export const running = async (example: Example, act: (host: Running) => Promise<void>): Promise<void> => {
  const host = await start(example)
  try {
    await act(host)
  } finally {
    await host.remove()
  }
}

const preloaded = ({ changes, instead }: Example): ReadonlyArray<string> =>
  instead === undefined && changes === undefined ? [] : ["--import", join(import.meta.dirname, "preload.ts")]

const fromRoot = (argument: string): string => (argument.includes("/") ? join(root, argument) : argument)

const printedKey = async ({ stdout }: ChildProcess): Promise<string | null> => {
  if (stdout === null) return null
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const key = / key (pmx_test_\w+)$/.exec(line)?.[1]
    if (key === undefined) continue
    stdout.resume()
    return key
  }
  return null
}

export const isAccepting = async (port: number): Promise<boolean> => {
  const socket = createConnection(port, "localhost")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
