/** Speaks bytes to a server: what is on the wire, before any HTTP client has made something of it. */
import { Effect } from "effect"
import * as Http from "node:http"
import * as Net from "node:net"

export interface RawRequest {
  /** Method and target. */
  readonly line: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** Sends a request over a connection of its own, which is closed with the scope. */
export const converse = Effect.fnUntraced(function* (url: string, request: RawRequest) {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => Net.connect(Number(new URL(url).port), "127.0.0.1")),
    (opened) => Effect.sync(() => void opened.destroy())
  )
  let bytes = ""
  let ending: string | null = null
  const watching = new Set<() => void>()
  const changed = () => watching.forEach((watch) => watch())
  const ended = (how: string) => {
    ending ??= how
    changed()
  }
  socket.setEncoding("utf8")
  socket.on("data", (chunk) => {
    bytes += String(chunk)
    changed()
  })
  socket.on("end", () => ended("end"))
  socket.on("error", (error: NodeJS.ErrnoException) => ended(error.code ?? error.message))
  socket.write(bytesOf(request))

  const once = <A>(read: () => A | null) =>
    Effect.callback<A>((resume) => {
      const watch = () => {
        const found = read()
        if (found === null) return
        watching.delete(watch)
        resume(Effect.succeed(found))
      }
      watching.add(watch)
      watch()
      return Effect.sync(() => void watching.delete(watch))
    })

  return {
    /** All that came, and how the server ended it: `end` in good order, or the code of an error. */
    seen: once(() => (ending === null ? null : { bytes, ending })),
    /** What has come as soon as it has this end. */
    until: (end: string) => once(() => (bytes.endsWith(end) ? bytes : null)),
    sofar: Effect.sync(() => ({ bytes, ending })),
    hangUp: Effect.sync(() => void socket.destroy())
  }
})

/** The answer to a request of which nothing goes wrong, as an HTTP client reads it. */
export const ask = (url: string, { body = "", headers = {}, line }: RawRequest) =>
  Effect.callback<{ readonly status: number | undefined; readonly body: string }>((resume) => {
    const [method, path] = line.split(" ")
    const { port } = new URL(url)
    const options = {
      port,
      host: "127.0.0.1",
      method,
      path,
      headers: { ...headers, connection: "close" },
      agent: false
    }
    Http.request(options, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk) => (text += String(chunk)))
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode, body: text })))
    })
      .on("error", (error) => resume(Effect.die(error)))
      .end(body)
  })

const bytesOf = ({ body = "", headers = {}, line }: RawRequest): string =>
  [
    `${line} HTTP/1.1`,
    "Host: fake",
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    body
  ].join("\r\n")
