/** A shop: its page, an order that redirects to the payment page, and a page that shows the payment's status on return. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { createPaymux } from "paymux"

const port = Number(process.env["PORT"] ?? 3000)
const address = `http://localhost:${port}`
const paymux = await createPaymux({
  sandbox: true,
  database: ":memory:",
  publicUrl: address,
  checkout: { name: "Chai & Co.", color: "#8a3b12" }
})

/** The price stands here, on the server: a browser must not send it. */
const order = async (request: IncomingMessage, response: ServerResponse) => {
  const form = new URLSearchParams(await text(request))
  const payment = await paymux.payments.create({
    amount: 10_000,
    currency: "INR",
    payment_method: form.get("method") === "card" ? "card" : "upi",
    customer: { email: form.get("email") ?? "", phone: form.get("phone") ?? "" },
    description: "Masala chai, 250 g",
    return_url: `${address}/thanks`,
    metadata: { sandbox_scenario: "undecided" } // the sandbox's payer waits for a click
  })
  response.writeHead(303, { location: payment.hosted_url ?? "/" }).end()
}

/** The address of a return proves nothing: the API says whether the payment succeeded. */
const thanks = async (id: string, response: ServerResponse) => {
  const { status } = await paymux.payments.get(id)
  response.setHeader("content-type", "text/plain").end(status === "succeeded" ? "Thank you!" : `Payment ${status}.`)
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", address)
  if (paymux.owns(pathname)) return paymux.node(request, response)
  const answered =
    request.method === "POST" && pathname === "/orders"
      ? order(request, response)
      : pathname === "/thanks"
        ? thanks(searchParams.get("payment_id") ?? "", response)
        : Promise.resolve(response.setHeader("content-type", "text/html").end(page))
  answered.catch((error: Error) => response.writeHead(400, { "content-type": "text/plain" }).end(error.message))
}).listen(port)

const page = readFileSync(new URL("shop.html", import.meta.url))
await once(server, "listening")
console.log(`The shop is open at ${address}`)

process.once("SIGTERM", () => void paymux.close({ server }))
