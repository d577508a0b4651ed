/** The direct route and the router: the same response to every request, byte for byte. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import * as fc from "fast-check"
import { amount } from "../../../../test/support/amount.ts"
import { TestServer } from "../support/server.ts"
import type { TestServerOptions, Way } from "../support/server.ts"
import { anyRequest } from "./anyRequest.ts"
import type { AnyRequest } from "./anyRequest.ts"

type Server = TestServer["Service"]

const server = (way: Way, options: TestServerOptions = {}) =>
  Effect.map(Layer.build(TestServer.layer({ ...options, way })), (context) => Context.get(context, TestServer))

const both = (options?: TestServerOptions) => Effect.all([server("direct", options), server("routed", options)])

/** What differs between two servers: ids, times and the date. */
const comparable = (text: string): string =>
  text
    .replaceAll(/\breq_[0-9a-f]{32}\b/g, "req_ID")
    .replaceAll(/\b(pay|op|att|rev)_[0-9a-z]{26}\b/g, "$1_ID")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
    .replaceAll(/"next_cursor":"[^"]*"/g, '"next_cursor":"CURSOR"')
    .replaceAll(/^Date: .*$/gm, "Date: DATE")

const bytesOf = ({ body, framing, headers, method, path }: AnyRequest, key: string): ReadonlyArray<Uint8Array> => {
  const isFramed = headers.some(([name]) => name === "Content-Length" || name === "Transfer-Encoding")
  const length = framing === "too short" ? Math.floor(body.length / 2) : body.length
  const framed = framing === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value.replaceAll("KEY", key)}`),
    ...(isFramed ? [] : [framed])
  ]
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`)
  return framing === "chunked"
    ? [head, Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]
    : [head, body]
}

/** A head that announces more than is sent would be waited for. */
const isWhole = ({ headers }: AnyRequest): boolean =>
  !headers.some(([name, value]) => name === "Transfer-Encoding" || (name === "Content-Length" && value !== ""))

const ask = (server: Server, request: AnyRequest) => Effect.map(server.raw(...bytesOf(request, server.key)), comparable)

/** `null`: no request of the web is like this one. */
const fetched = async (server: Server, { body, headers, method, path }: AnyRequest): Promise<string | null> => {
  const request = requestOf(`http://localhost${path}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value.replaceAll("KEY", server.key)]),
    body
  })
  if (request === null) return null
  const response = await server.fetch(request)
  return comparable(JSON.stringify([response.status, [...response.headers], await response.text()]))
}

const requestOf = (url: string, init: RequestInit): Request | null => {
  try {
    return new Request(url, init)
  } catch {
    return null
  }
}

const equal = (one: string | null, other: string | null) => {
  assert.strictEqual(one?.slice(0, 2000), other?.slice(0, 2000))
  assert.isTrue(one === other, "after the first 2,000 characters")
}

const requests = amount({ part: 1_000, all: 20_000 })
const fetches = amount({ part: 500, all: 80_000 })

/** ms */
const longest = 1_800_000

describe("the direct route", () => {
  it.live(
    `answers ${requests} requests with every kind of fault as the router does`,
    () =>
      Effect.gen(function* () {
        const [direct, routed] = yield* both()
        const seen = new Map<string, number>()
        const property = fc.asyncProperty(anyRequest.filter(isWhole), async (request) => {
          const [one, other] = await Effect.runPromise(
            Effect.all([ask(direct, request), ask(routed, request)], { concurrency: 2 })
          )
          const status = one.slice(9, 12)
          seen.set(status, (seen.get(status) ?? 0) + 1)
          equal(one, other)
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: requests, seed: 58, endOnFailure: true }))
        assert.deepStrictEqual(yield* direct.rows, yield* routed.rows)
        assert.isBelow(direct.routed(), requests * 0.6)
        assert.isAtLeast(routed.routed(), requests * 0.9)
        for (const status of ["201", "400"]) assert.isAbove(seen.get(status) ?? 0, requests / 10, status)
        for (const status of ["401", "404", "405", "413", "415"]) assert.isAbove(seen.get(status) ?? 0, 0, status)
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
    longest
  )

  it.live(
    `answers ${fetches} of them through fetch as the router does`,
    () =>
      Effect.gen(function* () {
        const [direct, routed] = yield* both()
        // A client announces the length of a body; a request that is made here does not.
        const announced = anyRequest.map(({ headers, ...request }) => {
          const length = ["Content-Length", String(request.body.length)] as const
          return {
            ...request,
            headers: headers.some(([name]) => name === "Content-Length") ? headers : [...headers, length]
          }
        })
        const property = fc.asyncProperty(announced, async (request) => {
          equal(await fetched(direct, request), await fetched(routed, request))
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: fetches, seed: 58, endOnFailure: true }))
        assert.deepStrictEqual(yield* direct.rows, yield* routed.rows)
        assert.isAbove((yield* direct.rows).payments, fetches / 10)
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
    longest
  )
})
