/** Webhooks of providers: verified first, stored before they are acknowledged, applied once. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { PaymentId, ProviderOperation } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Clock, Context, Deferred, Effect, Fiber, Layer, Logger, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Notice, ProblemCode } from "../../src/index.ts"
import { HttpHandler } from "../../src/index.ts"
import { acme, card, TestServer } from "../support/server.ts"
import type { Answer, Ask } from "../support/server.ts"
import { signed, notifier } from "../support/notifier.ts"
import type { Reported } from "../support/notifier.ts"

const parsed = ({ text }: Answer) => JSON.parse(text)

/** Waits for its payer, under a reference of its own. */
const pending = ({ id }: ProviderOperation) => Effect.succeed(Outcome.pending({ reference: `ord_${id}` }))

const payment = Effect.fnUntraced(function* () {
  const { ask } = yield* TestServer
  const { id } = parsed(yield* ask({ body: card }))
  const { operations } = (yield* record(id)) ?? { operations: [] }
  return { id: String(id), reference: `ord_${operations[0]?.id}`, operation: String(operations[0]?.id) }
})

// Boundary of a test: the id was just answered.
const record = (id: string) => Effect.orDie(PaymentStore.use((store) => store.get(id as PaymentId)))

/** A webhook as the vendor sends it now, unless `ask` says otherwise. */
const webhook = Effect.fnUntraced(function* (reported: Reported | string, change: Ask & { readonly to?: string } = {}) {
  const { ask } = yield* TestServer
  const body = typeof reported === "string" ? reported : JSON.stringify(reported)
  const { headers = {}, to = "notifier", ...rest } = change
  return yield* ask({
    path: `/webhooks/${to}`,
    body,
    ...rest,
    headers: { Authorization: null, ...signed(body, yield* Clock.currentTimeMillis), ...headers }
  })
})

