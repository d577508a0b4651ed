import express from "express"
import { paymux, port } from "./paymux.ts"

const app = express()

// Before any parser: what a provider signed are the bytes as they came.
app.use((request, response, next) => {
  if (paymux.owns(request.path)) paymux.node(request, response)
  else next()
})

app.use(express.json())

app.post("/orders", (request, response) => {
  response.status(201).json({ ordered: request.body.item })
})

const server = app.listen(port, (error) => {
  if (error) throw error
  console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)
})

process.once("SIGTERM", () => void paymux.close({ server }))
