/** `GET /metrics` as Prometheus scrapes it, over a real socket. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { createPaymux } from "../../src/index.ts"
import type { Paymux, PaymuxOptions } from "../../src/index.ts"
import { metricDescriptions } from "../../src/telemetry/MetricsText.ts"
import { parseExposition } from "./exposition.ts"

interface Scraped {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
}

interface Served {
  readonly paymux: Paymux
  readonly ask: (
    method: string,
    path: string,
    headers?: { readonly [name: string]: string },
    body?: string
  ) => Promise<Scraped>
}

const serving = async (options: PaymuxOptions<never, true>, test: (served: Served) => Promise<void>) => {
  const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false, ...options })
  const server = createServer(paymux.node).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  const ask: Served["ask"] = (method, path, headers = {}, body = "") =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: "127.0.0.1", method, path, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            text
          })
        )
      })
      asked.on("error", reject)
      asked.end(body)
    })
  try {
    await test({ paymux, ask })
  } finally {
    server.close()
    server.closeAllConnections()
    await paymux.close()
  }
}

const pay = ({ ask, paymux }: Served, change: object = {}) =>
  ask(
    "POST",
    "/v1/payments",
    { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json" },
    JSON.stringify({
      amount: 10_000,
      currency: "INR",
      payment_method: "upi",
      customer: { email: "asha@example.com", phone: "+919999999999" },
      ...change
    })
  )

const valueOf = (text: string, name: string, labels: { readonly [name: string]: string } = {}) =>
  parseExposition(text)
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    )?.value

describe("GET /metrics", () => {
  it("reports payments, attempts, calls, requests, problems, breakers and backlogs, in the format of Prometheus", () =>
    serving({}, async (served) => {
      const { ask } = served
      assert.strictEqual((await pay(served)).status, 201)
      assert.strictEqual((await pay(served)).status, 201)
      const failing = { payment_method_details: { upi: { vpa: "failure@paymux" } } }
      assert.strictEqual((await pay(served, failing)).status, 201)
      await ask("GET", "/v1/payments/pay_0")
      await ask("BREW", "/v1/payments").catch(() => null)
      const { headers, status, text } = await ask("GET", "/metrics")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
      assert.strictEqual(headers["cache-control"], "no-store")
      const upi = { payment_method: "upi", mode: "test" }
      assert.strictEqual(valueOf(text, "paymux_payments_total", { ...upi, status: "pending" }), 3)
      assert.strictEqual(valueOf(text, "paymux_payments_total", { ...upi, status: "succeeded" }), 2)
      assert.strictEqual(valueOf(text, "paymux_payments_total", { ...upi, status: "failed" }), 1)
      const attempt = { provider: "sandbox_upi_a", outcome: "succeeded" }
      assert.strictEqual(valueOf(text, "paymux_attempts_total", attempt), 2)
      const call = { provider: "sandbox_upi_a", operation: "create", outcome: "succeeded" }
      assert.strictEqual(valueOf(text, "paymux_provider_call_duration_seconds_count", call), 2)
      const created = { method: "POST", route: "/v1/payments", status: "201" }
      assert.strictEqual(valueOf(text, "paymux_http_requests_total", created), 3)
      const read = { method: "GET", route: "/v1/payments/:id", status: "401" }
      assert.strictEqual(valueOf(text, "paymux_http_requests_total", read), 1)
      assert.strictEqual(valueOf(text, "paymux_http_problems_total", { code: "unauthorized" }), 1)
      assert.strictEqual(valueOf(text, "paymux_http_request_duration_seconds_count", { route: "/v1/payments" }), 3)
      const breaker = { provider: "sandbox_upi_a", operation: "create" }
      assert.strictEqual(valueOf(text, "paymux_breaker_state", { ...breaker, state: "closed" }), 1)
      assert.strictEqual(valueOf(text, "paymux_breaker_state", { ...breaker, state: "open" }), 0)
      for (const queue of ["events", "operations", "inbox", "deliveries"]) {
        assert.isAtLeast(valueOf(text, "paymux_queue_age_seconds", { queue }) ?? -1, 0, queue)
      }
      for (const gauge of ["paymux_unknown_attempts", "paymux_payments_in_review", "paymux_inbox_parked"]) {
        assert.strictEqual(valueOf(text, gauge), 0, gauge)
      }
      assert.strictEqual(valueOf(text, "paymux_backlog_up"), 1)
      // SQLite has the clock of the process.
      assert.isBelow(valueOf(text, "paymux_clock_difference_seconds") ?? 60, 60)
      assert.strictEqual(valueOf(text, "paymux_newest_payment_ahead_seconds"), 0)
      assert.isAbove(valueOf(text, "process_resident_memory_bytes") ?? 0, 1_000_000)
    }))

  it("has only families that are described, each of its type, and histograms that add up", () =>
    serving({}, async (served) => {
      await pay(served)
      const families = parseExposition((await served.ask("GET", "/metrics")).text)
      for (const { name, samples, type } of families) {
        const described = metricDescriptions.find((each) => each.name === name)
        assert.strictEqual(described?.type, type, name)
        for (const { labels, name: sample, value } of samples) {
          const own = Object.keys(labels).filter((label) => label !== "le")
          assert.sameMembers(own, [...(described?.labels ?? [])], name)
          assert.isTrue(Number.isFinite(value) && value >= 0, sample)
        }
        if (type !== "histogram") continue
        const buckets = samples.filter((sample) => sample.name === `${name}_bucket`)
        const count = samples.find((sample) => sample.name === `${name}_count`)?.value
        const series = JSON.stringify({ ...buckets[0]?.labels, le: "" })
        const first = buckets.filter(({ labels }) => JSON.stringify({ ...labels, le: "" }) === series)
        assert.deepStrictEqual(
          first.map(({ value }) => value),
          first.map(({ value }) => value).toSorted((a, b) => a - b)
        )
        assert.strictEqual(first.at(-1)?.labels["le"], "+Inf")
        assert.strictEqual(first.at(-1)?.value, count)
      }
    }))

  it("has no id, no word of a client and nothing of a payer in its labels, and no more series for more of them", () =>
    serving({}, async (served) => {
      const seriesAfter = async (from: number) => {
        for (let n = from; n < from + 20; n++) {
          await pay(served, {
            description: `canary${n}`,
            metadata: { [`canary${n}`]: "canary" },
            customer: { email: `canary${n}@example.com`, phone: "+919999999999" }
          })
          await served.ask("GET", `/canary${n}/canary?canary=${n}`)
          await served.ask("GET", `/v1/payments/canary${n}`)
          await served.ask("POST", `/webhooks/canary${n}`, {}, "canary")
        }
        const { text } = await served.ask("GET", "/metrics")
        assert.notMatch(text, /canary|\b(?:pay|op|evt|req)_[0-9a-z]{20}|@|\+91/)
        return parseExposition(text).flatMap(({ samples }) => samples).length
      }
      // The first round does not count its own scrape yet.
      await seriesAfter(0)
      assert.strictEqual(await seriesAfter(20), await seriesAfter(40))
    }))

  it("is for this machine alone where there is no token: not for a proxy on it, not through fetch", () =>
    serving({}, async ({ ask, paymux }) => {
      assert.strictEqual((await ask("GET", "/metrics")).status, 200)
      for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
        const { status, text } = await ask("GET", "/metrics", { [header]: "for=203.0.113.9" })
        assert.strictEqual(status, 404, header)
        const unknown = await ask("GET", "/metricss", { [header]: "for=203.0.113.9" })
        assert.strictEqual(withoutIds(text), withoutIds(unknown.text))
      }
      // A page in a browser on this machine, whose name was made to resolve to it.
      assert.strictEqual((await ask("GET", "/metrics", { host: "shop.example:4310" })).status, 404)
      for (const host of ["localhost:4310", "127.0.0.1", "[::1]:4310"]) {
        assert.strictEqual((await ask("GET", "/metrics", { host })).status, 200, host)
      }
      const fetched = await paymux.fetch(new Request("http://localhost/metrics"))
      assert.strictEqual(fetched.status, 404)
    }))

  it("with a token, needs the token, from any address", () =>
    serving({ metricsToken: "0123456789abcdef" }, async ({ ask, paymux }) => {
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
      assert.strictEqual((await ask("GET", "/metrics")).status, 404)
      for (const wrong of ["0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", "", paymux.testKey ?? ""]) {
        assert.strictEqual((await ask("GET", "/metrics", bearer(wrong))).status, 404, wrong)
      }
      assert.strictEqual((await ask("GET", "/metrics", { authorization: "Basic 0123456789abcdef" })).status, 404)
      const right = bearer("0123456789abcdef")
      assert.strictEqual((await ask("GET", "/metrics", right)).status, 200)
      assert.strictEqual((await ask("GET", "/metrics", { ...right, "x-forwarded-for": "203.0.113.9" })).status, 200)
      const fetched = await paymux.fetch(new Request("http://localhost/metrics", { headers: right }))
      assert.strictEqual(fetched.status, 200)
      parseExposition(await fetched.text())
    }))

  it("answers HEAD and OPTIONS, and lists its methods for others, to a client that may read it", () =>
    serving({}, async ({ ask }) => {
      const head = await ask("HEAD", "/metrics")
      assert.deepStrictEqual({ status: head.status, text: head.text }, { status: 200, text: "" })
      const knows = "GET, HEAD, OPTIONS"
      const options = await ask("OPTIONS", "/metrics")
      assert.deepStrictEqual([options.status, options.headers["allow"]], [204, knows])
      const posted = await ask("POST", "/metrics")
      assert.deepStrictEqual([posted.status, posted.headers["allow"]], [405, knows])
      assert.strictEqual((await ask("POST", "/metrics", { via: "1.1 proxy" })).status, 404)
    }))

  it("stands under the base path, and as text in the process itself", () =>
    serving({ basePath: "/pay" }, async ({ ask, paymux }) => {
      assert.strictEqual((await ask("GET", "/metrics")).status, 404)
      assert.strictEqual((await ask("GET", "/pay/metrics")).status, 200)
      assert.strictEqual(valueOf(await paymux.metrics(), "paymux_backlog_up"), 1)
    }))

  it("is each Paymux's own, where there are several in a process", () =>
    serving({}, async (served) => {
      await pay(served)
      await serving({}, async (another) => {
        assert.isUndefined(valueOf(await another.paymux.metrics(), "paymux_payments_total"))
      })
      assert.strictEqual(valueOf(await served.paymux.metrics(), "paymux_payments_total", { status: "succeeded" }), 1)
    }))

  it("reports what it can while the database does not answer, and counts what is refused before the API", () =>
    serving({}, async ({ ask, paymux }) => {
      await paymux.close()
      assert.strictEqual((await ask("GET", "/v1/payments")).status, 503)
      const text = await paymux.metrics()
      assert.strictEqual(valueOf(text, "paymux_backlog_up"), 0)
      assert.strictEqual(valueOf(text, "paymux_http_problems_total", { code: "service_unavailable" }), 1)
    }))

  it("counts deliveries by how they ended", async () => {
    const reported = Promise.withResolvers<void>()
    await serving({ onEvent: () => reported.resolve() }, async (served) => {
      await pay(served)
      await reported.promise
      // The delivery is settled after its listener returned.
      const delivered = async (): Promise<number> =>
        valueOf(await served.paymux.metrics(), "paymux_webhook_deliveries_total", { outcome: "delivered" }) ??
        (await new Promise((resolve) => setImmediate(() => resolve(delivered()))))
      assert.strictEqual(await delivered(), 1)
    })
  })
})

const withoutIds = (text: string): string => text.replace(/req_[0-9a-f]{32}/, "")
