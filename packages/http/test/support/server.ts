/** The whole HTTP interface over a real engine and SQLite, behind a real socket. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cell } from "@paymux/core/store"
import { defineProvider, Engine, Ids, Outcome } from "@paymux/core"
import type { Provider, ProviderMode, ProviderOperation, ProviderOperations } from "@paymux/core"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { connect } from "node:net"
import type { AddressInfo } from "node:net"
import type { RequestListener } from "node:http"
import { runMigrations } from "../../../sql/src/Migrations.ts"
import { coreMigrations } from "../../../sql/src/migrations/core.ts"
import { layer as sqlite } from "../../../sql/src/sqlite/SqliteClient.ts"
import * as SqlitePaymentStore from "../../../sql/src/sqlite/SqlitePaymentStore.ts"
import type { ApiKeyMode } from "../../src/auth/ApiKey.ts"
import type { Extension, HardenedServerOptions, KeepNotice, RateLimitSettings } from "../../src/index.ts"
import {
  apiKeyMigrations,
  ApiKeys,
  hardenedServer,
  HttpApp,
  HttpHandler,
  RequestLog,
  requestRecorder,
  returnAddress,
  returnKey
} from "../../src/index.ts"

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly text: string
}

export interface Ask {
  readonly method?: string
  readonly path?: string
  /** `null` leaves a usual header out; several values are several headers. */
  readonly headers?: { readonly [name: string]: string | null | ReadonlyArray<string> }
  readonly body?: unknown
}

/** `routed`: every request goes through the router. `direct`: what the direct route accepts does not. */
export type Way = (typeof ways)[number]
export const ways = ["direct", "routed"] as const

export interface TestServerOptions {
  readonly providers?: ReadonlyArray<Provider>
  readonly extensions?: ReadonlyArray<Extension>
  readonly hardened?: HardenedServerOptions
  /** Default: the root. `ask` takes whole paths. */
  readonly basePath?: string
  /** Default: none. */
  readonly rateLimit?: RateLimitSettings
  /** Default: off. */
  readonly requestLog?: boolean
  /** Default: `direct`. */
  readonly way?: Way
  /** Default: not a cell. */
  readonly cell?: string
  /** Default: it is only logged. */
  readonly keepNotice?: KeepNotice
}

export class TestServer extends Context.Service<
  TestServer,
  {
    /** As the test key of account `default`, unless the headers say otherwise. */
    readonly ask: (ask: Ask) => Effect.Effect<Answer>
    /** Bytes as they are; answers what came until the server closed. */
    readonly raw: (...bytes: ReadonlyArray<string | Uint8Array>) => Effect.Effect<string>
    readonly fetch: (request: Request) => Promise<Response>
    /** How many requests on sockets the router has answered. */
    readonly routed: () => number
    readonly key: string
    /** Of the server, without a path. */
    readonly url: string
    readonly newKey: (account: string, mode: ApiKeyMode) => Effect.Effect<string>
    /** How many payments and idempotency keys are kept. */
    readonly rows: Effect.Effect<{ readonly payments: number; readonly keys: number }>
  }
>()("test/TestServer") {
  static readonly layer = (options: TestServerOptions = {}) =>
    Layer.effect(TestServer, make(options)).pipe(Layer.provideMerge(app(options)))
}

const database = Layer.effectDiscard(runMigrations([coreMigrations, apiKeyMigrations])).pipe(
  Layer.provideMerge(sqlite({ filename: ":memory:" }))
)

export const secret = Redacted.make("a secret of this test")
const publicUrl = "http://localhost:4310"

const app = ({
  basePath = "",
  cell,
  extensions = [],
  keepNotice = () => Effect.void,
  providers = [acme()],
  rateLimit,
  requestLog,
  way
}: TestServerOptions) => {
  const engine = Engine.layer({
    providers,
    publicUrl,
    returnAddress: returnAddress({ key: returnKey(secret), publicUrl })
  }).pipe(Layer.provideMerge(Layer.merge(SqlitePaymentStore.layer, Ids.layer)))
  const directRoute = way !== "routed"
  const routes = HttpApp.layer({
    basePath,
    directRoute,
    secrets: [secret],
    returnKey: returnKey(secret),
    extensions,
    keepNotice,
    rateLimit: rateLimit ?? null
  })
  return HttpHandler.layer(routes).pipe(
    Layer.provideMerge(Layer.merge(engine, ApiKeys.layer({ maxActive: 100 }))),
    Layer.provideMerge(Layer.provideMerge(RequestLog.layer, requestLog === true ? requestRecorder : Layer.empty)),
    Layer.provideMerge(database),
    Layer.provide(Layer.succeed(Cell, cell ?? null)),
    Layer.orDie
  )
}

