/** One request as bytes, and its answer as bytes. */
import { request } from "node:http"
import { buffer } from "node:stream/consumers"

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | null
}

export interface Answer {
  readonly status: number
  /** Names and values in turn, as they were sent. */
  readonly headers: ReadonlyArray<string>
  readonly body: Buffer
}

/** ms */
const longest = 60_000

export const exchange = async ({ body, headers, method, url }: Sent): Promise<Answer> => {
  const { promise, reject, resolve } = Promise.withResolvers<Answer>()
  const outgoing = request(url, { method, headers, agent: false })
  // A server may answer and close before it has read the whole body.
  outgoing.on("error", reject)
  outgoing.on("response", (response) => {
    const { rawHeaders, statusCode = 0 } = response
    buffer(response).then((bytes) => resolve({ status: statusCode, headers: rawHeaders, body: bytes }), reject)
  })
  outgoing.end(body ?? undefined)
  const timer = setTimeout(
    () => outgoing.destroy(new Error(`${method} ${url} had no answer for ${longest} ms.`)),
    longest
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    outgoing.destroy()
  }
}

export const fieldsOf = ({ body, headers, status }: Answer): { readonly [field: string]: string } => {
  const named = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? ""] as const] : []))
  return {
    status: String(status),
    "header names": named.map(([name]) => name).join(", "),
    ...Object.fromEntries(
      named.map(([name, value], index) => [
        // A name may stand twice, as `set-cookie` does.
        `header ${name.toLowerCase()}${named.findIndex(([other]) => other === name) === index ? "" : ` ${index}`}`,
        name.toLowerCase() === "content-length" && Number(value) === body.length ? "of the body" : value
      ])
    ),
    body: isText(body) ? body.toString("utf8") : body.toString("latin1")
  }
}

const isText = (body: Buffer): boolean => Buffer.from(body.toString("utf8"), "utf8").equals(body)
