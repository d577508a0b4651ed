/** A bare `node:http` server that parses JSON and answers it: what HTTP and JSON cost at least. */
import { readBody } from "./ReadBody.ts"
import { serve } from "./Serve.ts"

serve(
  (request, response) =>
    readBody(request, (body) => {
      const answer = JSON.stringify(JSON.parse(body))
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) })
      response.end(answer)
    }),
  "none",
  () => undefined
)
