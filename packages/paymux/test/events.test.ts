/** The event log through the library and the commands. */
import { assert, describe, it } from "@effect/vitest"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

const { commands, folder, paymux } = await paymuxOnDisk()

describe("the event log", () => {
  it("lists what happened, and shows an event as it is delivered, to its own account and mode", async () => {
    const first = await paymux.payments.create(card)
    const second = await paymux.payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_declined" } }
    })
    const { data: events, next } = await paymux.events.list()
    assert.isNull(next)
    assert.deepStrictEqual(
      new Map(events.map(({ paymentId, type }) => [paymentId, type])),
      new Map([
        [first.id, "payment.succeeded"],
        [second.id, "payment.failed"]
      ])
    )
    const [failed] = (await paymux.events.list({ types: ["payment.failed"], paymentId: second.id })).data
    const event = await paymux.events.get(failed?.id ?? "")
    assert.strictEqual(event?.type, "payment.failed")
    assert.strictEqual(event?.data.id, failed?.id)
    assert.strictEqual(event?.data.payment.id, second.id)
    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await other.events.list()).data, [])
      assert.isNull(await other.events.get(failed?.id ?? ""))
    }

    const listed = await commands.run(folder, "events", "list", "--type", "payment.failed", "--json")
    assert.deepStrictEqual(JSON.parse(listed.stdout), [failed])
    const page = await commands.run(folder, "events", "list", "--limit", "1", "--json")
    const [, cursor = ""] = /^There are more: --after (\S+)$/m.exec(page.stderr) ?? []
    const rest = await commands.run(folder, "events", "list", "--after", cursor, "--json")
    assert.deepStrictEqual([...JSON.parse(page.stdout), ...JSON.parse(rest.stdout)], events)
    assert.include((await commands.run(folder, "events", "list", "--until", "1h")).stderr, "No events.")
    assert.include((await commands.run(folder, "events", "list", "--after", "x")).stderr, "The cursor must be")
    const shown = await commands.run(folder, "events", "show", failed?.id ?? "")
    assert.deepStrictEqual(JSON.parse(shown.stdout), event)
    const live = await commands.run(folder, "events", "show", failed?.id ?? "", "--live")
    assert.include(live.stderr, "not found in account default (live mode)")
  })

  it("is read in the order of the sequence, page by page, with the bodies", async () => {
    const other = paymux.forAccount("reader")
    const payments: Array<string> = []
    for (let n = 0; n < 3; n++) payments.push((await other.payments.create(card)).id)
    const page = await other.events.read({ limit: 2 })
    assert.isTrue(page.has_more)
    const rest = await other.events.read({ after: page.next_cursor ?? "" })
    const read = [...page.data, ...rest.data]
    assert.deepStrictEqual(
      read.map(({ data }) => data.payment.id),
      payments
    )
    for (const event of read) assert.deepStrictEqual(await other.events.get(event.data.id), event)
    const [, second = ""] = payments
    const ofSecond = await other.events.read({ payment: second, types: ["payment.succeeded"] })
    assert.deepStrictEqual(ofSecond.data, read.slice(1, 2))
    const refusal = (query: object) =>
      other.events.read(query).then(
        () => "accepted",
        (reason: unknown) => String(reason)
      )
    for (const query of [{ limit: 101 }, { types: ["x"] }, { after: "x" }, { payment: "x" }, { colour: "x" }]) {
      assert.include(await refusal(query), "is not valid")
    }
    // No event has this id, which was made in 2025.
    assert.include(await refusal({ after: "evt_01k3zq6v9n8m4c7x2t5w0b1d3f" }), "EventNotStored")
    assert.include(await refusal({ after: rest.next_cursor ?? "" }), "accepted")
  })

  it("refuses a query that makes no sense", async () => {
    for (const query of [
      { limit: 1001 },
      { from: -1 },
      { types: [] },
      { types: ["x"] },
      { types: "x" },
      { type: "x" }
    ]) {
      const error = await paymux.events.list(query as never).then(
        () => "accepted",
        (reason: unknown) => String(reason)
      )
      assert.include(error, "is not valid")
    }
    for (const id of ["", "evt_none", "evt_\u0000", "' OR 1=1 --"]) assert.isNull(await paymux.events.get(id))
  })
})
