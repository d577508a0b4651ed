/** Stands between a client and a fake over loopback, and keeps each request with its whole answer. */
import { Effect } from "effect"
import * as Http from "node:http"

export interface Exchange {
  readonly method: string
  readonly path: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly status: number
  readonly answer: string
}

export const record = Effect.fnUntraced(function* (url: string) {
  const exchanges: Array<Exchange> = []
  const server = Http.createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk))
    incoming.on("end", () => {
      const { method = "GET", url: path = "/" } = incoming
      const body = Buffer.concat(chunks).toString("utf8")
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const { connection: _connection, "content-length": _length, host: _host, ...passed } = headers
      void fetch(`${url}${path}`, { method, headers: passed, ...(body !== "" && { body }) })
        .then(async (answered) => ({ status: answered.status, answer: await answered.text() }))
        .then(({ answer, status }) => {
          exchanges.push({ method, path, headers, body, status, answer })
          response.writeHead(status, { "content-type": "application/json" })
          response.end(answer)
        })
    })
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () => Effect.sync(() => (server.closeAllConnections(), server.close()))
  )
  return { url: `http://127.0.0.1:${port}`, exchanges }
})
