import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { beginProfile } from "./Profile.ts"
import type { Profile } from "./Profile.ts"
import { cpu, tell } from "./Protocol.ts"
import type { ServerRequest } from "./Protocol.ts"

/**
 * Listens on a free port of the loopback, answers the questions of the benchmark, and ends with it. `settled` resolves when the
 * background work of all requests has finished, so that its CPU is counted.
 */
export const serve = (
  listener: RequestListener,
  apiKey: string,
  close: () => void | Promise<void>,
  settled: () => Promise<void> = async () => undefined
): void => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
    tell({ port: address.port, apiKey })
  })
  const delays = monitorEventLoopDelay({ resolution: 1 })
  let profile: Promise<Profile> | null = null
  process.on("message", (question: ServerRequest) => {
    if (question === "profile") {
      profile = beginProfile()
      return void profile.then(() => tell(0))
    }
    if (question === "parts") {
      if (profile === null) throw new Error("No profile was begun")
      const ended = profile.then(({ end }) => end())
      profile = null
      return void ended.then(tell)
    }
    if (question === "cpu") return void settled().then(() => tell(cpu()))
    const held = delays.max / 1e6
    delays.reset()
    delays.enable()
    return tell(held)
  })
  process.once("disconnect", () => {
    server.closeAllConnections()
    server.close(() => void close())
  })
}
