/** The webhooks of a review, from a real server to endpoints that subscribe to them or not. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "paymux"
import type { Paymux } from "paymux"
import { startCommands } from "../../paymux/test/Commands.ts"
import { webhooks } from "../src/index.ts"
import type { WebhookEvent } from "../src/index.ts"
import { closed, listening, portOf } from "./Shop.ts"

type Subscription = NonNullable<Parameters<Paymux["webhookEndpoints"]["add"]>[0]["events"]>

const folder = mkdtempSync(join(tmpdir(), "paymux-review-events-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An endpoint, and what it has received and verified. */
const receive = async (paymux: Paymux, events?: Subscription) => {
  const received: Array<WebhookEvent> = []
  let secret = ""
  const server = await listening(
    createServer((request, response) => {
      void text(request).then(async (body) => {
        received.push(await webhooks.verify(body, request.headers, secret))
        response.end()
      })
    })
  )
  const url = `http://127.0.0.1:${portOf(server)}/hooks`
  secret = (await paymux.webhookEndpoints.add({ url, ...(events !== undefined && { events }) })).secret
  const inOrder = () => received.toSorted((one, other) => one.data.sequence - other.data.sequence)
  return {
    types: () => inOrder().map(({ type }) => type),
    inOrder,
    until: async (count: number) => {
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    close: () => closed(server)
  }
}

describe("the webhooks of a review", () => {
  it("report that it was opened and how it was resolved, to those endpoints that want to know", async () => {
    const commands = startCommands()
    await using paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}` })
    const subscribed = await receive(paymux, ["payment.review_opened", "payment.review_resolved"])
    const former = await receive(paymux, ["payment.pending", "payment.succeeded", "payment.failed"])
    const all = await receive(paymux)
    const { id } = await paymux.payments.create({
      amount: 5_000,
      currency: "USD",
      payment_method: "stablecoin",
      customer: { email: "asha@example.com", phone: "+919812345678" },
      metadata: { sandbox_transfer: "under" }
    })
    await subscribed.until(1)
    const [review, ...others] = (await paymux.payments.get(id)).reviews
    assert.isDefined(review)
    assert.deepInclude(review, { reason: "amount_mismatch", amount: 2_500 })
    const accepted = ["--accept", "2500", "--reason", "The rest was paid in cash"]
    const statement = ["--as", "succeeded", "--evidence", "accepted by A. Rao", ...accepted, "--yes"]
    const { code, stderr } = await commands.run(folder, "review", "resolve", id, ...statement)
    commands.stop()
    assert.strictEqual(code, 0, stderr)
    await Promise.all([subscribed.until(2), former.until(2), all.until(4)])

    assert.deepStrictEqual(others, [])
    const [opened, resolved] = subscribed.inOrder()
    assert.deepStrictEqual([opened?.data.review, opened?.data.payment.reviews], [review, [review]])
    assert.deepStrictEqual(resolved?.data.review, { ...review, resolution: "succeeded" })
    assert.deepStrictEqual([resolved?.data.payment.reviews, resolved?.data.payment.status], [[], "succeeded"])
    assert.deepStrictEqual(subscribed.types(), ["payment.review_opened", "payment.review_resolved"])
    assert.deepStrictEqual(former.types(), ["payment.pending", "payment.succeeded"])
    const everything = ["payment.pending", "payment.review_opened", "payment.succeeded", "payment.review_resolved"]
    assert.deepStrictEqual(all.types(), everything)
    assert.deepStrictEqual(
      all.inOrder().map(({ data }) => data.sequence),
      [1, 2, 3, 4]
    )
    for (const endpoint of [subscribed, former, all]) await endpoint.close()
  })
})
