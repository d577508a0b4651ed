/** A forked process of the bench: asked over its channel, one question at a time, ended by closing the channel. */
import { fork } from "node:child_process"
import type { Serializable } from "node:child_process"
import { join } from "node:path"
import type { Listening, LoadRequest, LoadResult, Parts, ServerRequest } from "./processes/Protocol.ts"

export interface Server extends Listening {
  /** µs of CPU since it started. */
  readonly cpu: () => Promise<number>
  /** ms for which its event loop was held at most, since this was asked for the last time. */
  readonly held: () => Promise<number>
  readonly beginProfile: () => Promise<unknown>
  /** µs of its main thread since then, by part. */
  readonly endProfile: () => Promise<Parts>
  readonly close: () => Promise<void>
}

export const startServer = async (script: string, ...args: ReadonlyArray<string>): Promise<Server> => {
  const child = start(script, args)
  // Boundary: the messages of our own script.
  const { apiKey, port } = (await child.next()) as Listening
  const number = async (question: ServerRequest) => (await child.ask(question)) as number
  return {
    apiKey,
    port,
    cpu: () => number("cpu"),
    held: () => number("held"),
    beginProfile: () => child.ask("profile"),
    endProfile: async () => (await child.ask("parts")) as Parts,
    close: child.close
  }
}

export const startLoad = () => {
  const child = start("load.ts", [])
  return { run: async (request: LoadRequest) => (await child.ask(request)) as LoadResult, close: child.close }
}

/** `script`: from `processes` on. */
export const start = (script: string, args: ReadonlyArray<string>) => {
  const child = fork(join(import.meta.dirname, "processes", script), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  let ended: Error | undefined
  const exited = new Promise<void>((resolve) =>
    child.once("exit", (code, signal) => {
      ended = new Error(`${script} ended early, with ${signal ?? `code ${code}`}`)
      resolve()
    })
  )
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      const onExit = () => reject(ended)
      if (ended !== undefined) return onExit()
      child.once("exit", onExit)
      child.once("message", (message) => {
        child.off("exit", onExit)
        resolve(message)
      })
    })
  return {
    pid: child.pid,
    signal: (signal: "SIGSTOP" | "SIGCONT") => child.kill(signal),
    /** The first message, which a server sends without a request. */
    next,
    ask: (question: Serializable) => {
      const answer = next()
      // The exit reports why it could not be sent.
      child.send(question, () => undefined)
      return answer
    },
    close: () => {
      if (child.connected) child.disconnect()
      return exited
    }
  }
}
