/** Two cells with a database each, behind a proxy that routes by the start of a header or of the path, and knows nothing else. */
import { defineProvider, Outcome } from "@paymux/core"
import type { Evidence, Provider, ProviderOperation } from "@paymux/core"
import { Effect, Schema } from "effect"
import { once } from "node:events"
import { createServer, request as httpRequest } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"

export const cellNames = ["eu1", "us1"] as const
export type CellName = (typeof cellNames)[number]

/** What was sent to the provider, which both cells have one account at. */
export interface Sends {
  readonly all: Array<ProviderOperation>
}

/** Holds a card payment that is captured later, and leaves any other to its payer. Its webhooks are the evidence itself. */
export const acme = (sends: Sends): Provider<"acme"> =>
  defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: {
        card: { currencies: ["EUR"], flows: { hosted: {} }, captureMethods: ["automatic", "manual"] }
      },
      operations: {
        create: idempotent,
        capture: { ...idempotent, partial: true },
        cancel: idempotent,
        refund: idempotent
      }
    }),
    make: () => {
      const sent = (outcome: Outcome.SendOutcome) => (operation: ProviderOperation) =>
        Effect.sync(() => (sends.all.push(operation), outcome))
      const done = sent(Outcome.succeeded())
      return Effect.succeed({
        create: (operation: ProviderOperation) =>
          sent(
            operation.captureMethod === "manual"
              ? Outcome.authorized()
              : Outcome.pending({
                  nextAction: { type: "redirect", url: operation.returnUrl ?? "https://acme.test", expiresAt: null }
                })
          )(operation),
        capture: done,
        cancel: done,
        refund: done,
        // Boundary: a vendor may send any JSON.
        webhook: (body: Uint8Array) =>
          Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
      })
    }
  })({})

const idempotent = { idempotency: { by: "header", lifetime: "24 hours" } } as const

/** What the provider posts about an operation that was paid. */
export const paid = (operation: string, eventId: string) =>
  JSON.stringify([
    { source: "webhook", about: { operation }, outcome: { _tag: "Succeeded" }, eventId, occurredAt: null }
  ])

export interface TwoCells extends AsyncDisposable {
  /** Of the proxy. */
  readonly url: string
  readonly sends: Sends
  readonly cells: { readonly [name in CellName]: Paymux }
}

export const twoCells = async (databases: { readonly [name in CellName]: string }): Promise<TwoCells> => {
  const ports = new Map<string, number>()
  const proxy = createServer((request, response) => forward(ports.get(cellIn(request)), request, response))
  const url = `http://127.0.0.1:${await listening(proxy)}`
  const sends: Sends = { all: [] }
  const started = await Promise.all(
    cellNames.map(async (cell) => {
      const paymux = await createPaymux({
        providers: [acme(sends)],
        sandbox: true,
        logs: false,
        database: databases[cell],
        publicUrl: url,
        cell
      })
      const server = createServer(paymux.node)
      ports.set(cell, await listening(server))
      return { paymux, server }
    })
  )
  const [eu1, us1] = started
  if (eu1 === undefined || us1 === undefined) throw new Error("not both cells were started")
  return {
    url,
    sends,
    cells: { eu1: eu1.paymux, us1: us1.paymux },
    [Symbol.asyncDispose]: async () => {
      for (const server of [proxy, eu1.server, us1.server]) {
        server.close()
        server.closeAllConnections()
      }
      await Promise.all([eu1.paymux.close(), us1.paymux.close()])
    }
  }
}

/** What names no cell goes to the first one. */
const cellIn = ({ headers, url = "" }: IncomingMessage): string =>
  cellNames.find(
    (cell) =>
      url.startsWith(`/cells/${cell}/`) ||
      ["test", "live"].some((mode) => headers.authorization?.startsWith(`Bearer pmx_${mode}_${cell}_`) === true)
  ) ?? cellNames[0]

const forward = (port: number | undefined, request: IncomingMessage, response: ServerResponse) => {
  const { headers, method, url } = request
  const upstream = httpRequest({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  upstream.on("error", () => response.destroy())
  request.pipe(upstream)
}

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server that listens has an address of this form.
  return (server.address() as AddressInfo).port
}
