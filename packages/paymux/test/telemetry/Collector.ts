/** A small collector: takes what is exported by OTLP over HTTP and keeps it as it came. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Export {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 2 server, 3 client */
  readonly kind: number
  readonly attributes: { readonly [name: string]: string }
  /** 2: an error */
  readonly status: number
}

export const startCollector = async (status = 200) => {
  const exports: Array<Export> = []
  const state = { status, came: Promise.withResolvers<void>() }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      exports.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(state.status, { "content-type": "application/json" }).end("{}")
      state.came.resolve()
      state.came = Promise.withResolvers<void>()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    /** Until what came passes. */
    until: async (done: () => boolean) => {
      while (!done()) await state.came.promise
    },
    spans: () => exports.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) => spansOf(body)),
    metricNames: () => exports.filter(({ path }) => path === "/v1/metrics").flatMap(({ body }) => metricsOf(body)),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}

interface Attribute {
  readonly key: string
  readonly value: { readonly [kind: string]: unknown }
}

// Boundary: OTLP's JSON, as its specification has it.
interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<
        Omit<Span, "attributes" | "status"> & {
          readonly attributes: ReadonlyArray<Attribute>
          readonly status: { readonly code: number }
        }
      >
    }>
  }>
}

interface Metrics {
  readonly resourceMetrics: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<{ readonly name: string }> }>
  }>
}

const spansOf = (body: Buffer): ReadonlyArray<Span> =>
  (JSON.parse(body.toString()) as Traces).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), status: span.status.code }))
    )
  )

export const resourceOf = ({ body }: Export): { readonly [name: string]: string } =>
  plain((JSON.parse(body.toString()) as Traces).resourceSpans.flatMap(({ resource }) => resource.attributes))

const metricsOf = (body: Buffer): ReadonlyArray<string> =>
  (JSON.parse(body.toString()) as Metrics).resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name))
  )

const plain = (attributes: ReadonlyArray<Attribute>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))
