/** The body of a web `Request`, read from its stream. */
import { Effect } from "effect"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import { brokenOff, wasRead } from "./NodeBody.ts"
import { tooLarge } from "./tooLarge.ts"

/**
 * At most `limit` bytes, and as many as were announced: a `Request` can be constructed with any length. More are 413, and the
 * rest is not read; fewer are 400.
 */
export const webBody = (request: Request, limit: number): Effect.Effect<Uint8Array, ApiProblem> =>
  request.bodyUsed
    ? wasRead
    : Effect.callback((resume) => {
        const announced = lengthOf(request)
        let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
        const cancel = () => void reader?.cancel().catch(() => undefined)
        const read = async () => {
          // Fails if another reader holds the stream.
          reader = request.body?.getReader()
          return reader === undefined
            ? new Uint8Array()
            : readAll(reader, announced === null ? limit : Math.min(announced, limit))
        }
        read().then(
          (bytes) => {
            if (bytes === null) cancel()
            resume(bytes === null ? Effect.fail(tooLarge) : whole(bytes, announced))
          },
          // The host is reading the stream, or the connection broke: then no client reads the response.
          () => resume(Effect.fail(tooLarge))
        )
        return Effect.sync(cancel)
      })

/** As it was announced; `null`: it was not. */
const lengthOf = ({ headers }: Request): number | null => {
  const length = headers.get("content-length")
  return length === null ? null : Number(length)
}

const whole = (bytes: Uint8Array, announced: number | null): Effect.Effect<Uint8Array, ApiProblem> =>
  announced === null || bytes.length === announced ? Effect.succeed(bytes) : Effect.fail(brokenOff)

const readAll = async (reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Uint8Array | null> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    length += read.value.byteLength
    if (length > limit) return null
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