export interface Acme extends Partial<Omit<ProviderOperations, "run">> {
  readonly id?: string
  readonly mode?: ProviderMode
}

/**
 * UPI up to ₹1,00,000, cards in three currencies, one stablecoin. Takes every payment at once, or holds it. It can do
 * later what it is given for that.
 */
export const acme = ({ create = takeOrHold, id = "acme", mode = "test", ...later }: Acme = {}) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: {
        upi: {
          currencies: ["INR"],
          flows: { intent: {}, qr: {}, collect: {} },
          amounts: [{ currency: "INR", max: "100000.00" }]
        },
        card: {
          currencies: ["EUR", "JPY", "KWD"],
          flows: { token: {}, hosted: {} },
          captureMethods: ["automatic", "manual"]
        },
        stablecoin: { currencies: ["USD"], flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
      },
      operations: {
        create: idempotent,
        ...(later.capture && { capture: { ...idempotent, partial: true } }),
        ...(later.cancel && { cancel: idempotent }),
        ...(later.refund && { refund: { ...idempotent, partial: true } })
      }
    }),
    make: () => Effect.succeed({ create, ...later })
  })({})

const idempotent = { idempotency: { by: "header", lifetime: "24 hours" } } as const

const takeOrHold = ({ captureMethod }: ProviderOperation): Effect.Effect<Outcome.SendOutcome> =>
  Effect.succeed(captureMethod === "manual" ? Outcome.authorized() : Outcome.succeeded())

/** Does whatever is asked later. */
export const obedient = {
  capture: () => Effect.succeed(Outcome.succeeded()),
  cancel: () => Effect.succeed(Outcome.succeeded()),
  refund: () => Effect.succeed(Outcome.succeeded())
} as const

const make = Effect.fnUntraced(function* ({ hardened }: TestServerOptions) {
  const { effect, fetch, listener } = yield* HttpHandler
  const keys = yield* ApiKeys
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Effect.scope
  const routed = yield* NodeHttpServer.makeHandler(effect, { scope })
  const counts = { routed: 0 }
  const counted: RequestListener = (request, response) => {
    counts.routed++
    routed(request, response)
  }
  const server = hardenedServer(yield* listener(counted), hardened)
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  const key = yield* Effect.orDie(keys.ensureReadableTestKey("default"))
  const raw = (...bytes: ReadonlyArray<string | Uint8Array>) => conversation(port, bytes)
  return TestServer.of({
    raw,
    fetch,
    routed: () => counts.routed,
    key,
    url: `http://127.0.0.1:${port}`,
    ask: (ask) => Effect.map(raw(...requestBytes(ask, key)), answerOf),
    newKey: (account, mode) =>
      Effect.orDie(Effect.map(keys.create({ account, mode, name: "test" }), ({ key }) => Redacted.value(key))),
    rows: Effect.orDie(
      Effect.map(
        sql<{ payments: number; keys: number }>`SELECT (SELECT count(*) FROM payments) AS payments,
          (SELECT count(*) FROM idempotency_keys) AS keys`,
        ([row]) => row ?? { payments: -1, keys: -1 }
      )
    )
  })
})

const conversation = (port: number, bytes: ReadonlyArray<string | Uint8Array>) =>
  Effect.callback<string>((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect({ port, host: "127.0.0.1" })
    for (const part of bytes) socket.write(part)
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    // A reset after the answer loses nothing that had arrived.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    return Effect.sync(() => socket.destroy())
  })

const requestBytes = ({ body, headers = {}, method, path = "/v1/payments" }: Ask, key: string) => {
  const bytes = bodyBytes(body)
  const all: NonNullable<Ask["headers"]> = {
    Host: "localhost",
    Connection: "close",
    Authorization: `Bearer ${key}`,
    ...(bytes !== null && { "Content-Type": "application/json", "Content-Length": String(bytes.length) }),
    ...headers
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : (typeof value === "string" ? [value] : value).map((one) => `${name}: ${one}\r\n`)
  )
  const verb = method ?? (bytes === null ? "GET" : "POST")
  const head = Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`)
  return bytes === null ? [head] : [head, bytes]
}

/** Text and bytes are sent as they are, anything else as JSON. */
const bodyBytes = (body: unknown): Uint8Array | null => {
  if (body === undefined) return null
  return body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
}

export const answerOf = (text: string): Answer => {
  const split = text.indexOf("\r\n\r\n")
  const [status = "", ...lines] = text.slice(0, split).split("\r\n")
  return {
    status: Number(status.split(" ")[1]),
    headers: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    ),
    text: text.slice(split + 4)
  }
}

export const minimal = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const

export const card = { ...minimal, currency: "EUR", payment_method: "card" } as const

/** Held until it is captured. */
export const manual = { ...card, capture_method: "manual" } as const
