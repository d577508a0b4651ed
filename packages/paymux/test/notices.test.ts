/** What an operator has to notice about requests: forged webhooks, guessed API keys, a proxy that is not trusted. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect, Result } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { notifier, signed } from "../../http/test/support/notifier.ts"
import { examineConfiguration } from "../src/doctor/examine.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux, PaymuxOptions } from "../src/index.ts"
import { settingsOf } from "../src/options/PaymuxOptions.ts"
import { vi } from "vitest"
import { emptyDatabases } from "./emptyDatabases.ts"

const { postgres, sqlite } = await emptyDatabases()
const databases = { SQLite: sqlite, PostgreSQL: postgres }

const providers = [notifier(() => Effect.succeed(Outcome.succeeded()))]
const secret = "a secret of this test, long enough"
const optionsOf = (database: string): PaymuxOptions<string> => ({ providers, database, secret, logs: false })

/** Signed with the secret of the instance, or with another. */
const webhook = (paymux: Paymux, key?: string) => {
  const body = JSON.stringify({ id: "evt_1", reference: "ord_unknown", type: "succeeded" })
  const headers = signed(body, Date.now(), key)
  return paymux.fetch(new Request("http://localhost/webhooks/notifier", { method: "POST", headers, body }))
}

const findings = (database: string, more: PaymuxOptions<string> = {}) =>
  Effect.runPromise(examineConfiguration(Result.getOrThrow(settingsOf({ ...optionsOf(database), ...more }))))

const list = (paymux: Paymux, headers: { readonly [name: string]: string }) =>
  paymux.fetch(new Request("http://localhost/v1/payments", { headers }))

/** Over a connection whose client has this address. */
const listFrom = async (address: string, paymux: Paymux, headers: { readonly [name: string]: string }) => {
  const server = createServer((request, response) => {
    Object.defineProperty(request.socket, "remoteAddress", { value: address })
    paymux.node(request, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/v1/payments`, { headers })
  server.closeAllConnections()
  server.close()
}

describe.each(Object.entries(databases))("on %s", (_, database) => {
  it("webhooks that are refused once are a warning of doctor, since anyone can forge one", async () => {
    await using paymux = await createPaymux<string>(optionsOf(database))
    for (let n = 0; n < 20; n++) assert.strictEqual((await webhook(paymux, "another secret")).status, 401)
    assert.match(
      await paymux.metrics(),
      /^paymux_webhooks_refused_total\{provider="notifier",reason="bad_signature"\} 20$/m
    )
    assert.deepInclude(await findings(database), {
      grade: "warning",
      name: "notifier",
      text: "webhooks were refused (bad_signature), last just now: compare the webhook secret with the provider's, unless they were forged, which looks the same"
    })
  })

  it("webhooks that are refused again are a fault, until one is accepted", async () => {
    const refused = async () =>
      (await findings(database)).filter(({ text }) => text.includes("webhooks were refused")).map(({ grade }) => grade)
    // Another process: each stores its first refusal, and then one a minute.
    const refusing = async () => {
      await using paymux = await createPaymux<string>(optionsOf(database))
      await webhook(paymux, "another secret")
    }
    const accepting = async () => {
      await using paymux = await createPaymux<string>(optionsOf(database))
      await new Promise((resolve) => setTimeout(resolve, 5))
      assert.strictEqual((await webhook(paymux)).status, 202)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await refusing()
    assert.deepStrictEqual(await refused(), ["fault"])
    await accepting()
    assert.deepStrictEqual(await refused(), ["warning"])
    await refusing()
    assert.deepStrictEqual(await refused(), ["warning"])
    await refusing()
    assert.deepStrictEqual(await refused(), ["fault"])
  })

  it("guessed API keys are counted, and a request without a key is none", async () => {
    await using paymux = await createPaymux<string>(optionsOf(database))
    for (let n = 0; n < 3; n++) {
      assert.strictEqual((await list(paymux, { authorization: `Bearer pmx_test_${n}` })).status, 401)
    }
    assert.strictEqual((await list(paymux, {})).status, 401)
    assert.match(await paymux.metrics(), /^paymux_api_keys_refused_total\{reason="malformed"\} 3$/m)
    assert.isTrue((await findings(database)).some(({ name, grade }) => name === "API keys" && grade === "warning"))
  })

  it("X-Forwarded-For from an internal address is a finding of doctor, until trustedProxies says how many there are", async () => {
    await using paymux = await createPaymux<string>(optionsOf(database))
    const proxies = async (more?: PaymuxOptions<string>) =>
      (await findings(database, more)).filter(({ name }) => name === "proxy").map(({ grade }) => grade)
    assert.deepStrictEqual(await proxies(), [])
    // The host passes no address of the connection.
    await list(paymux, { "x-forwarded-for": "203.0.113.7" })
    await listFrom("203.0.113.9", paymux, { "x-forwarded-for": "203.0.113.7" })
    await listFrom("127.0.0.1", paymux, {})
    assert.deepStrictEqual(await proxies(), [])
    await listFrom("127.0.0.1", paymux, { "x-forwarded-for": "203.0.113.7" })
    assert.deepStrictEqual(await proxies(), ["warning"])
    assert.deepStrictEqual(await proxies({ trustedProxies: 1 }), [])
  })
})

describe("in the log", () => {
  it("many forged webhooks and guessed keys are one line each, and the next start names the proxy", async () => {
    const lines: Array<string> = []
    const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)))
    try {
      const logged = { ...optionsOf(sqlite), logs: "logfmt" } as const
      await using first = await createPaymux<string>(logged)
      for (let n = 0; n < 50; n++) {
        await webhook(first, "another secret")
        await list(first, { authorization: `Bearer pmx_test_${n}` })
        await listFrom("10.0.0.2", first, { "x-forwarded-for": "203.0.113.7" })
      }
      await first.close()
      const count = (text: string) => lines.filter((line) => line.includes(text)).length
      assert.strictEqual(count("A webhook of notifier was refused: bad_signature"), 1)
      assert.strictEqual(count("A request with an API key was refused: malformed"), 1)
      const untrusted = "Requests from a private address carry X-Forwarded-For, but trustedProxies is 0."
      assert.strictEqual(count(untrusted), 1)
      lines.length = 0
      await using next = await createPaymux<string>(logged)
      assert.strictEqual(count(untrusted), 1)
      await next.close()
      lines.length = 0
      await using trusting = await createPaymux<string>({ ...logged, trustedProxies: 1 })
      await listFrom("10.0.0.2", trusting, { "x-forwarded-for": "203.0.113.7" })
      assert.strictEqual(count("trustedProxies"), 0)
    } finally {
      spy.mockRestore()
    }
  })
})

describe("the option trustedProxies", () => {
  it.each([-1, 11, 1.5, "1"])("of %j is refused", (trustedProxies) => {
    // Boundary: a configuration without types.
    const made = settingsOf({ ...optionsOf(":memory:"), trustedProxies } as PaymuxOptions)
    assert.deepStrictEqual(Result.isFailure(made) ? made.failure.problems : [], [
      "trustedProxies must be a whole number from 0 to 10."
    ])
  })
})
