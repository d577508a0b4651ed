import { fastify } from "fastify"
import { paymux, port } from "./paymux.ts"

const app = fastify()

app.register(async (scope) => {
  // The bytes stay where they are: Paymux reads them, and answers.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _body, done) => done(null))
  for (const path of [
    "/v1/*",
    "/webhooks/*",
    "/return/*",
    "/pay/*",
    "/sandbox/*",
    "/docs/problems/*",
    "/dashboard",
    "/dashboard/*"
  ]) {
    scope.all(path, (request, reply) => {
      reply.hijack()
      paymux.node(request.raw, reply.raw)
    })
  }
})

app.post<{ Body: { item: string } }>("/orders", async (request, reply) => {
  reply.status(201)
  return { ordered: request.body.item }
})

// Before Fastify stops its server, which the event stream of a payment page would keep open.
app.addHook("preClose", () => paymux.close({ server: app.server }))

await app.listen({ port })
console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)

process.once("SIGTERM", () => void app.close())
