/**
 * `pnpm demo`: Paymux on a fresh SQLite file, simulated providers, a real webhook receiver, real HTTP. Each step says
 * what will happen, does it, and checks it; the command ends with 0 only if every step went as announced.
 *
 * `--keep` leaves the service running.
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
import { coloured, expect, quiet, say, StepFailed, table, title, until, webhook, webhooks } from "./Story.ts"

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
  title("1 · A payment whose provider takes the money and never answers")
  const ambiguous = api.create({ ...upi, ...scenario("primary_timeout") })
  say("It is on its way. A timeout is not a failure: we look at it again below.")

  title("2 · UPI: an intent link; the simulated payer approves after two seconds")
  const { payment: intent } = await api.create(upi)
  expect(
    "the payment waits for the payer",
    intent.status === "pending" && intent.next_action?.type === "upi_intent",
    intent
  )
  if (intent.next_action?.type === "upi_intent") quiet(intent.next_action.uri)
  await settled(api, receiver, intent.id, "succeeded")

  title("3 · Card: a token, answered at once; the same request again under the same key")
  const first = await api.create({ ...card, ...withToken("tok_success") }, "order-1001")
  expect("the card payment succeeds in one call", first.payment.status === "succeeded", first.payment)
  await notified(receiver, first.payment)
  const again = await api.create({ ...card, ...withToken("tok_success") }, "order-1001")
  expect(
    "the retry makes no second payment and gets the very same bytes",
    again.replayed && again.text === first.text,
    again
  )

  title("4 · Stablecoin: an address to pay to; success only when the transfer is final")
  const { payment: transfer } = await api.create(stablecoin)
  const action = transfer.next_action
  expect("an address and an amount are given", action?.type === "stablecoin_transfer", transfer)
  if (action?.type === "stablecoin_transfer") quiet(`${action.amount} to ${action.address}`)
  await settled(api, receiver, transfer.id, "succeeded")

  title("5 · The first provider is down: nothing was sent, so the second one may be tried")
  const { payment: moved } = await api.create({ ...card, ...withToken("tok_success"), ...scenario("primary_down") })
  say(path(moved))
  expect(
    "the payment succeeds through the second provider",
    moved.status === "succeeded" && moved.attempts.length === 2,
    moved
  )

  await notified(receiver, moved)

  title("6 · A decline is an answer: no other provider is asked")
  const { payment: declined } = await api.create({ ...card, ...withToken("tok_declined") })
  say(path(declined))
  expect("it fails with the issuer's reason", declined.status === "failed" && declined.attempts.length === 1, declined)
  quiet(`${declined.failure?.code}: ${declined.failure?.message}`)
  await notified(receiver, declined)

  title("7 · An outage opens the provider's breaker; when it is over, one probe closes it")
  webhooks.printed = false
  const before = new Set(api.made)
  await Promise.all(
    Array.from({ length: 20 }, () => api.create({ ...card, ...withToken("tok_success"), ...scenario("primary_down") }))
  )
  const opened = await until("the breaker to open", async () => breaker(paymux, "open"))
  say(`${opened.provider} · ${opened.operation}: closed → open`)
  const { payment: around } = await api.create({ ...card, ...withToken("tok_success") })
  expect(
    "payments go straight to the second provider",
    around.provider === "sandbox_card_b" && around.attempts.length === 1,
    around
  )
  await until(
    "the breaker to let a probe through",
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
  await until("the webhooks of all these", () => ([...crowd].every((id) => received().has(id)) ? true : null))
  quiet(`${crowd.size} payments, all taken once, and as many verified webhooks`)
  webhooks.printed = true

  title("8 · Back to the payment without an answer")
  const { payment: held } = await ambiguous
  expect("its caller got an answer after ten seconds: pending", held.status === "pending", held)
  const settledLate = await until("an inquiry that finds out", async () => {
    const now = await api.get(held.id)
    return now.status === "pending" ? null : now
  })
  say(path(settledLate))
  expect(
    "it was inquired, found paid, and never charged at the second provider",
    settledLate.status === "succeeded" && settledLate.attempts.length === 1,
    settledLate
  )

  title("9 · What the merchant received")
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
    `${receiver.received.length} webhooks came, each with a signature that holds`,
    receiver.refused() === 0,
    receiver.refused()
  )
  const ids = new Set(receiver.received.map((event) => event.id))
  expect("none of them came twice", ids.size === receiver.received.length, receiver.received.length)
  const listed = page.data.map((payment) => payment.id)
  expect(
    "the list has every payment that was made, and no other",
    listed.length === api.made.size && listed.every((id) => api.made.has(id)),
    listed
  )
  table(
    ["payment", "amount", "method", "status", "attempts"],
    page.data
      .toReversed()
      .filter((payment) => !crowd.has(payment.id))
      .map((payment) => [
        payment.id,
        amountText(payment.amount, payment.currency),
        payment.payment_method,
        coloured(payment.status),
        path(payment)
      ])
  )
  quiet(`and the ${crowd.size} of step 7`)
}

const path = (payment: PaymentJson): string =>
  payment.attempts.map(({ provider, status }) => `${provider} ${status}`).join(" → ")

/** The webhook of a payment that was decided at once. */
const notified = (receiver: Receiver, { id, status }: PaymentJson) =>
  until(
    `payment.${status}`,
    () => receiver.received.find((each) => each.payment.id === id && each.type === `payment.${status}`) ?? null
  )

const settled = async (api: Api, receiver: Receiver, id: string, status: string): Promise<void> => {
  const event = await until(
    `payment.${status}`,
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
    breaker: { openMs: BREAKER_OPEN_MS }
  })
  state.paymux = paymux
  const endpoint = await paymux.webhookEndpoints.add({ url: receiver.url })
  receiver.trust(endpoint.secret)
  const key = paymux.testKey ?? ""
  title("Paymux")
  say(`listening on ${url}/v1, database ${join(folder, "demo.db")}`)
  say(`test API key ${key}, webhooks to ${receiver.url}`)
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
    console.error(`\nNot as announced. ${error instanceof StepFailed ? error.message : String(error)}`)
    await end()
    return 1
  }
  title(`Every step went as announced, in ${Math.round((performance.now() - started) / 1000)} seconds.`)
  if (!process.argv.includes("--keep")) {
    await end()
    return 0
  }
  say("The service keeps running (--keep). Ctrl+C ends it.")
  await new Promise<void>((resolve) => process.once("SIGINT", () => resolve()))
  await end()
  return 0
}

process.exitCode = await main()
