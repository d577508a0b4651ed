/** `onEvent`: the program gets the events of its payments by a call. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import type { EventJson, Paymux } from "../src/index.ts"

const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { vpa: "success@paymux" } },
  customer: { email: "asha@example.com", phone: "+919812345678" }
} as const
const card = {
  ...upi,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } }
} as const

/** Resolves when `holds` does of all events so far. */
const collector = () => {
  const events: Array<EventJson> = []
  const waiting: Array<() => void> = []
  return {
    events,
    take: (event: EventJson) => {
      events.push(event)
      for (const look of waiting) look()
    },
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (holds()) resolve()
        }
        waiting.push(look)
        look()
      })
  }
}

describe("onEvent", () => {
  it("gets the events of a payment in order, with its JSON as it was at each change", async () => {
    const { events, take, until } = collector()
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", onEvent: take })
    const { id } = await paymux.payments.create({ ...card, capture_method: "manual" })
    await paymux.payments.capture(id)
    await paymux.refunds.create(id, { amount: 100 })
    await until(() => events.some(({ type }) => type === "refund.succeeded"))
    assert.deepStrictEqual(
      events.map(({ data, type }) => [type, data.sequence, data.payment.id]),
      [
        ["payment.authorized", 1, id],
        ["payment.succeeded", 2, id],
        ["refund.succeeded", 3, id]
      ]
    )
    assert.strictEqual(events[0]?.data.payment.status, "authorized")
    assert.strictEqual(events[2]?.data.refund?.amount, 100)
  })

  it("may use what createPaymux answered, and its own errors keep no payment waiting", async () => {
    const { events, take, until } = collector()
    let failures = 0
    const paymux: Paymux = await createPaymux({
      sandbox: true,
      database: ":memory:",
      onEvent: async (event) => {
        await paymux.payments.get(event.data.payment.id)
        if (failures++ === 0) throw new Error("the shop's database is down")
        take(event)
      }
    })
    try {
      const { id, status } = await paymux.payments.create(card)
      assert.strictEqual(status, "succeeded")
      await until(() => events.length > 0)
      assert.deepStrictEqual([events.length, events[0]?.data.payment.id, failures], [1, id, 2])
    } finally {
      await paymux.close()
    }
  })

  it("events that it had not taken when the process ended are delivered in the next process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "paymux-events-"))
    const options = { sandbox: true, database: `sqlite:${join(folder, "a.db")}` } as const
    try {
      const first = await createPaymux({ ...options, onEvent: () => Promise.reject(new Error("not now")) })
      const made = await first.payments.create(card)
      await first.close()
      // Without a listener, the events are kept.
      const second = await createPaymux(options)
      const other = await second.payments.create(card)
      await second.close()
      const { events, take, until } = collector()
      await using third = await createPaymux({ ...options, onEvent: take })
      await until(() => events.length === 2)
      assert.deepStrictEqual(events.map(({ data }) => data.payment.id).toSorted(), [made.id, other.id].toSorted())
      assert.strictEqual((await third.webhookEndpoints.list())[0]?.url, "process:")
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe("the options of webhooks", () => {
  const refusal = (options: object) =>
    createPaymux({ sandbox: true, database: ":memory:", ...options }).then(
      () => "started",
      (error: unknown) => String(error)
    )

  it("are refused at the start, each in words and all at once", async () => {
    const said = await refusal({
      onEvent: "https://shop.example",
      webhooks: { allow: ["10.0.0.0/33", "10.0.0.0/8"], disableAfterDays: 0, alow: [] }
    })
    assert.include(said, "onEvent must be a function.")
    assert.include(said, 'There is no option "webhooks.alow".')
    assert.include(said, "but not: 10.0.0.0/33.")
    assert.include(said, "webhooks.disableAfterDays must be from 1 to 365.")
    assert.include(await refusal({ webhooks: { allow: "10.0.0.0/8" } }), "webhooks.allow must be a list")
    assert.include(await refusal({ webhooks: null }), "webhooks must be an object.")
    assert.include(await refusal({ webhooks: { disableAfterDays: "5" } }), "must be from 1 to 365")
  })

  it("an endpoint with an empty filter, or one that names no event, is not made", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    for (const events of [[], ["payment.suceeded"]]) {
      const added = paymux.webhookEndpoints.add({ url: "https://shop.example.com/", events: events as never })
      assert.match(await added.then(String, String), /at least one event|must be one of/)
    }
    assert.deepStrictEqual(await paymux.webhookEndpoints.list(), [])
  })
})
