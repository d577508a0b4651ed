/** Traces and metrics as a collector gets them, by OTLP over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { fileOfProgram } from "../../../../test/support/program.ts"
import { createPaymux } from "../../src/index.ts"
import { resourceOf, startCollector } from "./Collector.ts"
import type { Span } from "./Collector.ts"

interface Served {
  readonly base: string
  readonly key: string
  readonly stderr: () => string
  readonly stop: () => Promise<void>
}

const serve = async (environment: { readonly [name: string]: string }): Promise<Served> => {
  const bin = await fileOfProgram("paymux")
  const child = spawn(process.execPath, [bin, "serve", "--sandbox", "--port", "0", "--database", ":memory:"], {
    cwd: tmpdir(),
    env: { ...process.env, ...environment }
  })
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()))
  while (printed.out.split("\n").length < 3) await once(child.stdout, "data")
  return {
    base: /listening on (\S+)/.exec(printed.out)?.[1] ?? "",
    key: /API key (\S+)/.exec(printed.out)?.[1] ?? "",
    stderr: () => printed.err,
    stop: async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
}

const minimal = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}

const ask = ({ base, key }: Served, path: string, headers: Record<string, string> = {}, body?: object) =>
  fetch(`${base}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"

/** From the span up to that of its request. */
const pathTo = (spans: ReadonlyArray<Span>, span: Span): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? [span.name] : [...pathTo(spans, parent), span.name]
}

describe("paymux serve where the environment names a collector", () => {
  it("sends one trace for each request, which continues the client's, with its attempts and calls, and metrics", async () => {
    const collector = await startCollector()
    const served = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-vendor-key=a%20b,x-other=c",
      OTEL_SERVICE_NAME: "shop",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging"
    })
    const sampled = { traceparent: `00-${traceId}-${parentId}-01` }
    const created = await ask(served, "/payments", sampled, minimal)
    assert.strictEqual(created.status, 201)
    const { id } = JSON.parse(await created.text())
    const refused = await ask(served, "/payments?customer_email=asha@example.com&canary=1")
    const problem = JSON.parse(await refused.text())
    const unsampled = { traceparent: `00-${"1".repeat(32)}-${parentId}-00` }
    assert.strictEqual((await ask(served, "/payments", unsampled, minimal)).status, 201)
    await served.stop()
    // Without a terminal every line is an object.
    const lines = served.stderr().trimEnd().split("\n")
    assert.includeMembers(
      lines.map((line) => JSON.parse(line).level),
      ["info"]
    )

    const spans = collector.spans()
    const called = spans.find((span) => span.name === "paymux.provider.create" && span.traceId === traceId)
    assert.isDefined(called)
    if (called === undefined) return
    const way = ["POST /v1/payments", "paymux.payment.create", "paymux.attempt", "paymux.provider.create"]
    assert.deepStrictEqual(pathTo(spans, called), way)
    assert.strictEqual(called.kind, 3)
    assert.deepInclude(called.attributes, { "paymux.operation": "create", "paymux.outcome": "succeeded" })
    const request = spans.find((span) => span.name === "POST /v1/payments" && span.traceId === traceId)
    assert.deepInclude(request, { parentSpanId: parentId, kind: 2 })
    assert.deepStrictEqual(request?.attributes, {
      "http.request.method": "POST",
      "http.route": "/v1/payments",
      "url.path": "/v1/payments",
      "http.response.status_code": "201",
      "paymux.request.id": created.headers.get("request-id") ?? "none"
    })
    assert.isTrue(spans.some(({ attributes }) => attributes["paymux.payment.id"] === id))
    // A trace that its client does not want to be kept is not.
    assert.isFalse(spans.some((span) => span.traceId === "1".repeat(32)))

    const own = spans.find((span) => span.name === "GET /v1/payments")
    assert.strictEqual(problem.trace_id, own?.traceId)
    assert.notStrictEqual(own?.traceId, traceId)
    assert.notStrictEqual(own?.status, 2)

    // Neither polls of the database, nor anything of a payer or a query.
    const known = /^(?:GET|POST) \/|^paymux\./
    assert.deepStrictEqual(
      spans.filter(({ name }) => !known.test(name)).map(({ name }) => name),
      []
    )
    const everything = collector.exports.map(({ body }) => body.toString()).join("\n")
    assert.notMatch(everything, /asha|canary|\+9199|pmx_test_[0-9A-Za-z]/)

    for (const { headers } of collector.exports) {
      assert.deepInclude({ ...headers }, { "x-vendor-key": "a b", "x-other": "c", "content-type": "application/json" })
    }
    const traces = collector.exports.find(({ path }) => path === "/v1/traces")
    if (traces === undefined) throw new Error("no traces came")
    assert.deepInclude(resourceOf(traces), { "service.name": "shop", "deployment.environment.name": "staging" })
    for (const name of ["paymux_payments_total", "paymux_http_requests_total", "paymux_queue_age_seconds"]) {
      assert.include(collector.metricNames(), name)
    }
    await collector.close()
  })

  it("says that a collector does not take it, once, and takes payments all the same", async () => {
    const collector = await startCollector(400)
    const served = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" })
    assert.strictEqual((await ask(served, "/payments", {}, minimal)).status, 201)
    await collector.until(() => collector.exports.length > 0)
    assert.strictEqual((await ask(served, "/payments", {}, minimal)).status, 201)
    await served.stop()
    assert.lengthOf(served.stderr().match(/Telemetry cannot be sent/g) ?? [], 1)
    assert.notInclude(served.stderr(), collector.url)
    await collector.close()
  })

  it("sends nothing, and puts no trace_id into problems, where it names none or the SDK is disabled", async () => {
    const collector = await startCollector()
    const served = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: "true" })
    const refused = await ask(served, "/payments", {}, { amount: -1 })
    assert.notProperty(JSON.parse(await refused.text()), "trace_id")
    await served.stop()
    assert.lengthOf(collector.exports, 0)
    await collector.close()
  })
})

describe("createPaymux with telemetry", () => {
  it("sends protobuf to the endpoint of the option, whatever the environment says", async () => {
    const collector = await startCollector()
    process.env["OTEL_RESOURCE_ATTRIBUTES"] = "canary=canary"
    try {
      const paymux = await createPaymux({
        sandbox: true,
        database: ":memory:",
        logs: false,
        telemetry: { otlpEndpoint: collector.url, headers: { "api-key": "k" }, serviceName: "till" }
      })
      const payment = await paymux.payments.create({ ...minimal, payment_method: "upi" })
      await paymux.fetch(new Request("http://localhost/v1/payments?customer_email=asha@example.com&status=canary"))
      await paymux.close()
      const traces = collector.exports.find(({ path }) => path === "/v1/traces")
      assert.deepInclude({ ...traces?.headers }, { "content-type": "application/x-protobuf", "api-key": "k" })
      const bytes = traces?.body.toString("latin1") ?? ""
      for (const part of ["till", "paymux.payment.create", "paymux.attempt", payment.id, "GET /v1/payments"])
        assert.include(bytes, part)
      assert.notMatch(bytes, /canary|asha/)
    } finally {
      delete process.env["OTEL_RESOURCE_ATTRIBUTES"]
    }
    await collector.close()
  })

  it("reads no environment variable unless it is enabled", async () => {
    const collector = await startCollector()
    process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url
    try {
      const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
      await paymux.payments.create({ ...minimal, payment_method: "upi" })
      await paymux.close()
    } finally {
      delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"]
    }
    assert.lengthOf(collector.exports, 0)
    await collector.close()
  })
})
