/**
 * `pnpm demo`: Paymux on a new SQLite file, simulated providers, a real webhook receiver, real HTTP. Each step says what
 * will happen, does it, and checks it. The exit code is 0 only if every step went as expected.
 *
 * `--keep` leaves the server running. It serves no dashboard: its pages are built by the tools of the whole workspace.
 */
import type { PaymentJson } from "@paymux/core/wire"
import { hardenedServer } from "@paymux/http"
import { mkdtemp, rm } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { amountText } from "../src/commands/amountText.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { connect } from "./Api.ts"
import type { Api } from "./Api.ts"
import { startReceiver } from "./Receiver.ts"
import type { Receiver } from "./Receiver.ts"
import { choices, coloured, expect, quiet, say, StepFailed, table, title, until, webhook, webhooks } from "./Story.ts"

const customer = { email: "asha@example.com", phone: "+919812345678" }
const upi = { amount: 49900, currency: "INR", payment_method: "upi", customer }
const card = { amount: 12000, currency: "EUR", payment_method: "card", customer }
const stablecoin = { amount: 2500, currency: "USD", payment_method: "stablecoin", customer }
const withToken = (token: string) => ({ payment_method_details: { card: { token } } })
const scenario = (name: string) => ({ metadata: { sandbox_scenario: name } })

/** Short, so that the breaker closes again within the demo. */
const BREAKER_OPEN_MS = 3000

interface Stage {
  readonly api: Api
  readonly paymux: Paymux
  readonly receiver: Receiver
}

const play = async ({ api, paymux, receiver }: Stage): Promise<void> => {
  title("1 · A provider takes the money, and the connection breaks before its response")
  const ambiguous = api.create({ ...upi, ...scenario("primary_reset") })
  say("A missing response is not a failure. Paymux tries no other provider; step 8 shows the outcome.")

  title("2 · UPI: an intent link. The simulated payer approves after two seconds.")
  const { payment: intent } = await api.create(upi)
  expect(
    "the payment is pending until the payer approves",
    intent.status === "pending" && intent.next_action?.type === "upi_intent",
    intent
  )
  if (intent.next_action?.type === "upi_intent") quiet(intent.next_action.uri)
  await settled(api, receiver, intent.id, "succeeded")

  title("3 · Card: a token. The same request is sent again with the same Idempotency-Key.")
  const first = await api.create({ ...card, ...withToken("tok_success") }, "order-1001")
  expect("the card payment succeeds in one call", first.payment.status === "succeeded", first.payment)
  await notified(receiver, first.payment)
  const again = await api.create({ ...card, ...withToken("tok_success") }, "order-1001")
  expect(
    "the retry creates no second payment and returns the same bytes",
    again.replayed && again.text === first.text,
    again
  )

  title("4 · Stablecoin: an address to pay to. The payment succeeds when the transfer is final.")
  const { payment: transfer } = await api.create(stablecoin)
  const action = transfer.next_action
  expect("the response has an address and an amount", action?.type === "stablecoin_transfer", transfer)
  if (action?.type === "stablecoin_transfer") quiet(`${action.amount} to ${action.address}`)
  await settled(api, receiver, transfer.id, "succeeded")

  title("5 · The first provider is down. Nothing was sent to it, so the second one is tried.")
  const { payment: moved } = await api.create({ ...card, ...withToken("tok_success"), ...scenario("primary_down") })
  say(path(moved))
  expect(
    "the payment succeeds through the second provider",
    moved.status === "succeeded" && moved.attempts.length === 2,
    moved
  )

  await notified(receiver, moved)

  title("6 · The issuer declines. A final decline is not tried at another provider.")
  const { payment: declined } = await api.create({ ...card, ...withToken("tok_declined") })
  say(path(declined))
  expect(
    "the payment fails with the issuer's reason",
    declined.status === "failed" && declined.attempts.length === 1,
    declined
  )
  quiet(`${declined.failure?.code}: ${declined.failure?.message}`)
  await notified(receiver, declined)

  title("7 · An outage opens the provider's circuit breaker. Afterwards, one probe closes it.")
  webhooks.printed = false
  const before = new Set(api.made)
  await Promise.all(
    Array.from({ length: 20 }, () => api.create({ ...card, ...withToken("tok_success"), ...scenario("primary_down") }))
  )
  const opened = await until("the circuit breaker to open", async () => breaker(paymux, "open"))
  say(`${opened.provider} · ${opened.operation}: closed → open`)
  const { payment: around } = await api.create({ ...card, ...withToken("tok_success") })
  expect(
    "payments go directly to the second provider",
    around.provider === "sandbox_card_b" && around.attempts.length === 1,
    around
  )
  await until(
    "the circuit breaker to close",
    async () => {
      await api.create({ ...card, ...withToken("tok_success") })
      return breaker(paymux, "closed")
    },
    500
  )
  say("sandbox_card_a · create: open → half open → closed")
  const { payment: back } = await api.create({ ...card, ...withToken("tok_success") })
  expect("payments go to the first provider again", back.provider === "sandbox_card_a", back)
  const crowd = new Set([...api.made].filter((id) => !before.has(id)))
  const received = () => new Set(receiver.received.map((event) => event.payment.id))
  await until("the webhooks of these payments", () => ([...crowd].every((id) => received().has(id)) ? true : null))
  quiet(`${crowd.size} payments, each charged once, each with a verified webhook`)
  webhooks.printed = true

  title("8 · The payment of step 1: Paymux inquires at the provider until the outcome is known")
  const { payment: held } = await ambiguous
  expect("the response to its client was pending, not failed", held.status === "pending", held)
  const settledLate = await until("the inquiry, ten seconds after the send", async () => {
    const now = await api.get(held.id)
    return now.status === "pending" ? null : now
  })
  say(path(settledLate))
  expect(
    "the inquiry found the payment; the second provider was never charged",
    settledLate.status === "succeeded" && settledLate.attempts.length === 1,
    settledLate
  )

  title("9 · All payments, and their webhooks")
  const page = await api.list("limit=100")
  const done = page.data.filter((payment) => payment.status !== "pending")
  await until(
    "the last webhook",
    () =>
      done.every((payment) =>
        receiver.received.some((event) => event.payment.id === payment.id && event.type === `payment.${payment.status}`)
      ) || null
  )
  expect(
    `${receiver.received.length} webhooks arrived, each with a valid signature`,
    receiver.refused() === 0,
    receiver.refused()
  )
  const ids = new Set(receiver.received.map((event) => event.id))
  expect("no webhook arrived twice", ids.size === receiver.received.length, receiver.received.length)
  const listed = page.data.map((payment) => payment.id)
  expect(
    "the list has every payment that was created, and no other",
    listed.length === api.made.size && listed.every((id) => api.made.has(id)),
    listed
  )
  table(
    ["payment", "amount", "status", "attempts"],
    page.data
      .toReversed()
      .filter((payment) => !crowd.has(payment.id))
      .map((payment) => [
        payment.id,
        amountText(payment.amount, payment.currency),
        coloured(payment.status),
        path(payment)
      ])
  )
  quiet(`and the ${crowd.size} payments of step 7`)
}

