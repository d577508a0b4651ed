/**
 * Reads the body of a request. The content encoding is checked before any byte is read, and the content type before the
 * body is parsed. At most `CurrentBodyLimit` bytes are read. The edge has already rejected a body whose announced
 * length exceeds the limit.
 */
import { ByteSize, Effect, Result } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { IncomingMessage } from "node:http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { CurrentBodyLimit } from "./BodyLimit.ts"
import { CurrentRequestNote, maxNotedBody } from "./RequestNote.ts"
import type { RequestNote } from "./RequestNote.ts"
import * as StrictJson from "./StrictJson.ts"

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads the body as a strict JSON object. */
export const readJsonObject = Effect.fnUntraced(function* (request: HttpServerRequest) {
  if (!isJson(request.headers["content-type"]) || isEncoded(request.headers)) {
    return yield* unsupported
  }
  return yield* parsed(yield* read(request))
})

/** Reads the body as a strict JSON object. A missing body is an empty object. */
export const readOptionalJsonObject = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const bytes = yield* readBytes(request)
  if (bytes.length === 0) return {}
  if (!isJson(request.headers["content-type"])) return yield* unsupported
  return yield* parsed(bytes)
})

const unsupported = new ApiProblem({ code: "unsupported_media_type" })

const parsed = (bytes: Uint8Array) =>
  Effect.flatMap(CurrentRequestNote, (note) => Effect.fromResult(parseNoted(bytes, note)))

/**
 * Parses the body as a strict JSON object. A body of at most `maxNotedBody` bytes is also added to the request's note,
 * for the request log.
 */
export const parseNoted = (bytes: Uint8Array, note: RequestNote | null) => {
  const body = StrictJson.parseObject(bytes)
  if (note !== null && Result.isSuccess(body) && bytes.length <= maxNotedBody) note.body = bytes
  return body
}

/** Reads the bytes of a body of any content type. */
export const readBytes = Effect.fnUntraced(function* (request: HttpServerRequest) {
  if (isEncoded(request.headers)) {
    return yield* new ApiProblem({
      code: "unsupported_media_type",
      detail: "A body with a Content-Encoding is not accepted."
    })
  }
  return yield* read(request)
})

/** Whether a `Content-Type` is JSON in UTF-8. */
export const isJson = (type: string | undefined): boolean => JSON_TYPE.test(type ?? "")

const isEncoded = (headers: HttpServerRequest["headers"]): boolean => {
  const [content = "identity", transfer = "chunked"] = [headers["content-encoding"], headers["transfer-encoding"]]
  return content !== "identity" || (transfer !== "chunked" && transfer.toLowerCase() !== "chunked")
}

const read = (request: HttpServerRequest) =>
  Effect.flatMap(CurrentBodyLimit, (limit) => {
    const { source } = request
    if (source instanceof IncomingMessage) return nodeBody(source, limit)
    if (source instanceof Request) return webBody(source, limit)
    return otherBody(request, limit)
  })

/**
 * Reads the body of a `node:http` request from the message itself: the generic reader waits for the message to close,
 * and costs several times more. At most `limit` bytes are read; a longer body gets 413, and its rest is not read.
 */
export const nodeBody = (message: IncomingMessage, limit: number): Effect.Effect<Uint8Array, ApiProblem> =>
  message.readableEnded || message.destroyed
    ? alreadyRead
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
        const end = () => settle(Effect.succeed(joined(chunks)))
        const fail = () => settle(Effect.fail(incompleteBody))
        const settle = (read: Effect.Effect<Uint8Array, ApiProblem>) => {
          stop()
          resume(read)
        }
        const stop = () => {
          message.off("data", data)
          message.off("end", end)
          message.off("error", fail)
          message.off("close", fail)
        }
        message.on("data", data)
        message.on("end", end)
        message.on("error", fail)
        message.on("close", fail)
        return Effect.sync(stop)
      })

/**
 * Reads the body of a web `Request` from its stream. At most `limit` bytes are read, and at most the length in
 * `Content-Length`, which may be wrong because a `Request` can be constructed with any header. A longer body gets 413,
 * and its rest is not read; a shorter body gets 400.
 */
export const webBody = (request: Request, limit: number): Effect.Effect<Uint8Array, ApiProblem> =>
  request.bodyUsed
    ? alreadyRead
    : Effect.callback((resume) => {
        let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
        const cancel = () => void reader?.cancel().catch(() => undefined)
        const read = async (): Promise<Effect.Effect<Uint8Array, ApiProblem>> => {
          const announced = request.headers.get("content-length")
          const most = announced === null ? limit : Math.min(Number(announced), limit)
          const chunks: Array<Uint8Array> = []
          let length = 0
          // `getReader` throws if the host application has already locked the stream.
          reader = request.body?.getReader()
          for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
            chunks.push(next.value)
            length += next.value.byteLength
            if (length > most) {
              cancel()
              return Effect.fail(tooLarge)
            }
          }
          return announced === null || length === Number(announced)
            ? Effect.succeed(joined(chunks))
            : Effect.fail(incompleteBody)
        }
        // Reading fails if the host application is reading the stream, or if the connection broke. After a broken
        // connection, no client reads the response.
        read().then(resume, () => resume(Effect.fail(tooLarge)))
        return Effect.sync(cancel)
      })

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** Reads the body of a request whose server uses neither `node:http` nor web `Request`s. */
const otherBody = (request: HttpServerRequest, limit: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(limit)),
    // Reading fails if the body exceeds the limit, or if the connection broke. After a broken connection, no client
    // reads the response.
    Effect.mapError(() => tooLarge),
    Effect.flatMap((bytes) =>
      bytes.byteLength > limit ? Effect.fail(tooLarge) : Effect.succeed(new Uint8Array(bytes))
    )
  )

/** The error for a body that is larger than the limit of its route. */
export const tooLarge = new ApiProblem({ code: "payload_too_large" })

const incompleteBody = new ApiProblem({ code: "invalid_request", detail: "The request body is incomplete." })

const readByHost =
  "The host read the body before Paymux could. Mount Paymux before body parsers such as express.json(), or mount those on other paths only."

/**
 * The error if the host application has already read the body. It is logged, and the response explains how to fix the
 * host application.
 */
const alreadyRead: Effect.Effect<never, ApiProblem> = Effect.andThen(
  Effect.logError(readByHost),
  Effect.fail(new ApiProblem({ code: "internal", detail: readByHost }))
)
