/** Requests over every operation of the served document that takes input, and what is wrong with them. */
import * as fc from "fast-check"
import { fromSchema } from "./fromSchema.ts"
import type { JsonSchema, Schemas } from "./fromSchema.ts"
import { awkwardValue, change, changed, damage } from "./mutateJson.ts"

/** What the server has when the requests begin. */
export interface Targets {
  readonly payments: ReadonlyArray<string>
  readonly refunds: ReadonlyArray<string>
  readonly cursors: ReadonlyArray<string>
}

/** One request, but for the API key and the idempotency key of its number. */
export interface Ask {
  /** As the document has it: `POST /v1/payments/{id}/capture`; `null`: no operation of it. */
  readonly operation: string | null
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer | null
  /** `fresh`: one of its own. */
  readonly key: "fresh" | "none" | { readonly text: string }
  readonly framing: Framing
}

type Framing = "length" | "chunked" | "short" | "both" | "two" | "broken chunk"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: JsonSchema
}

interface OperationDocs {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: {
      readonly "application/json"?: {
        readonly schema?: JsonSchema
        readonly examples?: { readonly [name: string]: { readonly value: unknown } }
      }
    }
  }
}

/** What is read of the document. */
export interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationDocs } }
  readonly components: { readonly schemas: Schemas }
}

export const requests = (document: Document, targets: Targets): fc.Arbitrary<Ask> => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, docs]) => operationRequest(method, path, docs, document, targets))
  )
  const known = fc.oneof(...documented.map(({ arbitrary, weight }) => ({ arbitrary, weight })))
  return fc.oneof(
    { weight: 12, arbitrary: known },
    { weight: 2, arbitrary: fc.tuple(known, headerChange).map(([ask, alter]) => alter(ask)) },
    { weight: 1, arbitrary: fc.tuple(known, targetChange).map(([ask, alter]) => alter(ask)) },
    { weight: 1, arbitrary: fc.tuple(known, verb).map(([ask, method]) => ({ ...ask, operation: null, method })) },
    { weight: 1, arbitrary: elsewhere }
  )
}

const operationRequest = (
  method: string,
  path: string,
  docs: OperationDocs,
  { components }: Document,
  targets: Targets
) => {
  const name = `${method.toUpperCase()} ${path}`
  const takesBody = method === "post"
  const arbitrary = fc
    .record({
      id: path.includes("{id}")
        ? ids(path.startsWith("/v1/refunds") ? targets.refunds : targets.payments)
        : fc.constant(""),
      query: queries(docs.parameters ?? [], targets, components.schemas),
      body: takesBody ? bodies(docs, components.schemas) : fc.constant(null),
      key: takesBody ? keys : fc.constant("none" as const)
    })
    .map(({ body, id, key, query }): Ask => ({
      operation: name,
      method: method.toUpperCase(),
      target: path.replace("{id}", id) + query,
      headers: takesBody && body !== null ? [["Content-Type", "application/json"]] : [],
      body,
      key,
      framing: "length"
    }))
  return { arbitrary, weight: name === "POST /v1/payments" ? 12 : takesBody || name === "GET /v1/payments" ? 4 : 1 }
}

/** As documented, changed as a value, or damaged as text. */
const bodies = ({ requestBody }: OperationDocs, schemas: Schemas): fc.Arbitrary<Buffer | null> => {
  const content = requestBody?.content["application/json"]
  const shown = Object.values(content?.examples ?? {}).map(({ value }) => value)
  const described = content?.schema === undefined ? fc.constant<unknown>({}) : fromSchema(content.schema, schemas)
  const base =
    shown.length === 0
      ? described
      : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...shown) }, { weight: 1, arbitrary: described })
  const altered = fc
    .tuple(base, fc.array(change(described), { minLength: 0, maxLength: 3 }))
    .map(([value, changes]) => Buffer.from(JSON.stringify(changed(value, changes)) ?? "undefined"))
  return fc.oneof(
    { weight: 8, arbitrary: altered },
    { weight: 3, arbitrary: fc.tuple(altered, damage).map(([bytes, apply]) => apply(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.from(""), Buffer.from("{}"), null) }
  )
}

const keys: fc.Arbitrary<Ask["key"]> = fc.oneof(
  { weight: 8, arbitrary: fc.constant("fresh" as const) },
  { weight: 2, arbitrary: fc.constant("none" as const) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }).map((text) => ({ text: headerText(text) })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("", " ", "a b", "k".repeat(256), "schlüssel", "4242424242424242", "a\tb", "x, y", '"quoted"')
      .map((text) => ({ text }))
  }
)

const ids = (existing: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...existing) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "pay_01jd8w6x2vh6k9v0q3f7m5t1ac",
        "re_01jd8w6x2vh6k9v0q3f7m5t1ac",
        "PAY_01JD8W6X2VH6K9V0Q3F7M5T1AC",
        "pay_%00",
        "pay_%0d%0aX:%20y",
        "pay_'%20OR%201=1--",
        "..%2f..%2fetc",
        "%2e%2e",
        "%E0%A4%A",
        "%ff",
        "4242424242424242",
        `pay_${"0".repeat(10_000)}`,
        "__proto__",
        "constructor",
        "null",
        ""
      )
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 10 }).map(rawTarget) }
  )

