/** `node serveFetch.ts server.ts`: serves the default export of a module, as Bun and Deno do by themselves. */
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

interface Served {
  readonly port: number
  readonly fetch: (request: Request) => Promise<Response>
}

// Boundary: the shape that Bun and Deno ask for.
const { default: app } = (await import(process.argv[2] ?? "")) as { readonly default: Served }

createServer(async (request, response) => {
  const { headers, method = "GET", url = "/" } = request
  const hasBody = method !== "GET" && method !== "HEAD"
  const asked = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(request), duplex: "half" as const })
  })
  const answer = await app.fetch(asked)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) response.end()
  else await pipeline(answer.body, response)
}).listen(app.port)
