/**
 * What the fakes leave out of a vendor's test mode: cards that do as their token says, and pages for the shopper. A server
 * stands before each fake; requests go through it, and the pages that an answer speaks of are at this server.
 */
import type { Fake, ScriptedOutcome, Ledger, Vendor } from "@paymux/testkit"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface TestMode {
  readonly fake: { readonly url: string; readonly ledger: Ledger }
  /** The token in a request, and what becomes of its payment. */
  readonly scriptedOutcomes: { readonly [token: string]: ScriptedOutcome }
  /** Addresses of pages, wherever the fake says one; global. */
  readonly pages: RegExp
  /** The field of a request that says where the shopper comes back to. */
  readonly backIn: RegExp
  /** What is appended to that address. */
  readonly appended: (page: string) => { readonly [name: string]: string }
}

/** Where it listens. */
export const testMode = async (mode: TestMode): Promise<string> => {
  /** Addresses to go back to, by the path of the page. */
  const open = new Map<string, string>()
  const server = createServer((request, response) => {
    const page = open.get(request.url ?? "")
    const served = page === undefined ? forward(mode, open, request, response) : leave(mode, page, request, response)
    // As a network would: no answer.
    served.catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  return `http://127.0.0.1:${portOf(server.address())}`
}

/** Opening a page approves the payment. A ledger has one payer for all payments, so every open page is approved. */
const leave = async ({ appended, fake }: TestMode, back: string, { url = "" }: IncomingMessage, to: ServerResponse) => {
  fake.ledger.decide("approve")
  fake.ledger.payersAct()
  const address = new URL(back)
  for (const [name, value] of Object.entries(appended(url))) address.searchParams.set(name, value)
  to.writeHead(302, { location: address.href }).end()
}

const forward = async (
  mode: TestMode,
  open: Map<string, string>,
  request: IncomingMessage,
  response: ServerResponse
) => {
  const { backIn, fake, scriptedOutcomes, pages } = mode
  const { headers, method = "GET", socket, url = "" } = request
  const body = await text(request)
  const token = Object.keys(scriptedOutcomes).find((each) => body.includes(each))
  fake.ledger.decide(token === undefined ? "approve" : (scriptedOutcomes[token] ?? "approve"))
  const answer = await fetch(`${fake.url}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) => (ours.has(name) ? [] : [[name, String(value)]])),
    ...(body !== "" && { body })
  })
  const here = `http://127.0.0.1:${socket.localPort}`
  const reported = (await answer.text()).replaceAll(pages, (page) => {
    const { pathname, search } = new URL(page)
    const back = backIn.exec(body)?.[1]
    if (back !== undefined) open.set(`${pathname}${search}`, decodeURIComponent(back))
    return `${here}${pathname}${search}`
  })
  const kept = [...answer.headers].filter(([name]) => !ours.has(name))
  response.writeHead(answer.status, Object.fromEntries(kept)).end(reported)
}

/** Headers that are about one connection. */
const ours: ReadonlySet<string> = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding"])

// A TCP server that listens has an address of this form.
const portOf = (address: AddressInfo | string | null): number => (address as AddressInfo).port

/** Its shoppers do nothing before they have opened a page; every other second it reports what they did. */
export const withoutHurry = <V extends Vendor>(fake: Fake<V>): Fake<V> => ({
  ...fake,
  start: (options) => Effect.map(fake.start(options), (vendor) => ({ ...vendor, payersAct: Effect.void }))
})
