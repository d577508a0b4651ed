/** Prints the webhooks of Paymux. `SECRET` is what `paymux webhooks add` printed. */
import { webhooks } from "@paymux/client"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

const secret = process.env["SECRET"] ?? ""

createServer((request, response) => {
  text(request)
    .then((body) => webhooks.verify(body, request.headers, secret))
    .then(({ data, type }) => {
      process.stdout.write(`${type} ${"refund" in data ? data.refund.id : data.payment.id}\n`)
      response.writeHead(204).end()
    })
    .catch((error) => {
      process.stderr.write(`${String(error)}\n`)
      response.writeHead(400).end()
    })
}).listen(Number(process.env["PORT"] ?? 4311), "127.0.0.1")
