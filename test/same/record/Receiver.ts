/** Where one side delivers its events. It verifies signatures by the secrets that the side has shown. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import type { Observed } from "../compare/Recording.ts"

export interface Receiver {
  readonly url: string
  readonly received: () => ReadonlyArray<Observed>
  /** Whether it came in time. */
  readonly wait: (at: string, type: string, payment: string, times: number) => Promise<boolean>
  readonly close: () => void
}

interface Received {
  readonly at: string
  readonly type: string
  readonly body: string
  readonly observed: Observed
}

/** ms */
const patience = 90_000

/** `broken` refuses every event, `flaky` the first time, `gone` answers 410; other paths accept. */
export const startReceiver = async (secrets: () => ReadonlyArray<string>): Promise<Receiver> => {
  const received: Array<Received> = []
  const seen = new Set<string>()
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const at = (request.url ?? "/").slice(1)
    void buffer(request).then((bytes) => {
      const body = bytes.toString("utf8")
      const id = `${at} ${String(request.headers["webhook-id"])}`
      const status = statusOf(at, seen.has(id))
      seen.add(id)
      const type = /"type":"([^"]+)"/.exec(body)?.[1] ?? "unknown"
      received.push({ at, type, body, observed: observedOf(at, type, body, request.headers, secrets()) })
      response.writeHead(status).end(`answer of ${at}`)
      for (const look of waiting) look()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const count = (at: string, type: string, payment: string) =>
    received.filter((each) => each.at === at && each.type === type && each.body.includes(`"${payment}"`)).length
  return {
    // A TCP server's address is never a pipe's name.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received.map(({ observed }) => observed),
    wait: async (at, type, payment, times) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const look = () => {
        if (count(at, type, payment) >= times) resolve(true)
      }
      const timer = setTimeout(() => resolve(false), patience)
      waiting.add(look)
      look()
      const came = await promise
      clearTimeout(timer)
      waiting.delete(look)
      return came
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const statusOf = (at: string, again: boolean): number => {
  switch (at) {
    case "broken":
      return 500
    case "flaky":
      return again ? 200 : 500
    case "gone":
      return 410
    default:
      return 200
  }
}

const observedOf = (
  at: string,
  type: string,
  body: string,
  headers: IncomingHttpHeaders,
  secrets: ReadonlyArray<string>
): Observed => {
  const shown = Object.entries(headers).filter(([name]) => name !== "webhook-signature" && name !== "content-length")
  return {
    kind: "event",
    name: "",
    route: `event ${type} at ${at}`,
    fields: {
      ...Object.fromEntries(shown.map(([name, value]) => [`header ${name}`, String(value)])),
      "header webhook-timestamp": timeOf(headers["webhook-timestamp"]),
      "header webhook-signature": signedBy(body, headers, secrets),
      body
    }
  }
}

/** Seconds, as any number might be: written out, so that it is compared as a time. */
const timeOf = (seconds: unknown): string =>
  /^\d{10}$/.test(String(seconds)) ? new Date(Number(seconds) * 1000).toISOString() : String(seconds)

/** The secrets that the signatures are valid for: a signature is of its time, and cannot be compared. */
const signedBy = (body: string, headers: IncomingHttpHeaders, secrets: ReadonlyArray<string>): string => {
  const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const valid = secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, signed)
      return true
    } catch {
      return false
    }
  })
  const count = String(headers["webhook-signature"] ?? "").split(" ").length
  return `${count} signatures, valid for ${valid.length === 0 ? "no secret" : valid.join(" ")}`
}
