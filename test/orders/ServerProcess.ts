/** A server of the run: a process that answers clients, asks vendors, and may be killed at any moment. */
import { startChild } from "../crash/ChildProcess.ts"
import type {
  Answered,
  Asked,
  FromServer,
  ServerSettings,
  ToServer,
  VendorAnswer,
  VendorId,
  VendorRequest
} from "./processes/Protocol.ts"
import type { VendorReport } from "./vendorProvider.ts"

export interface ServerProcess {
  /** `null`: it was killed before it answered. */
  readonly create: (asked: Asked) => Promise<Answered | null>
  /** It says nothing about it: vendors repeat their webhooks. */
  readonly receive: (vendor: VendorId, report: VendorReport) => void
  readonly kill: () => Promise<void>
}

export const startServer = async (
  settings: ServerSettings,
  answerOf: (request: VendorRequest) => VendorAnswer,
  onLostReply: () => void
): Promise<ServerProcess> => {
  const child = await startChild<unknown>("orderServer", JSON.stringify(settings))
  const send = (message: ToServer) => child.send(message)
  const waiting = new Map<number, (answer: Answered | null) => void>()
  let requests = 0
  let hasEnded = false
  child.listen((message) => {
    // Boundary: the messages of our own process.
    const said = message as FromServer
    if ("ask" in said) send({ answered: said.request, outcome: answerOf(said.ask) })
    if ("lostReplies" in said) onLostReply()
    if ("answer" in said) {
      waiting.get(said.answered)?.(said.answer)
      waiting.delete(said.answered)
    }
  })
  void child.ended.then(() => {
    hasEnded = true
    for (const resolve of waiting.values()) resolve(null)
  })
  return {
    create: (asked) =>
      new Promise((resolve) => {
        if (hasEnded) return resolve(null)
        requests += 1
        waiting.set(requests, resolve)
        send({ request: requests, create: asked })
      }),
    receive: (vendor, report) => send({ request: 0, receive: { vendor, body: JSON.stringify(report) } }),
    kill: async () => {
      const { signal } = await child.kill("SIGKILL")
      if (signal !== "SIGKILL") throw new Error(`A server had ended on its own:\n${child.log()}`)
    }
  }
}
