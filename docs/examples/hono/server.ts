import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { paymux, port } from "./paymux.ts"

const app = new Hono()

// Before anything that reads a body.
app.use((context, next) => (paymux.owns(context.req.path) ? paymux.fetch(context.req.raw) : next()))

app.post("/orders", async (context) => {
  const { item } = await context.req.json<{ item: string }>()
  return context.json({ ordered: item }, 201)
})

const server = serve({ fetch: app.fetch, port }, () => {
  console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)
})

process.once("SIGTERM", () => void paymux.close({ server }))