/** Everything that a webhook could change. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["payments", "attempts", "operations", "payment_events", "evidence", "provider_inbox"]
  return yield* Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)} ORDER BY 1, 2`)
}).pipe(Effect.orDie)

const inbox = Effect.orDie(SqlClient.SqlClient.use((sql) => sql<{ status: string }>`SELECT status FROM provider_inbox`))

const quiet = <A, E, R>(server: Layer.Layer<A, E, R>) => Layer.provide(server, Logger.layer([]))
const server = quiet(TestServer.layer({ providers: [notifier(pending), acme({ id: "silent" })] }))

layer(server, { excludeTestServices: true })("a provider's webhook", (it) => {
  it.effect("is applied and acknowledged, whatever type it says it has", () =>
    Effect.gen(function* () {
      for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", null]) {
        const { id, reference } = yield* payment()
        const reported = { id: `evt_${reference}`, reference, type: "succeeded", amount: card.amount, currency: "EUR" }
        const answer = yield* webhook(reported, { headers: { "Content-Type": type } })
        assert.deepStrictEqual([answer.status, answer.text], [200, `{"received":"applied"}`])
        const { payment: after } = (yield* record(id)) ?? {}
        assert.deepInclude(after, { state: { status: "succeeded", late: false }, amountCaptured: card.amount })
      }
    })
  )

  it.effect("of an unknown payment is kept and acknowledged with 202", () =>
    Effect.gen(function* () {
      const before = (yield* inbox).length
      const reported = { id: "evt_unknown", reference: "ord_unknown", type: "succeeded" }
      assert.deepStrictEqual(
        [(yield* webhook(reported)).status, (yield* webhook(reported)).status, (yield* webhook(reported)).status],
        [202, 202, 202]
      )
      assert.strictEqual((yield* inbox).length, before + 1)
    })
  )

  it.effect("succeeded, then pending: the later one changes nothing", () =>
    Effect.gen(function* () {
      const { id, reference } = yield* payment()
      yield* webhook({ id: `${reference} 1`, reference, type: "succeeded" })
      const before = yield* record(id)
      assert.strictEqual(before?.payment.state.status, "succeeded")
      assert.strictEqual((yield* webhook({ id: `${reference} 2`, reference, type: "pending" })).status, 200)
      assert.deepStrictEqual(yield* record(id), before)
    })
  )

  const mismatches = [
    ["amount", { amount: card.amount - 1, currency: "EUR" }],
    ["currency", { amount: card.amount, currency: "JPY" }]
  ] as const
  it.effect.each(mismatches)("whose %s differs is no success: an operator looks", ([, money]) =>
    Effect.gen(function* () {
      const { id, reference } = yield* payment()
      const answer = yield* webhook({ id: `evt_${reference}`, reference, type: "succeeded", ...money })
      assert.strictEqual(answer.status, 200)
      const { payment: after } = (yield* record(id)) ?? {}
      assert.strictEqual(after?.amountCaptured, 0)
      assert.lengthOf(after?.reviews ?? [], 1)
      assert.deepInclude(after?.reviews[0] ?? {}, {
        reason: "amount_mismatch",
        provider: after?.provider,
        reference,
        minorUnits: money.amount,
        currency: money.currency
      })
      assert.strictEqual(after?.state.status, "pending")
    })
  )

  it.effect("as large as is allowed is read; one byte more is not", () =>
    Effect.gen(function* () {
      const { reference } = yield* payment()
      const reported = JSON.stringify({ reference, type: "succeeded" })
      const full = `${reported}${" ".repeat(256 * 1024 - reported.length)}`
      assert.strictEqual((yield* webhook(full)).status, 200)
      const answer = yield* webhook(`${full} `)
      assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status: 413, code: "payload_too_large" })
    })
  )

  type Row = readonly [
    name: string,
    status: number,
    code: ProblemCode,
    change: (body: string) => Parameters<typeof webhook>[1]
  ]
  const now = Math.floor(Date.now() / 1000)
  const at = (time: string) => (body: string) => ({ headers: signed(body, 0, undefined, time) })
  const reserialized = (body: string) => ({ headers: signed(JSON.stringify(JSON.parse(body), null, 1), now * 1000) })
  const refusals: ReadonlyArray<Row> = [
    ["no signature", 401, "webhook_signature_invalid", () => ({ headers: { "X-Notifier-Signature": null } })],
    ["an empty signature", 401, "webhook_signature_invalid", () => ({ headers: { "X-Notifier-Signature": "" } })],
    ["a wrong secret", 401, "webhook_signature_invalid", (body) => ({ headers: signed(body, now * 1000, "wrong") })],
    ["a signature over re-serialized JSON", 401, "webhook_signature_invalid", reserialized],
    ["a signature that is none", 400, "invalid_request", () => ({ headers: { "X-Notifier-Signature": "00" } })],
    ["301 s ago", 400, "webhook_stale", at(String(now - 301))],
    // A little more, so that the test's own time does not count.
    ["301 s ahead", 400, "webhook_stale", at(String(now + 400))],
    ["a time that is no number", 400, "invalid_request", at("1700000000abc")],
    ["a negative time", 400, "invalid_request", at("-1")],
    ["a compressed body", 415, "unsupported_media_type", () => ({ headers: { "Content-Encoding": "gzip" } })],
    ["257 KiB", 413, "payload_too_large", () => ({ body: " ".repeat(257 * 1024) })],
    [
      "257 KiB in chunks",
      413,
      "payload_too_large",
      () => ({
        body: `40400\r\n${" ".repeat(257 * 1024)}\r\n0\r\n\r\n`,
        headers: { "Content-Length": null, "Transfer-Encoding": "chunked" }
      })
    ],
    ["an unknown instance", 404, "not_found", () => ({ to: "unknown" })],
    ["an instance without webhooks", 404, "not_found", () => ({ to: "silent" })],
    ["no instance", 404, "not_found", () => ({ to: "" })],
    ["__proto__ as the instance", 404, "not_found", () => ({ to: "__proto__" })],
    ["GET", 405, "method_not_allowed", () => ({ method: "GET" })]
  ]
  it.effect.each(refusals)("with %s → %i %s, and nothing changes", ([, status, code, change]) =>
    Effect.gen(function* () {
      const { reference } = yield* payment()
      const before = yield* everything
      const body = JSON.stringify({ id: "evt_refused", reference, type: "succeeded" })
      const answer = yield* webhook(body, change(body))
      assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status, code }, answer.text)
      assert.strictEqual(answer.headers["content-type"], "application/problem+json")
      assert.isUndefined(answer.headers["www-authenticate"])
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it.effect("that is signed and cannot be read is refused", () =>
    Effect.gen(function* () {
      const answer = yield* webhook("{")
      assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status: 400, code: "invalid_request" })
    })
  )

  it.effect("comes to the adapter byte for byte over fetch, too", () =>
    Effect.gen(function* () {
      const { fetch } = yield* HttpHandler
      const { id, reference } = yield* payment()
      const body = ` {"reference": "${reference}",\r\n"type":"succeeded","note":"\u00fc"}\n`
      const headers = signed(body, yield* Clock.currentTimeMillis)
      const send = (body: string) =>
        Effect.promise(() =>
          fetch(new Request("http://localhost/webhooks/notifier", { method: "POST", body, headers }))
        )
      assert.strictEqual((yield* send(`${body} `)).status, 401)
      assert.strictEqual((yield* send(body)).status, 200)
      assert.strictEqual((yield* record(id))?.payment.state.status, "succeeded")
    })
  )
})

describe("a provider's webhook", () => {
  it.live("is accepted about its own payments only", () => {
    const providers = [notifier(pending, "one", "secret of one"), notifier(pending, "two", "secret of two")]
    return Effect.gen(function* () {
      const { id, operation } = yield* payment()
      const body = JSON.stringify({ id: "evt_1", operation, type: "succeeded" })
      const by = (secret: string) => ({ headers: signed(body, Date.now(), secret) })
      assert.strictEqual((yield* webhook(body, { to: "two", ...by("secret of one") })).status, 401)
      assert.strictEqual((yield* webhook(body, { to: "two", ...by("secret of two") })).status, 202)
      assert.strictEqual((yield* record(id))?.payment.state.status, "pending")
      assert.strictEqual((yield* webhook(body, { to: "one", ...by("secret of one") })).status, 200)
      assert.strictEqual((yield* record(id))?.payment.state.status, "succeeded")
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers }))))
  })

  it.live("that comes before the create has answered is applied", () => {
    const begun = Deferred.makeUnsafe<ProviderOperation>()
    const released = Deferred.makeUnsafe<void>()
    const create = (operation: ProviderOperation) =>
      Deferred.succeed(begun, operation).pipe(
        Effect.andThen(Deferred.await(released)),
        Effect.as(Outcome.pending({ reference: "ord_1" }))
      )
    return Effect.gen(function* () {
      const { ask } = yield* TestServer
      const creating = yield* Effect.forkChild(ask({ body: card }))
      const { id, paymentId } = yield* Deferred.await(begun)
      const answer = yield* webhook({ id: "evt_1", operation: id, type: "succeeded" })
      assert.strictEqual(answer.status, 200)
      yield* Deferred.succeed(released, undefined)
      const created = parsed(yield* Fiber.join(creating))
      assert.deepInclude(created, { id: paymentId, status: "succeeded" })
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(create)] }))))
  })

  it.effect("that comes before our own commit is kept, and applied when the payment is there", () => {
    const create = () => Effect.succeed(Outcome.pending({ reference: "ord_early" }))
    const kept = Effect.gen(function* () {
      const { ask } = yield* TestServer
      const early = yield* webhook({ id: "evt_1", reference: "ord_early", type: "succeeded" })
      assert.deepStrictEqual([early.status, early.text], [202, `{"received":"kept"}`])
      const { id, status } = parsed(yield* ask({ body: card }))
      assert.strictEqual(status, "pending")
      // The database answers in turns of the event loop, of which the clock of the test knows nothing; the test's own
      // time limit ends this.
      while ((yield* inbox)[0]?.status !== "applied") {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.strictEqual((yield* record(id))?.payment.state.status, "succeeded")
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(create)] }))))
    // Before the server starts: its work would be done for each second of the years between.
    return Effect.andThen(TestClock.setTime(1_800_000_000_000), kept)
  })

  it.live("that is refused is counted by provider and reason, and one that is accepted is not", () => {
    const registry = Layer.sync(Metric.MetricRegistry, (): Metric.MetricRegistry => new Map())
    return Effect.gen(function* () {
      const metrics = Context.make(Metric.MetricRegistry, yield* Metric.MetricRegistry)
      assert.strictEqual((yield* webhook({ id: "evt_1", reference: "ord_1", type: "succeeded" })).status, 202)
      for (const signature of ["0".repeat(64), "0".repeat(64), null]) {
        yield* webhook("{}", { headers: { "X-Notifier-Signature": signature } })
      }
      const counts = Metric.snapshotUnsafe(metrics).flatMap(({ attributes, id, state, type }) =>
        type === "Counter" && id === "paymux_webhooks_refused_total" ? [[attributes, Number(state.count)]] : []
      )
      assert.sameDeepMembers(counts, [
        [{ provider: "notifier", reason: "bad_signature" }, 2],
        [{ provider: "notifier", reason: "missing_signature" }, 1]
      ])
    }).pipe(Effect.provide(Layer.provideMerge(server, registry), { local: true }))
  })

  it.live("that is refused is a notice of its provider and reason, once a minute for each provider", () => {
    const notices: Array<Notice> = []
    const keepNotice = (notice: Notice) => Effect.sync(() => void notices.push(notice))
    const providers = [notifier(pending, "one"), notifier(pending, "two")]
    return Effect.gen(function* () {
      const refused = (to: string, signature: string | null) =>
        webhook("{}", { to, headers: { "X-Notifier-Signature": signature } })
      yield* refused("one", "0".repeat(64))
      yield* refused("one", null)
      yield* refused("two", null)
      assert.deepStrictEqual(notices, [
        {
          subject: "webhook one",
          detail: "bad_signature",
          sentence: "A webhook of one was refused: bad_signature",
          interval: 60_000
        },
        {
          subject: "webhook two",
          detail: "missing_signature",
          sentence: "A webhook of two was refused: missing_signature",
          interval: 60_000
        }
      ])
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers, keepNotice }))))
  })

  describe("of an instance that is not configured", () => {
    /** A payment whose operation is of an instance that this server does not know. */
    const removed = Effect.gen(function* () {
      const { operation } = yield* payment()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE operations SET provider = 'gone' WHERE id = ${operation}`
      return { id: "evt_1", operation, type: "succeeded" }
    })
    const kept = Effect.flatMap(PaymentStore, ({ keptWebhooks }) =>
      keptWebhooks.claimDue({
        provider: "gone",
        livemode: false,
        owner: "test",
        now: Number.MAX_SAFE_INTEGER,
        until: 0,
        limit: 9
      })
    )

    it.live("and has operations, is kept with its bytes, headers and time, and acknowledged with 202", () =>
      Effect.gen(function* () {
        const reported = ` ${JSON.stringify(yield* removed)}\r\n`
        const since = Date.now()
        const answer = yield* webhook(reported, { to: "gone" })
        assert.deepStrictEqual([answer.status, answer.text], [202, `{"received":"kept"}`])
        const [one, ...others] = yield* kept
        if (one === undefined) return assert.fail("it is kept")
        assert.lengthOf(others, 0)
        assert.strictEqual(new TextDecoder().decode(one.body), reported)
        assert.match(one.headers["x-notifier-signature"] ?? "", /^[0-9a-f]{64}$/)
        assert.isTrue(one.receivedAt >= since && one.receivedAt <= Date.now())
      }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)] }))))
    )

    it.live("is refused if it is too large, compressed, or of an instance without operations: nothing is kept", () =>
      Effect.gen(function* () {
        yield* removed
        const refusals = [
          yield* webhook(" ".repeat(257 * 1024), { to: "gone" }),
          yield* webhook("{}", { to: "gone", headers: { "Content-Encoding": "gzip" } }),
          yield* webhook("{}", { to: "gone2" }),
          yield* webhook("{}", { to: "__proto__" }),
          yield* webhook("{}", { to: "%00" }),
          yield* webhook("{}", { to: "g".repeat(200) })
        ]
        assert.deepStrictEqual(
          refusals.map(({ status }) => status),
          [413, 415, 404, 404, 404, 404]
        )
        assert.lengthOf(yield* kept, 0)
      }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)] }))))
    )

    it.live("is refused with 503 and a notice when the limit is reached, so that the provider sends it again", () => {
      const notices: Array<Notice> = []
      const keepNotice = (notice: Notice) => Effect.sync(() => void notices.push(notice))
      return Effect.gen(function* () {
        const reported = yield* removed
        assert.strictEqual((yield* webhook(reported, { to: "gone" })).status, 202)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE kept_webhook_totals SET requests = 1000`
        const answer = yield* webhook(reported, { to: "gone" })
        assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status: 503, code: "service_unavailable" })
        assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/)
        assert.lengthOf(yield* kept, 1)
        assert.deepStrictEqual(
          notices.map(({ detail, subject }) => [subject, detail]),
          [["webhook gone", "full"]]
        )
      }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)], keepNotice }))))
    })

    it.live("is not acknowledged while the database is away", () =>
      Effect.gen(function* () {
        const reported = yield* removed
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE kept_webhooks`
        assert.strictEqual((yield* webhook(reported, { to: "gone" })).status, 503)
      }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)] }))))
    )
  })

  it.live("is not acknowledged while the database is away", () =>
    Effect.gen(function* () {
      const { reference } = yield* payment()
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP TABLE provider_inbox`
      const answer = yield* webhook({ id: "evt_1", reference, type: "succeeded" })
      assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status: 503, code: "service_unavailable" })
      assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/)
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)] }))))
  )

  it.live("in which the adapter throws is an internal error, reported without its cause", () => {
    const webhook = () => Effect.die(new Error("internal detail"))
    return Effect.gen(function* () {
      const { ask } = yield* TestServer
      const answer = yield* ask({ path: "/webhooks/acme", body: {} })
      assert.deepInclude({ status: answer.status, ...parsed(answer) }, { status: 500, code: "internal" })
      assert.notInclude(answer.text, "internal detail")
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [acme({ webhook })] }))))
  })
})

