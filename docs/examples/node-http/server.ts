import { createServer } from "node:http"
import { createPaymux } from "paymux"

const port = Number(process.env["PORT"] ?? 3000)
const paymux = await createPaymux({ sandbox: true, publicUrl: `http://localhost:${port}` })
const server = createServer(paymux.node).listen(port, () => {
  console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)
})

process.once("SIGTERM", () => void paymux.close({ server }))