/** Every provider here is one of the sandbox: without that, a row of the table fits in 100 columns. */
const path = (payment: PaymentJson): string =>
  payment.attempts.map(({ provider, status }) => `${provider?.replace("sandbox_", "")} ${status}`).join(" → ")

/** The webhook of a payment that was decided at once. */
const notified = (receiver: Receiver, { id, status }: PaymentJson) =>
  until(
    `the webhook payment.${status}`,
    () => receiver.received.find((each) => each.payment.id === id && each.type === `payment.${status}`) ?? null
  )

const settled = async (api: Api, receiver: Receiver, id: string, status: string): Promise<void> => {
  const event = await until(
    `the webhook payment.${status}`,
    () => receiver.received.find((each) => each.payment.id === id && each.type === `payment.${status}`) ?? null
  )
  expect(`the merchant receives ${event.type}`, (await api.get(id)).status === status, event)
}

const breaker = async (paymux: Paymux, state: string) =>
  (await paymux.breakers.list()).find(
    (each) => each.provider === "sandbox_card_a" && each.operation === "create" && each.state === state
  ) ?? null

const open = async (folder: string) => {
  const receiver = await startReceiver((event) => webhook(event.type, `${event.payment.id} verified`))
  const state: { paymux: Paymux | null } = { paymux: null }
  const server = hardenedServer((request, response) => state.paymux?.node(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const paymux = await createPaymux({
    sandbox: true,
    database: `sqlite:${join(folder, "demo.db")}`,
    publicUrl: url,
    breaker: { openMs: BREAKER_OPEN_MS },
    dashboard: false,
    logs: false
  })
  state.paymux = paymux
  const endpoint = await paymux.webhookEndpoints.add({ url: receiver.url })
  receiver.trust(endpoint.secret)
  const key = paymux.testKey ?? ""
  title("Paymux · the demo")
  say("Simulated providers, a real HTTP server, SQLite and webhooks. No money moves.")
  quiet(`API        ${url}/v1`)
  quiet(`test key   ${key}`)
  quiet(`webhooks   ${receiver.url}`)
  const close = async () => {
    server.close()
    server.closeAllConnections()
    receiver.close()
    await paymux.close()
  }
  return { stage: { api: connect(`${url}/v1`, key), paymux, receiver }, close }
}

const main = async (): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-demo-"))
  const { close, stage } = await open(folder)
  const end = async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  }
  const started = performance.now()
  try {
    await play(stage)
  } catch (error) {
    console.error(`\nThe demo failed. ${error instanceof StepFailed ? error.message : String(error)}`)
    await end()
    return 1
  }
  title(`Every step went as expected, in ${Math.round((performance.now() - started) / 1000)} seconds. Next:`)
  choices([
    ["npx -y pnpm@12 paymux serve --sandbox", "a server for your own requests, with the dashboard"],
    ["docs/guide/embedding.md", "Paymux in your own server"],
    ["docs/guide/sandbox.md", "what the sandbox simulates"]
  ])
  if (!process.argv.includes("--keep")) {
    await end()
    return 0
  }
  title("The server keeps running. Press Ctrl+C to stop it.")
  await new Promise<void>((resolve) => process.once("SIGINT", () => resolve()))
  await end()
  return 0
}

process.exitCode = await main()