/** Requests on one connection, one behind the other; answers how often each status came. */
const pipelined = Effect.fnUntraced(function* (requests: ReadonlyArray<string>) {
  const { raw } = yield* TestServer
  const last = requests.length - 1
  const text = yield* raw(
    ...requests.map((request, index) =>
      request.replace("\r\n", `\r\nHost: localhost\r\nConnection: ${index === last ? "close" : "keep-alive"}\r\n`)
    )
  )
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
})

const post = (body: string, headers: { readonly [name: string]: string }) =>
  `POST /webhooks/notifier HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}`

const chunksOf = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

describe("a forged, stale or replayed webhook changes nothing", () => {
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

  /** The n-th change of one character of body, time or signature: another one, one less, or one more. */
  const mutant = (n: number, body: string, headers: ReturnType<typeof signed>): string => {
    const parts = [body, headers["X-Notifier-Time"], headers["X-Notifier-Signature"]]
    const which = n % 3
    const part = parts[which] ?? ""
    const at = Math.floor(n / 9) % part.length
    const letter = alphabet[(n * 7 + at) % alphabet.length] ?? "0"
    const other = letter === part[at] ? "_" : letter
    const kind = Math.floor(n / 3) % 3
    parts[which] = part.slice(0, at) + ["", other, other + (part[at] ?? "")][kind] + part.slice(at + 1)
    const [changed = "", time = "", signature = ""] = parts
    return post(changed, { "X-Notifier-Time": time, "X-Notifier-Signature": signature })
  }

  it.live("10,000 mutations of one: none is taken, no row differs; the original, 1,000 times: one effect", () =>
    Effect.gen(function* () {
      const { id, reference } = yield* payment()
      const body = JSON.stringify({ id: "evt_1", reference, type: "succeeded", amount: card.amount, currency: "EUR" })
      const headers = signed(body, Date.now())
      const original = post(body, headers)
      const before = yield* everything

      const mutants = Array.from({ length: 10_000 }, (_, n) => mutant(n, body, headers))
      assert.notInclude(mutants, original)
      assert.isAtLeast(new Set(mutants).size, 1_000)
      const refused = yield* Effect.forEach(chunksOf(mutants, 500), pipelined, { concurrency: 4 })
      assert.strictEqual(refused.flat().length, 10_000)
      assert.sameMembers([...new Set(refused.flat())], [400, 401])
      assert.deepStrictEqual(yield* everything, before)

      const replays = Array.from({ length: 1_000 }, () => original)
      const taken = yield* Effect.forEach(chunksOf(replays, 100), pipelined, { concurrency: 10 })
      assert.deepStrictEqual(new Set(taken.flat()), new Set([200]))
      assert.strictEqual(taken.flat().length, 1_000)
      const after = yield* record(id)
      assert.deepInclude(after?.payment, { amountCaptured: card.amount, eventSequence: 2 })
      assert.deepStrictEqual(
        (yield* inbox).map(({ status }) => status),
        ["applied"]
      )
      const sql = yield* SqlClient.SqlClient
      const [count] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM evidence WHERE event_id = 'evt_1'`
      assert.strictEqual(count?.n, 1)
    }).pipe(Effect.provide(quiet(TestServer.layer({ providers: [notifier(pending)] }))))
  )
})
