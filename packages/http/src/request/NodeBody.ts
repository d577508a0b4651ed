/**
 * The body of a request of `node:http`, read from the message itself: the generic reader waits for the message to close
 * and costs several times more, on the one request that everybody sends.
 */
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { tooLarge } from "./tooLarge.ts"

/** At most `limit` bytes; more are 413, and the rest is not read. */
export const nodeBody = (message: IncomingMessage, limit: number): Effect.Effect<Uint8Array, ApiProblem> =>
  message.readableEnded || message.destroyed
    ? wasRead
    : Effect.callback((resume) => {
        const chunks: Array<Buffer> = []
        let length = 0
        const data = (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length <= limit) return
          stop()
          message.pause()
          resume(Effect.fail(tooLarge))
        }
        const end = () => {
          stop()
          const [only] = chunks
          resume(Effect.succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)))
        }
        const broken = () => {
          stop()
          resume(Effect.fail(brokenOff))
        }
        const stop = () => {
          message.off("data", data)
          message.off("end", end)
          message.off("error", broken)
          message.off("close", broken)
        }
        message.on("data", data)
        message.on("end", end)
        message.on("error", broken)
        message.on("close", broken)
        return Effect.sync(stop)
      })

export const brokenOff = new ApiProblem({ code: "invalid_request", detail: "The request body is incomplete." })

const detail =
  "The host read the body before Paymux could. Mount Paymux before body parsers such as express.json(), or mount those on other paths only."

/** A fault of the host: it is logged, and the response says how to fix it. */
export const wasRead: Effect.Effect<never, ApiProblem> = Effect.andThen(
  Effect.logError(detail),
  Effect.fail(new ApiProblem({ code: "internal", detail }))
)
