/** Texts that clients, payers, providers and receivers set, on every page that shows them: nothing of them runs. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { reportDuplicate } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { opened } from "./opened.ts"

const hostile = [
  "<script>window.ran = 1</script>",
  '"><img src=x onerror="window.ran = 2">',
  "<svg/onload=window.ran=3>",
  "javascript:window.ran=4",
  "{{constructor.constructor('window.ran=5')()}}",
  "</textarea><iframe srcdoc='<script>parent.ran=6</script>'>",
  "\u05D0\u05D1gpj.exe \u0627abc",
  "${window.ran=7}"
] as const

const all = hostile.join(" ")

/** Its references, codes and messages are what a broken or hostile provider would send. */
const provider = defineProvider({
  id: "hostile",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
    operations: {
      create: { idempotency: { by: "header", lifetime: "24 hours" } },
      refund: { idempotency: { by: "header", lifetime: "24 hours" }, partial: true }
    }
  }),
  make: () =>
    Effect.succeed({
      create: ({ amount, id }) =>
        Effect.succeed(
          amount.minorUnits % 2 === 0
            ? Outcome.succeeded({ reference: `${hostile[0]}${id}`, amount })
            : Outcome.declined({ code: "generic_decline", retry: "never", vendorCode: hostile[1] })
        ),
      refund: ({ id }) => Effect.succeed(Outcome.succeeded({ reference: `${hostile[2]}${id}` }))
    })
})({})

const address = { line1: all.slice(0, 200), city: hostile[0], country: "IN" }
const customer = { email: "o'brien@example.com", phone: "+4915112345678", name: all.slice(0, 200), address }

interface Found {
  readonly ran: boolean
  readonly added: number
  readonly links: ReadonlyArray<string>
}

const whatRan = `({
  ran: "ran" in window,
  added: document.querySelectorAll("img[src=x], svg[onload], iframe, #root script").length,
  links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href"))
})`

/** Answers webhooks with what would run if it were not shown as text. */
const receiverOf = async (): Promise<Server> => {
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(500, { "content-type": "text/html" }).end(all))
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  return receiver
}

describe.skipIf(!hasBrowser)("texts of others on the pages of the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let receiver: Server
  let paths: ReadonlyArray<string>

  beforeAll(async () => {
    receiver = await receiverOf()
    server = await openDashboard({
      paymux: { providers: [provider], dashboard: {}, webhooks: { allow: ["127.0.0.0/8"] } }
    })
    const shop = server.paymux.forAccount("default", { mode: "test" })
    const address = receiver.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const endpoint = await shop.webhookEndpoints.add({ url: `http://127.0.0.1:${port}/?${encodeURIComponent(all)}` })
    const key = await shop.apiKeys.create({ name: hostile[1] })
    const payments = []
    for (const amount of [10_000, 10_001]) {
      payments.push(
        await shop.payments.create({
          amount,
          currency: "EUR",
          payment_method: "card",
          payment_method_details: { card: { token: "tok_success" } },
          customer,
          description: all,
          metadata: { [`key ${hostile[2]}`.slice(0, 40)]: all, order: hostile[3] },
          return_url: "https://shop.example/?%3Cscript%3E"
        })
      )
    }
    const [payment] = payments
    if (payment === undefined) return assert.fail("no payment")
    await shop.refunds.create(payment.id, { amount: 500, reason: "requested_by_customer" })
    await reportDuplicate(server.database, payment.id, hostile[5])
    await shop.webhookEndpoints.test(endpoint.id)
    await fetch(`${server.url}/v1/payments?${encodeURIComponent(hostile[0])}=1`, {
      headers: { authorization: `Bearer ${key.key}`, "user-agent": hostile[1] }
    })
    const lists = ["", "payments", "refunds", "reviews", "reports", "keys", "endpoints", "deliveries", "events"]
    const more = ["requests", "routing", "routing/history", "providers", "team", "audit"]
    const details = [
      ...payments.map(({ id }) => `payments/${id}`),
      `reviews/${payment.id}`,
      `endpoints/${endpoint.id}`,
      `providers/hostile`,
      `payments?customerEmail=${encodeURIComponent(all)}&providerReference=${encodeURIComponent(hostile[4])}`,
      `payments/${encodeURIComponent(hostile[4])}`
    ]
    paths = [...lists, ...more, ...details]
  })

  afterAll(async () => {
    receiver?.closeAllConnections()
    receiver?.close()
    await server?.close()
  })

  it("runs nothing, adds no element and leads to no script", async () => {
    const { page, problems } = await server.open("")
    for (const path of paths) {
      await opened(page, `${server.url}/dashboard/default/test/${path}`).catch((error: unknown) =>
        assert.fail(`${path}: ${String(error)} ${problems.join(" ")}`)
      )
      for (const each of await page.locator("summary, [aria-expanded=false]:visible").all()) {
        await each.click({ timeout: 2_000 }).catch(() => undefined)
      }
      const found = await page.evaluate<Found>(whatRan)
      assert.deepStrictEqual({ ran: found.ran, added: found.added }, { ran: false, added: 0 }, path)
      const foreign = found.links.filter((href) => !/^(?:https:\/\/|\/|#|\.)/.test(href))
      assert.deepStrictEqual(foreign, [], path)
    }
    // A payment with such an id is not found: that is no fault of the page.
    assert.deepStrictEqual(
      problems.filter((problem) => !problem.includes("was answered 404")),
      []
    )
  })
})
