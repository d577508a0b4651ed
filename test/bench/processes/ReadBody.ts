import type { IncomingMessage } from "node:http"

/** The whole body as text. */
export const readBody = (request: IncomingMessage, use: (body: string) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => use(Buffer.concat(chunks).toString("utf8")))
}
