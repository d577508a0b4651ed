import { paymux, port } from "./paymux.ts"

export default {
  port,
  async fetch(request: Request): Promise<Response> {
    if (paymux.owns(request.url)) return paymux.fetch(request)
    if (request.method === "POST" && new URL(request.url).pathname === "/orders") {
      const { item } = (await request.json()) as { readonly item: string }
      return Response.json({ ordered: item }, { status: 201 })
    }
    return new Response("Not found", { status: 404 })
  }
}

console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)

process.once("SIGTERM", () => void paymux.close().then(() => process.exit()))
