/** The timeline of a payment on both databases, against what its parts say. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { TimelineItem } from "@paymux/dashboard"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { migrations } from "../src/Database.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import { card } from "./card.ts"
import { reportDuplicate } from "./ProviderReports.ts"

const scope = Scope.makeUnsafe()
const commands = startCommands()
let folder = ""
let postgresUrl = ""

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-timeline-"))
  postgresUrl = await Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))
})

afterAll(async () => {
  commands.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const eventually = async <A>(read: () => Promise<A | null>): Promise<A> => {
  for (;;) {
    const found = await read()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const ofKind = <Kind extends TimelineItem["kind"]>(items: ReadonlyArray<TimelineItem>, kind: Kind) =>
  items.filter((item): item is Extract<TimelineItem, { readonly kind: Kind }> => item.kind === kind)

/** Once every event has its delivery, and each delivery was tried. */
const triedDeliveries = (paymux: Paymux, paymentId: string) =>
  eventually(async () => {
    const { data: events } = await paymux.events.list({ paymentId, limit: 1000 })
    const { records } = await paymux.webhookDeliveries.list({ paymentId, limit: 1000 })
    const tried = records.every(({ attempts }) => attempts > 0)
    return records.length === events.length && tried ? { events, records } : null
  })

describe.each([
  ["SQLite", () => `sqlite:${join(folder, "paymux.db")}`],
  ["PostgreSQL", () => postgresUrl]
] as const)("the timeline of a payment on %s", (_, url) => {
  let paymux: Paymux
  beforeAll(async () => {
    paymux = await createPaymux({ sandbox: true, database: url(), logs: false })
    // Nothing listens there: each attempt fails at once.
    await paymux.webhookEndpoints.add({ url: "https://127.0.0.1/hooks" })
  })
  afterAll(() => paymux.close())

  /** Held, captured in part, refunded twice, with two more charges reported, of which one is resolved. */
  const eventful = async () => {
    const { id } = await paymux.payments.create({
      ...card,
      capture_method: "manual",
      customer: { ...card.customer, name: "Asha Rao" },
      metadata: { note: "for Asha" }
    })
    await paymux.payments.capture(id, { amount: 1000 })
    for (const amount of [100, 200]) await paymux.refunds.create(id, { amount, reason: "Asha was ill" })
    for (const reference of ["second", "third"]) await reportDuplicate(url(), id, `ch_${id}_${reference}`)
    const [review] = (await paymux.reviews.get(id)).reviews
    await paymux.reviews.resolve(id, {
      review: review?.id ?? "",
      resolution: "given_back",
      evidence: "Asha Rao called"
    })
    return id
  }

  it("has each operation, report, entry, event, delivery and attempt once, as its parts say, in the order of time", async () => {
    const id = await eventful()
    const { events, records } = await triedDeliveries(paymux, id)
    const { items, next } = await paymux.payments.timeline(id, { limit: 500 })
    assert.isNull(next)
    for (const [n, { at }] of items.entries()) assert.isAtLeast(at, items[n - 1]?.at ?? 0)
    assert.deepStrictEqual(
      items.slice(0, 2).map(({ kind }) => kind),
      ["created", "routed"]
    )
    const payment = await paymux.payments.get(id)
    const [routed] = ofKind(items, "routed")
    assert.deepInclude(routed, {
      rule: payment.routing.rule,
      ruleset: payment.routing.ruleset,
      reason: payment.routing.reason,
      dropped: payment.routing.dropped
    })
    assert.include(routed?.candidates.map(({ provider }) => provider) ?? [], payment.provider)
    const { evidence, operations } = await paymux.reviews.get(id)
    assert.sameDeepMembers(
      ofKind(items, "operation_started").map(({ amount, operation, operationKind, status }) => {
        return { id: operation, kind: operationKind, amount, status }
      }),
      operations.map(({ amount, id, kind, status }) => ({ id, kind, amount, status }))
    )
    assert.lengthOf(ofKind(items, "operation_ended"), operations.length)
    assert.deepStrictEqual(
      ofKind(items, "evidence").map(({ document, operation, outcome, source }) => [
        operation,
        source,
        outcome,
        document
      ]),
      evidence.map(({ document, kind, operationId, source }) => [operationId, source, kind, document])
    )
    assert.deepStrictEqual<unknown>(
      ofKind(items, "event").map(({ event, sequence, type }) => [event, sequence, type]),
      events.map(({ id, sequence, type }) => [id, sequence, type] as const).toSorted((a, b) => a[1] - b[1])
    )
    assert.deepStrictEqual(
      ofKind(items, "event").flatMap(({ review, type }) => (review === null ? [] : [[type, review.resolution]])),
      [
        ["payment.review_opened", null],
        ["payment.review_opened", null],
        ["payment.review_resolved", "given_back"]
      ]
    )
    const tries = await Promise.all(
      records.map(async ({ endpointId, eventId }) =>
        (await paymux.webhookDeliveries.attempts(eventId, endpointId)).map(({ attempt }) => `${eventId} ${attempt}`)
      )
    )
    assert.deepStrictEqual(
      ofKind(items, "delivery_attempt")
        .map(({ attempt, event }) => `${event} ${attempt}`)
        .toSorted(),
      tries.flat().toSorted()
    )
    assert.deepStrictEqual(
      ofKind(items, "delivery")
        .map(({ event }) => event)
        .toSorted(),
      records.map(({ eventId }): string => eventId).toSorted()
    )
    assert.sameMembers(
      ofKind(items, "entry").map(({ amount, entry }) => `${entry} ${amount}`),
      [
        "authorized 1200",
        "captured 1000",
        "captured 1200",
        "captured 1200",
        "refunded 100",
        "refunded 200",
        "refunded 1200"
      ]
    )

    const pages: Array<TimelineItem> = []
    let page = await paymux.payments.timeline(id, { limit: 3 })
    for (; page.next !== null; page = await paymux.payments.timeline(id, { limit: 3, after: page.next })) {
      pages.push(...page.items)
    }
    const stable = (all: ReadonlyArray<TimelineItem>) => all.filter(({ kind }) => !kind.startsWith("delivery"))
    assert.deepStrictEqual(stable([...pages, ...page.items]), stable(items))
  })

  it("has nothing personal after an erasure", async () => {
    const id = await eventful()
    for (const { id: review } of (await paymux.reviews.get(id)).reviews) {
      await paymux.reviews.resolve(id, { review, resolution: "given_back", evidence: "Asha Rao called" })
    }
    await triedDeliveries(paymux, id)
    assert.include(JSON.stringify(await paymux.payments.timeline(id)), "Asha")
    await paymux.customers.erase({ payment: id })
    assert.notMatch(
      JSON.stringify(await paymux.payments.timeline(id, { limit: 500 })),
      /Asha|example\.com|4915112345678/i
    )
  })

  it("is that of its own account and mode, and refuses what makes no sense", async () => {
    const { id } = await paymux.payments.create(card)
    const refusal = (call: Promise<unknown>) =>
      call.then(
        () => "accepted",
        (error: unknown) => JSON.stringify(error) + String(error)
      )
    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.strictEqual(await refusal(other.payments.timeline(id)), await refusal(paymux.payments.timeline("pay_1")))
    }
    for (const [query, name] of [
      [{ limit: 0 }, "/limit"],
      [{ limit: 501 }, "/limit"],
      [{ after: 5 }, "/after"],
      [{ from: 5 }, "/from"]
    ] as const) {
      // Boundary: what JavaScript may give.
      assert.include(await refusal(paymux.payments.timeline(id, query as object)), name)
    }
    assert.include(await refusal(paymux.payments.timeline(id, { after: "x" })), "The cursor must be")
  })

  it("is printed by a command, as a table and as JSON", async () => {
    const { id } = await paymux.payments.create(card)
    await triedDeliveries(paymux, id)
    const run = (...args: ReadonlyArray<string>) =>
      commands.run(folder, "payments", "timeline", ...args, "--database", url())
    const table = await run(id)
    assert.strictEqual(table.code, 0, table.stderr)
    for (const text of ["created", "routed", "attempt started", "EUR 12.00", "payment.succeeded", "delivery attempt"]) {
      assert.include(table.stdout, text)
    }
    const first = await run(id, "--json", "--limit", "2")
    const [, cursor = ""] = /^There are more: --after (\S+)$/m.exec(first.stderr) ?? []
    const rest = await run(id, "--json", "--after", cursor)
    const { items } = await paymux.payments.timeline(id)
    const shown: ReadonlyArray<TimelineItem> = [...JSON.parse(first.stdout), ...JSON.parse(rest.stdout)]
    assert.deepStrictEqual(shown.slice(0, 6), items.slice(0, 6))
    assert.include((await run(id, "--live")).stderr, "not found in account default (live mode)")
    assert.include((await run("pay_1")).stderr, "not found")
    assert.include(
      (await run(id, "--after", "x")).stderr,
      "The cursor must be the `next` of a former page of a timeline."
    )
  })
})
