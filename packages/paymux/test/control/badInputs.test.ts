/**
 * Malformed input on every endpoint of the control API, generated from its document: a problem, nothing written, and never a
 * fault of the server.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { controlApiDocument, controlEndpoints } from "@paymux/dashboard"
import type { ControlEndpoint } from "@paymux/dashboard"
import { problemCodes } from "@paymux/http"
import { ask, controlServer } from "./ControlServer.ts"
import type { Ask, ControlServer } from "./ControlServer.ts"

const own = { account: "shop_a", livemode: false }
const owner = {
  id: "usr_owner",
  name: "owner@shop.example",
  memberships: [{ account: null, modes: ["test" as const], role: "owner" as const }],
  authenticatedAt: Date.now()
}

interface Schema {
  readonly $ref?: string
  readonly properties?: { readonly [field: string]: unknown }
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } }
}

// Boundary: what this test reads of an OpenAPI document.
const document = controlApiDocument("") as unknown as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

const operationOf = ({ method, path }: ControlEndpoint): Operation =>
  document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? {}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})

/** The names of the fields of its body; `null`: it has no body. */
const fieldsOf = (endpoint: ControlEndpoint): ReadonlyArray<string> | null => {
  const body = operationOf(endpoint).requestBody?.content["application/json"]?.schema
  return body === undefined ? null : Object.keys(resolved(body).properties ?? {})
}

const parametersOf = (endpoint: ControlEndpoint): ReadonlyArray<string> =>
  (operationOf(endpoint).parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name)

const endpoints = controlEndpoints()
const withBody = endpoints.filter((endpoint) => fieldsOf(endpoint) !== null)
const named = (all: ReadonlyArray<ControlEndpoint>) =>
  all.map((endpoint) => [`${endpoint.group}.${endpoint.name}`, endpoint] as const)

const bodies: ReadonlyArray<readonly [string, string | Uint8Array<ArrayBuffer>]> = [
  ["empty", ""],
  ["truncated", `{"a":`],
  ["trailing data", "{}{}"],
  ["a list", "[]"],
  ["null", "null"],
  ["text", `"x"`],
  ["a number", "1"],
  ["duplicate key", `{"a":1,"a":2}`],
  ["duplicate key, escaped", `{"name":"x","\\u006eame":"y"}`],
  ["__proto__", `{"__proto__":{"role":"owner"}}`],
  ["constructor.prototype", `{"constructor":{"prototype":{}}}`],
  ["an unknown field", `{"nonsense":1}`],
  ["a lone surrogate", `{"name":"\\ud800"}`],
  ["NUL", `{"name":"\\u0000"}`],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["a byte order mark", "\ufeff{}"],
  ["NaN", `{"name":NaN}`],
  ["a number that no double holds", `{"name":9007199254740993}`],
  ["depth 10,000", `{"name":${"[".repeat(1e4)}${"]".repeat(1e4)}}`],
  ["10 MB", `{"name":"${"x".repeat(10_000_000)}"}`],
  ["100,000 fields", `{${Array.from({ length: 1e5 }, (_, index) => `"f${index}":1`).join(",")}}`]
]

const values: ReadonlyArray<unknown> = [
  null,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\u202e",
  "' OR 1=1 --",
  "../../etc/passwd",
  "x".repeat(10_000),
  "<script>alert(1)</script>",
  [],
  [null],
  {},
  { a: {} },
  true
]

const parameterValues = [
  "",
  "%00",
  "%F0%9F%92%A5",
  "-1",
  "1e400",
  "NaN",
  "0x10",
  "1.5",
  "%27%20OR%201%3D1",
  "x".repeat(9_000)
]

describe("malformed input of the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer({ owner })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async ({ method, path }: ControlEndpoint, query: string, asked: Partial<Ask>) => {
    const address = path.replace(":account", own.account).replace(":mode", "test").replaceAll(/:\w+/g, "x_1")
    const response = await ask(server, { method, path: `${address}${query}`, as: "owner", ...asked })
    return { status: response.status, text: await response.text(), type: response.headers.get("content-type") }
  }

  type Answer = Awaited<ReturnType<typeof answer>>

  const assertProblem = ({ status, text, type }: Answer, about: string) => {
    assert.isTrue(status >= 400 && status < 500, `${about}: ${status} ${text}`)
    assert.strictEqual(type, "application/problem+json", about)
    assert.include(problemCodes, JSON.parse(text).code)
  }

  const written = async () => (await server.of(own).auditLog.list({ limit: 1000 })).entries.length

  it.each(named(withBody))("%s: a body that is no strict JSON object of the documented form", async (_, endpoint) => {
    const before = await written()
    for (const [about, body] of bodies) assertProblem(await answer(endpoint, "", { body }), about)
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]) {
      assertProblem(await answer(endpoint, "", { body: "{}", headers: { "content-type": type } }), `type ${type}`)
    }
    assertProblem(await answer(endpoint, "", { body: "{}", headers: { "content-encoding": "gzip" } }), "compressed")
    assert.strictEqual(await written(), before)
  })

  it.each(named(withBody))("%s: a field of another type", async (_, endpoint) => {
    for (const field of fieldsOf(endpoint) ?? []) {
      for (const value of values) {
        const { status, text } = await answer(endpoint, "", { body: { [field]: value } })
        assert.isBelow(status, 500, `${field}: ${JSON.stringify(value)?.slice(0, 40)} ${text}`)
      }
    }
  })

  it.each(named(endpoints))("%s: parameters that are malformed, repeated or many", async (_, endpoint) => {
    const body = fieldsOf(endpoint) === null ? {} : { body: {} }
    const names = parametersOf(endpoint)
    for (const name of names) {
      for (const value of parameterValues) {
        const result = await answer(endpoint, `?${name}=${value}`, body)
        assert.isBelow(result.status, 500, `${name}=${value} ${result.text}`)
        if (name === "limit") assertProblem(result, `limit=${value}`)
      }
      const repeated = await answer(endpoint, `?${name}=1&${name}=2`, body)
      assert.isBelow(repeated.status, 500, repeated.text)
    }
    const many = Array.from({ length: 10_000 }, (_, index) => `p${index}=1`).join("&")
    assertProblem(await answer(endpoint, `?${many}`, body), "10,000 parameters")
    assertProblem(await answer(endpoint, "?a=%ff", body), "no UTF-8")
    if (names.includes("after")) assertProblem(await answer(endpoint, "?after=x", body), "no cursor")
  })

  it.each(named(endpoints.filter(({ path }) => /:(?!account|mode)\w+/.test(path))))(
    "%s: an id of no shape",
    async (_, endpoint) => {
      const body = fieldsOf(endpoint) === null ? {} : { body: {} }
      for (const id of [
        "%00",
        "%F0%9F%92%A5",
        "x".repeat(5_000),
        "%2e%2e%2fx",
        "%27%20OR%201%3D1",
        "%E2%80%AE",
        "%25"
      ]) {
        const path = endpoint.path.replace(":account", own.account).replace(":mode", "test").replaceAll(/:\w+/g, id)
        const { status, text } = await answer({ ...endpoint, path }, "", body)
        assert.isTrue(status >= 400 && status < 500, `${id} ${status} ${text}`)
      }
    }
  )
})