const queries = (parameters: ReadonlyArray<Parameter>, targets: Targets, schemas: Schemas): fc.Arbitrary<string> => {
  const documented = parameters.filter((parameter) => parameter.in === "query")
  if (documented.length === 0)
    return fc.oneof({ weight: 20, arbitrary: fc.constant("") }, { weight: 1, arbitrary: awkwardQuery })
  const pair = fc.oneof(
    ...documented.map(({ name, schema = {} }) => ({
      weight: 3,
      arbitrary: fc.tuple(nameOf(name), fc.oneof(valueOf(name, schema, schemas, targets), awkwardText))
    })),
    { weight: 3, arbitrary: fc.tuple(fc.string({ maxLength: 45 }), awkwardText) }
  )
  const spelled = fc.tuple(pair, fc.boolean()).map(([[name, value], encode]) => {
    const write = encode ? (text: string) => encodeURIComponent(text.toWellFormed()) : rawTarget
    return `${write(name)}=${write(value)}`
  })
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(spelled, { maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`) },
    { weight: 1, arbitrary: awkwardQuery }
  )
}

const nameOf = (name: string): fc.Arbitrary<string> =>
  name === "metadata"
    ? fc.oneof(
        fc.constantFrom(
          "metadata[order_id]",
          "metadata",
          "metadata[]",
          "metadata[a[b]]",
          "metadata[a]x",
          "metadata[__proto__]"
        ),
        fc.string({ maxLength: 45 }).map((key) => `metadata[${key}]`)
      )
    : fc.constant(name)

const valueOf = (name: string, schema: JsonSchema, schemas: Schemas, { cursors }: Targets): fc.Arbitrary<string> => {
  if (name === "starting_after" || name === "ending_before") return fc.constantFrom(...cursors)
  if (schema.format === "date-time") {
    return fc.constantFrom(
      "2026-01-31T12:00:00Z",
      "2026-01-31T12:00:00+05:30",
      "2026-01-31",
      "2026-02-30T00:00:00Z",
      "-271821-04-20T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
      "0000-01-01T00:00:00Z"
    )
  }
  return fromSchema(schema.items ?? schema, schemas).map(textOf)
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
const awkwardText = awkwardValue.map(textOf)

const awkwardQuery = fc.constantFrom(
  "?",
  "?&",
  "?=",
  "?limit",
  "?limit=",
  "?%",
  "?%ff=1",
  "?a=%00",
  "?#",
  "??limit=1",
  "?limit=1#x",
  `?${"a=1&".repeat(500)}`,
  `?status=${"x".repeat(8_000)}`
)

type Alter = (ask: Ask) => Ask

const otherHeader = (name: string, values: ReadonlyArray<string>): fc.Arbitrary<Alter> =>
  fc.constantFrom(...values).map((value) => (ask) => ({
    ...ask,
    headers: [...ask.headers.filter(([given]) => given !== name), [name, value]]
  }))

const headerChange: fc.Arbitrary<Alter> = fc.oneof(
  otherHeader("Content-Type", [
    "",
    "text/plain",
    "application/xml",
    "application/json; charset=latin1",
    "application/json;charset=utf-8",
    "application/jsonx",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "APPLICATION/JSON",
    "application/merge-patch+json"
  ]),
  otherHeader("Content-Encoding", ["gzip", "identity", "br", "", "GZIP, identity", "deflate"]),
  otherHeader("Accept", ["text/html", "*/*;q=0", "application/xml", ""]),
  otherHeader("Accept-Encoding", ["gzip", "br;q=1", "identity;q=0"]),
  otherHeader("Expect", ["100-continue", "magic"]),
  otherHeader("X-HTTP-Method-Override", ["DELETE", "GET"]),
  otherHeader("Authorization", [
    "",
    "Bearer",
    "Bearer ",
    "Basic cG14OnRlc3Q=",
    "Bearer pmx_test_x",
    `Bearer pmx_test_${"a".repeat(38)}`,
    `Bearer pmx_live_${"a".repeat(38)}`,
    `Bearer ${"x".repeat(9_000)}`,
    "bearer pmx",
    "Bearer \u00e9",
    "Digest a=b, c=d"
  ]),
  otherHeader("Cookie", ["a=b; __proto__=x", "\u00ff"]),
  otherHeader("Traceparent", [
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-00000000000000000000000000000000-0000000000000000-00",
    "zz",
    "ff-x"
  ]),
  otherHeader("Forwarded", ["for=127.0.0.1;proto=https", "for="]),
  otherHeader("X-Forwarded-For", ["10.0.0.1, evil", "4242424242424242"]),
  otherHeader("Range", ["bytes=0-1", "bytes=-1"]),
  otherHeader("If-None-Match", ["*", '"x"']),
  otherHeader("Origin", ["https://evil.example", "null"]),
  otherHeader("Upgrade", ["h2c", "websocket"]),
  otherHeader("X-Big", ["x".repeat(9_000), "x".repeat(20_000)]),
  fc.constantFrom<Framing>("chunked", "short", "both", "two", "broken chunk").map((framing): Alter => (ask) => ({
    ...ask,
    framing
  })),
  fc.string({ unit: "binary", maxLength: 30 }).map((text): Alter => (ask) => ({
    ...ask,
    headers: [...ask.headers, ["X-Odd", headerText(text)]]
  }))
)

const targetChange: fc.Arbitrary<Alter> = fc
  .constantFrom<(target: string) => string>(
    (target) => `${target}/`,
    (target) => `/${target}`,
    (target) => target.replace("/v1", "/V1"),
    (target) => target.replace("/v1", "/v2"),
    (target) => target.replace("/v1/", "/v1//"),
    (target) => target.replace("/v1", ""),
    (target) => target.replace("payments", "payment%73"),
    (target) => `${target};jsessionid=1`,
    (target) => `${target}%20`,
    (target) => `${target}%2f`,
    (target) => `http://evil.example${target}`,
    (target) => target.slice(1),
    () => "*",
    () => "/"
  )
  .map((change) => (ask) => ({ ...ask, operation: null, target: change(ask.target) }))

const verb = fc.constantFrom(
  "DELETE",
  "PUT",
  "PATCH",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "PROPFIND",
  "BREW",
  "get",
  "POST",
  "GET"
)

/** Addresses outside the document, and outside the API-key area. */
const elsewhere: fc.Arbitrary<Ask> = fc
  .record({
    method: fc.constantFrom("GET", "POST", "HEAD", "OPTIONS", "DELETE"),
    target: fc.oneof(
      fc.constantFrom(
        "/webhooks/sandbox_card_a",
        "/webhooks/unknown",
        "/webhooks/__proto__",
        "/webhooks/",
        "/webhooks/a/b",
        "/return/pay_1/x",
        "/return/pay_01jd8w6x2vh6k9v0q3f7m5t1ac/4242424242424242?status=succeeded",
        "/v1/sandbox/payments/pay_1/simulate",
        "/v1/docs",
        "/docs/problems",
        "/docs/problems/nothing",
        "/docs/problems/..%2f..%2fetc",
        "/metrics",
        "/healthz",
        "/readyz?x=1",
        "/favicon.ico",
        "/v1",
        "/v1/",
        "/v1/payments/pay_1/void",
        "/.git/config",
        "/%2e%2e/%2e%2e/etc/passwd"
      ),
      fc.string({ maxLength: 30 }).map((text) => `/${encodeURIComponent(text)}`)
    ),
    body: fc.oneof(
      fc.constant(null),
      fc.string({ unit: "binary", maxLength: 200 }).map((text) => Buffer.from(text))
    )
  })
  .map(({ body, method, target }) => ({
    operation: null,
    method,
    target,
    headers: [["Content-Type", "application/json"]],
    body: method === "POST" ? body : null,
    key: "none",
    framing: "length"
  }))

/** A line of a request ends where it ends: what would begin another line is left out. */
const headerText = (text: string): string => text.replace(/[\r\n]/g, "")
const rawTarget = (text: string): string => text.toWellFormed().replace(/[\r\n]/g, "")

/** The bytes of the request with the number `n`. */
export const bytesOf = (ask: Ask, n: number, apiKey: string): Buffer => {
  const { body, framing, headers } = ask
  const key = keyOf(ask, n)
  const given = new Set(headers.map(([name]) => name))
  const all: ReadonlyArray<readonly [string, string]> = [
    ["Host", "localhost"],
    ...(given.has("Authorization") ? [] : [["Authorization", `Bearer ${apiKey}`] as const]),
    ...headers,
    ...(key === null ? [] : [["Idempotency-Key", key] as const]),
    ...framed(body, framing)
  ]
  const head = `${ask.method} ${ask.target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
  return Buffer.concat([Buffer.from(head), ...(body === null ? [] : [payload(body, framing)])])
}

export const keyOf = ({ key }: Ask, n: number): string | null => {
  if (key === "none") return null
  return key === "fresh" ? `mutation-${n}` : key.text
}

const framed = (body: Buffer | null, framing: Framing): ReadonlyArray<readonly [string, string]> => {
  if (body === null) return []
  const length = ["Content-Length", String(body.length)] as const
  const chunked = ["Transfer-Encoding", "chunked"] as const
  switch (framing) {
    case "length":
      return [length]
    case "chunked":
      return [chunked]
    case "broken chunk":
      return [chunked, ["Connection", "close"]]
    case "short":
      return [
        ["Content-Length", String(Math.floor(body.length / 2))],
        ["Connection", "close"]
      ]
    case "both":
      return [length, chunked]
    case "two":
      return [length, ["Content-Length", String(body.length + 1)]]
  }
}

const payload = (body: Buffer, framing: Framing): Buffer => {
  if (framing === "broken chunk") return Buffer.from("zz\r\nab\r\n0\r\n\r\n")
  if (framing !== "chunked" && framing !== "both") return body
  const parts = body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")])
}
