/** The body of a web `Request`, read from its stream. */
import { Effect } from "effect"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { wasRead } from "./NodeBody.ts"

/** At most `limit` bytes, and no more than were announced: a `Request` can be constructed with any length. More are 413. */
export const webBody = (request: Request, limit: number): Effect.Effect<Uint8Array, ApiProblem> =>
  request.bodyUsed
    ? wasRead
    : Effect.callback((resume) => {
        let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
        const cancel = () => void reader?.cancel().catch(() => undefined)
        const read = async () => {
          // Fails if another reader holds the stream.
          reader = request.body?.getReader()
          return reader === undefined ? new Uint8Array() : readAll(reader, mostOf(request, limit))
        }
        read().then(
          (bytes) => {
            if (bytes === null) cancel()
            resume(bytes === null ? Effect.fail(tooLarge) : Effect.succeed(bytes))
          },
          // The host is reading the stream, or the connection broke: then no client reads the response.
          () => resume(Effect.fail(tooLarge))
        )
        return Effect.sync(cancel)
      })

const mostOf = ({ headers }: Request, limit: number): number => {
  const announced = Number(headers.get("content-length") ?? limit)
  return announced < limit ? announced : limit
}

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

const tooLarge = new ApiProblem({ code: "payload_too_large" })
