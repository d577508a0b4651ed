/** Stands between a client and a fake over loopback, and keeps each request with its whole answer. */
import { Effect } from "effect"
import * as Http from "node:http"

export interface Exchange {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly status: number
  readonly answer: string
}

export const record = (url: string) =>
  Effect.gen(function* () {
    const exchanges: Array<Exchange> = []
    const server = Http.createServer((incoming, response) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => void chunks.push(chunk))
      incoming.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8")
        const method = incoming.method ?? "GET"
        const path = incoming.url ?? "/"
        const headers = Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        )
        const { connection: _connection, "content-length": _length, host: _host, ...passed } = headers
        void fetch(`${url}${path}`, { method, headers: passed, ...(body !== "" && { body }) })
          .then(async (answered) => ({ answered, answer: await answered.text() }))
          .then(({ answer, answered }) => {
            exchanges.push({ method, path, headers, body, status: answered.status, answer })
            response.writeHead(answered.status, {
              "content-type": answered.headers.get("content-type") ?? "text/plain"
            })
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
