import { assert, describe, it } from "@effect/vitest"
import { fakeProvider } from "@paymux/testkit"
import type { Fault, FaultyReply } from "@paymux/testkit"
import { Effect, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Https from "node:https"
import { ask, converse } from "./rawClient.ts"
import type { RawRequest } from "./rawClient.ts"

const credentials = {
  test: { keyId: "shop_test", secret: "s3cret_test" },
  live: { keyId: "shop_live", secret: "s3cret_live" }
}

const definition = {
  credentials,
  publicCredentials: ["keyId"],
  authenticates: ({ headers }, { secret }) => headers["x-secret"] === secret,
  idempotency: { key: ({ headers }) => headers["x-key"], reused: { status: 409, text: "reused" } },
  declineCodes: ["over_limit"],
  routes: {
    "POST /payments": ({ text }, { ledger }) => {
      const payment = ledger.open({ amount: { minorUnits: Number(text), currency: "EUR" } })
      return { status: 201, headers: { "x-made": payment.id }, json: { id: payment.id, status: payment.status } }
    },
    "PUT /payments": (_request, { ledger }) => ({ status: 200, json: ledger.payments().length }),
    "GET /payments/:id": ({ param }, { ledger }) => ({ status: 200, json: ledger.find(param("id")) ?? null }),
    "GET /payments/:id/refunds/:refund": ({ param }) => ({ status: 200, json: [param("id"), param("refund")] }),
    "GET /missing/:id": ({ param }) => ({ status: 200, text: param("di") }),
    "POST /read": ({ form, headers, json, method, path, query }) => ({
      status: 200,
      json: { method, path, query: [...query], type: headers["x-type"], json, form: [...form] }
    }),
    "POST /form": ({ form }) => ({ status: 200, json: [...form] }),
    "GET /empty": () => ({ status: 204 }),
    "GET /throws": () => {
      throw new TypeError("amount is no number")
    }
  },
  webhooks: {
    signsTime: true,
    batches: true,
    sign: (events, { at, credentials: { secret } }) => ({
      body: new TextEncoder().encode(events.map(({ type }) => type).join()),
      headers: { "x-signed": `${secret} ${at}` }
    })
  }
} satisfies Parameters<typeof fakeProvider<typeof credentials.test>>[0]

const shop = fakeProvider(definition)

/** A vendor in test mode, and its network. */
const started = Effect.gen(function* () {
  const vendor = yield* shop.start({ mode: "test" })
  const { network } = vendor
  if (network === null) throw new Error("a vendor over HTTP has a network")
  return { vendor, network }
})

const signedIn = (line: string, body = "", headers: RawRequest["headers"] = {}): RawRequest => ({
  line,
  body,
  headers: { "x-secret": credentials.test.secret, ...headers }
})
const pay = signedIn("POST /payments", "500")
const payUnder = (key: string, body = "500") => signedIn("POST /payments", body, { "x-key": key })

/** Without sleeping: what another socket has to do happens between two turns of the event loop. */
const turnsUntil = (holds: () => Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!(yield* holds())) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  })

describe("faults on the wire", () => {
  const right = { true: '{"id":"vp_1","status":"captured"}', false: '{"status":"processing"}' }
  const given = { status: 503, headers: { "retry-after": "7" }, json: { error: "busy" } }
  const half = (fault: Fault) => {
    const body = right[`${fault.executed}`]
    return { head: `content-length: ${body.length}\r\n`, body: `\r\n\r\n${body.slice(0, body.length / 2)}` }
  }

  for (const executed of [true, false]) {
    const did = executed ? "after it was executed" : "and nothing is executed"
    const failing = (reply: FaultyReply) =>
      Effect.gen(function* () {
        const { network, vendor } = yield* started
        const fault: Fault = { executed, reply }
        yield* network.failNext(fault)
        const conversation = yield* converse(vendor.url, pay)
        const requests = Effect.map(network.requests, (seen) => seen.map(({ answered }) => answered))
        const effects = Effect.map(vendor.payments, (payments) => payments.length)
        return { ...conversation, fault, network, requests, effects, vendor }
      })

    it.effect(`reset, ${did}: no byte comes`, () =>
      Effect.gen(function* () {
        const { effects, requests, seen } = yield* failing("reset")
        assert.deepStrictEqual(yield* seen, { bytes: "", ending: "ECONNRESET" })
        assert.deepStrictEqual([yield* requests, yield* effects], [["reset"], executed ? 1 : 0])
      })
    )

    for (const [reply, ending] of [
      ["reset_in_body", "ECONNRESET"],
      ["half_body", "end"]
    ] as const) {
      it.effect(`${reply}, ${did}: a head that promises more than comes, then ${ending}`, () =>
        Effect.gen(function* () {
          const { effects, fault, requests, seen } = yield* failing(reply)
          const came = yield* seen
          assert.strictEqual(came.ending, ending)
          assert.match(came.bytes, executed ? /^HTTP\/1\.1 201 / : /^HTTP\/1\.1 200 /)
          assert.include(came.bytes.toLowerCase(), half(fault).head)
          assert.isTrue(came.bytes.endsWith(half(fault).body), came.bytes)
          assert.deepStrictEqual([yield* requests, yield* effects], [[reply], executed ? 1 : 0])
        })
      )
    }

    it.effect(`not_http, ${did}: bytes that are no HTTP`, () =>
      Effect.gen(function* () {
        const { effects, requests, seen } = yield* failing("not_http")
        assert.deepStrictEqual(yield* seen, { bytes: "530 go away\r\n\r\n", ending: "end" })
        assert.deepStrictEqual([yield* requests, yield* effects], [["not_http"], executed ? 1 : 0])
      })
    )

    it.effect(`an answer that is given, ${did}: that one, whatever the right one was`, () =>
      Effect.gen(function* () {
        const { effects, requests, seen } = yield* failing(given)
        const { bytes, ending } = yield* seen
        assert.strictEqual(ending, "end")
        assert.match(bytes, /^HTTP\/1\.1 503 /)
        assert.match(bytes, /\r\nretry-after: 7\r\n/)
        assert.match(bytes, /\r\n\{"error":"busy"\}\r\n0\r\n\r\n$/)
        assert.deepStrictEqual(yield* requests, ['answered 503 (retry-after: 7) with {"error":"busy"}'])
        assert.strictEqual(yield* effects, executed ? 1 : 0)
      })
    )

    it.effect(`never, ${did}: nothing comes, and the connection stays open until the client gives up`, () =>
      Effect.gen(function* () {
        const { effects, hangUp, network, requests, sofar } = yield* failing("never")
        yield* turnsUntil(() => Effect.map(requests, ({ length }) => length === 1))
        assert.deepStrictEqual(yield* sofar, { bytes: "", ending: null })
        assert.deepStrictEqual([yield* requests, yield* effects], [["never"], executed ? 1 : 0])
        yield* hangUp
        yield* (yield* network.requests)[0]?.closed ?? Effect.never
      })
    )

    it.effect(`drip, ${did}: a head, then byte after byte until the client gives up`, () =>
      Effect.gen(function* () {
        const { effects, hangUp, network, requests, until } = yield* failing("drip")
        const bytes = yield* until("1\r\n \r\n1\r\n \r\n1\r\n \r\n")
        assert.match(bytes, executed ? /^HTTP\/1\.1 201 / : /^HTTP\/1\.1 200 /)
        assert.deepStrictEqual([yield* requests, yield* effects], [["drip"], executed ? 1 : 0])
        yield* hangUp
        yield* (yield* network.requests)[0]?.closed ?? Effect.never
      })
    )
  }

  it.effect("hit the request they were meant for, and no other", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      yield* network.failNext({ executed: false, reply: { status: 500 } }, 1)
      const statuses = yield* Effect.forEach([1, 2, 3], () => Effect.map(ask(vendor.url, pay), ({ status }) => status))
      assert.deepStrictEqual(statuses, [201, 500, 201])
      assert.lengthOf(yield* vendor.payments, 2)
    })
  )

  it.effect("never happen once they are withdrawn, and say whether they did", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      const happened = yield* network.failNext({ executed: false, reply: { status: 500 } })
      const withdrawn = yield* network.failNext({ executed: false, reply: { status: 500 } }, 1)
      const first = yield* ask(vendor.url, pay)
      assert.deepStrictEqual([yield* happened.withdraw, yield* withdrawn.withdraw], [true, false])
      assert.deepStrictEqual([first.status, (yield* ask(vendor.url, pay)).status], [500, 201])
    })
  )
})

describe("a replay", () => {
  it.effect("of the same request under the same key is answered as the first, and does nothing", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const first = yield* ask(vendor.url, payUnder("k1"))
      assert.deepStrictEqual(
        [(yield* ask(vendor.url, payUnder("k1"))).body, (yield* ask(vendor.url, payUnder("k1"))).status],
        [first.body, 201]
      )
      assert.lengthOf(yield* vendor.payments, 1)
    })
  )

  it.effect("finds what a lost reply did, and not what a lost request did not", () =>
    Effect.gen(function* () {
      for (const executed of [true, false]) {
        const { network, vendor } = yield* started
        yield* network.failNext({ executed, reply: "reset" })
        yield* (yield* converse(vendor.url, payUnder("k1"))).seen
        const { body, status } = yield* ask(vendor.url, payUnder("k1"))
        assert.deepStrictEqual([status, body], [201, '{"id":"vp_1","status":"captured"}'])
        assert.lengthOf(yield* vendor.payments, 1)
      }
    })
  )

  it.effect("with another body, path or method is refused, and does nothing", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      yield* ask(vendor.url, payUnder("k1"))
      const key = { "x-key": "k1" }
      for (const other of [
        payUnder("k1", "501"),
        signedIn("POST /form", "500", key),
        signedIn("PUT /payments", "500", key)
      ]) {
        const { body, status } = yield* ask(vendor.url, other)
        assert.deepStrictEqual([status, body], [409, "reused"], other.line)
      }
      assert.lengthOf(yield* vendor.payments, 1)
      assert.strictEqual((yield* ask(vendor.url, payUnder("k1"))).status, 201)
    })
  )

  it.effect("needs a key: without one, and under another, it is another request", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      for (const request of [pay, pay, payUnder("k1"), payUnder("k2")]) yield* ask(vendor.url, request)
      assert.lengthOf(yield* vendor.payments, 4)
    })
  )

  it.effect("is none of a GET: it is answered as things stand", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const look = signedIn("GET /payments/vp_1", "", { "x-key": "k1" })
      assert.strictEqual((yield* ask(vendor.url, look)).body, "null")
      yield* ask(vendor.url, pay)
      assert.include((yield* ask(vendor.url, look)).body, '"captured"')
    })
  )

  it.effect("is answered with whatever the route says where the vendor knows no keys", () =>
    Effect.gen(function* () {
      const { idempotency: _, ...forgetful } = definition
      const vendor = yield* fakeProvider(forgetful).start({ mode: "test" })
      for (let sent = 0; sent < 2; sent++) yield* ask(vendor.url, payUnder("k1"))
      assert.lengthOf(yield* vendor.payments, 2)
    })
  )
})

describe("credentials", () => {
  const strangers: { readonly [whose: string]: RawRequest } = {
    "without any": { line: "POST /payments", body: "500" },
    "that does not exist": signedIn("POST /payments", "500", { "x-secret": "guessed" }),
    "of the other mode": signedIn("POST /payments", "500", { "x-secret": credentials.live.secret })
  }
  for (const [whose, request] of Object.entries(strangers)) {
    it.effect(`${whose} change nothing`, () =>
      Effect.gen(function* () {
        const { network, vendor } = yield* started
        const keyed = { ...request, headers: { ...request.headers, "x-key": "k1" } }
        assert.strictEqual((yield* ask(vendor.url, keyed)).status, 401)
        assert.isEmpty(yield* vendor.payments)
        assert.lengthOf(yield* network.requests, 1)
        // The refusal is not kept under the key, either.
        assert.strictEqual((yield* ask(vendor.url, payUnder("k1"))).status, 201)
      })
    )
  }

  it.effect("that are refused are answered as the vendor answers them", () =>
    Effect.gen(function* () {
      const unauthorized = { status: 403, json: { code: "bad_key" } }
      const vendor = yield* fakeProvider({ ...definition, unauthorized }).start({ mode: "test" })
      const { body, status } = yield* ask(vendor.url, { line: "POST /payments" })
      assert.deepStrictEqual([status, body], [403, '{"code":"bad_key"}'])
    })
  )

  it.effect("are those of the mode that it was started in", () =>
    Effect.gen(function* () {
      const vendor = yield* shop.start({ mode: "live" })
      assert.deepStrictEqual([vendor.mode, vendor.credentials], ["live", credentials.live])
      assert.strictEqual((yield* ask(vendor.url, pay)).status, 401)
      const live = signedIn("POST /payments", "500", { "x-secret": credentials.live.secret })
      assert.strictEqual((yield* ask(vendor.url, live)).status, 201)
    })
  )

  it.effect("are secrets in both modes, but for those that are public", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      assert.sameMembers([...network.secrets], [credentials.test.secret, credentials.live.secret])
      const other = network.withOtherCredentials
      assert.deepStrictEqual([other.url, other.credentials], [vendor.url, credentials.live])
    })
  )
})

describe("a route", () => {
  it.effect("finds its parameters, decoded", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const { body } = yield* ask(vendor.url, signedIn("GET /payments/a%2Fb/refunds/r%20%C3%A4"))
      assert.strictEqual(body, '["a/b","r ä"]')
    })
  )

  it.effect("reads the method, path, query, headers and JSON body of a request", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const { body } = yield* ask(vendor.url, signedIn("POST /read?a=1&a=2&b=c%20d", '{"x":[1]}', { "X-Type": "t" }))
      assert.deepInclude(JSON.parse(body), {
        method: "POST",
        path: "/read",
        query: [
          ["a", "1"],
          ["a", "2"],
          ["b", "c d"]
        ],
        type: "t",
        json: { x: [1] }
      })
    })
  )

  it.effect("reads a form body", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const { body } = yield* ask(vendor.url, signedIn("POST /form", "amount=5&card[number]=4%201"))
      assert.deepStrictEqual(JSON.parse(body), [
        ["amount", "5"],
        ["card[number]", "4 1"]
      ])
    })
  )

  it.effect("answers without a body where it gives none", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const { body, status } = yield* ask(vendor.url, signedIn("GET /empty"))
      assert.deepStrictEqual([status, body], [204, ""])
    })
  )

  const unread: { readonly [what: string]: readonly [RawRequest, number, string] } = {
    "that throws is a 400 that says why": [signedIn("GET /throws"), 400, "TypeError: amount is no number"],
    "that asks for a parameter it has not is a 400": [signedIn("GET /missing/1"), 400, "no parameter :di"],
    "that cannot read the JSON is a 400": [signedIn("POST /read", "<xml>"), 400, "SyntaxError"],
    "of a path that cannot be decoded is a 400": [signedIn("GET /payments/%E0%A4%A"), 400, "URIError"],
    "that does not exist is a 404 that names it": [signedIn("GET /nowhere?x=1"), 404, "GET /nowhere"],
    "of another method is a 404": [signedIn("DELETE /payments"), 404, "DELETE /payments"],
    "of a longer path is a 404": [signedIn("POST /payments/"), 404, "POST /payments/"],
    "of a path after two slashes is a 404 that shows them": [signedIn("POST //payments"), 404, "POST //payments"]
  }
  for (const [what, [request, status, why]] of Object.entries(unread)) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { network, vendor } = yield* started
        const answer = yield* ask(vendor.url, request)
        assert.strictEqual(answer.status, status)
        assert.include(answer.body, why)
        assert.include((yield* network.requests)[0]?.answered, why)
        assert.isEmpty(yield* vendor.payments)
        assert.strictEqual((yield* ask(vendor.url, pay)).status, 201)
      })
    )
  }

  it.effect("is not reached where the request cannot be authenticated for its shape", () =>
    Effect.gen(function* () {
      const inBody = fakeProvider({
        ...definition,
        authenticates: ({ json }) => json !== null,
        idempotency: { key: ({ json }) => String(json), reused: { status: 409 } }
      })
      const vendor = yield* inBody.start({ mode: "test" })
      const { body, status } = yield* ask(vendor.url, { line: "POST /payments", body: "no json" })
      assert.deepStrictEqual([status, body.includes("SyntaxError")], [400, true])
      assert.isEmpty(yield* vendor.payments)
    })
  )
})

describe("what the suite sees", () => {
  it.effect("requests in the order they arrived, as they came, with what was answered", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      yield* ask(vendor.url, signedIn("POST /payments?x=1", "500", { "X-Twice": "A" }))
      yield* ask(vendor.url, signedIn("GET /empty"))
      const requests = yield* network.requests
      assert.deepStrictEqual(
        requests.map(({ answered, body, method, path }) => [method, path, body, answered]),
        [
          ["POST", "/payments?x=1", "500", 'answered 201 (x-made: vp_1) with {"id":"vp_1","status":"captured"}'],
          ["GET", "/empty", "", "answered 204 with an empty body"]
        ]
      )
      assert.strictEqual(requests[0]?.headers["x-twice"], "A")
      // Each closed its connection, also before anybody asked.
      for (const { closed } of requests) {
        yield* closed
        yield* closed
      }
    })
  )

  it.effect("the ledger, which is the one that the routes write", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      yield* vendor.decide({ decline: "over_limit" })
      yield* ask(vendor.url, pay)
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ amount, code, status }) => [amount.minorUnits, status, code]),
        [[500, "declined", "over_limit"]]
      )
      yield* vendor.decide("wait")
      const { id } = vendor.ledger.open({ amount: { minorUnits: 1, currency: "EUR" } })
      yield* vendor.decide("approve")
      yield* vendor.payersAct
      assert.strictEqual(vendor.ledger.find(id)?.status, "captured")
    })
  )

  it.effect("a ledger of its own for each start", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      yield* ask(vendor.url, pay)
      assert.isEmpty(yield* (yield* shop.start({ mode: "test" })).payments)
    })
  )

  it.effect("how it says that there were too many requests", () =>
    Effect.gen(function* () {
      const { network } = yield* started
      assert.deepStrictEqual(network.rateLimited(7), { status: 429, headers: { "retry-after": "7" } })
      assert.deepStrictEqual(network.rateLimited(null), { status: 429 })
    })
  )
})

describe("twins", () => {
  it.effect("one refuses connections, and has the same ledger", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      yield* ask(vendor.url, pay)
      const away = yield* network.refusing
      const { seen } = yield* converse(away.url, pay)
      assert.deepStrictEqual(yield* seen, { bytes: "", ending: "ECONNREFUSED" })
      assert.deepStrictEqual([away.mode, away.credentials], [vendor.mode, vendor.credentials])
      assert.deepStrictEqual(yield* away.payments, yield* vendor.payments)
      assert.lengthOf(yield* network.requests, 1)
    })
  )

  it.effect("one is behind TLS of an unknown issuer: only a client without certificate checks connects", () =>
    Effect.gen(function* () {
      const { network, vendor } = yield* started
      const { url } = yield* network.untrusted
      assert.match(url, /^https:/)
      assert.strictEqual(yield* overTls(url, true), "DEPTH_ZERO_SELF_SIGNED_CERT")
      assert.isEmpty(yield* network.requests)
      assert.strictEqual(yield* overTls(url, false), "201")
      assert.lengthOf(yield* vendor.payments, 1)
    })
  )

  it.effect("are closed with the scope, as it is itself, also where a request still waits", () =>
    Effect.gen(function* () {
      const outlives = yield* Effect.scope
      const { hung, urls } = yield* Effect.scoped(
        Effect.gen(function* () {
          const { network, vendor } = yield* started
          yield* network.failNext({ executed: true, reply: "never" })
          const hung = yield* Scope.provide(converse(vendor.url, pay), outlives)
          yield* turnsUntil(() => Effect.map(network.requests, ({ length }) => length === 1))
          const untrusted = yield* network.untrusted
          return { hung, urls: [vendor.url, untrusted.url] }
        })
      )
      assert.strictEqual((yield* hung.seen).bytes, "")
      for (const url of urls) {
        const { seen } = yield* converse(url, pay)
        assert.strictEqual((yield* seen).ending, "ECONNREFUSED")
      }
    })
  )
})

/** The status of an answer, or the code of what went wrong before there was one. */
const overTls = (url: string, rejectUnauthorized: boolean) =>
  Effect.callback<string>((resume) => {
    const request = Https.request(
      `${url}/payments`,
      { method: "POST", headers: pay.headers, agent: false, rejectUnauthorized },
      (response) => {
        response.resume()
        response.on("end", () => resume(Effect.succeed(String(response.statusCode))))
      }
    )
    request.on("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.message)))
    request.end("500")
  })

describe("webhooks", () => {
  it.effect("tell what the ledger keeps, signed with the secret of the mode, now", () =>
    Effect.gen(function* () {
      const { vendor } = yield* started
      const { webhooks } = vendor
      if (webhooks === null) throw new Error("it has webhooks")
      yield* TestClock.adjust("90 seconds")
      yield* ask(vendor.url, pay)
      yield* ask(vendor.url, pay)
      const events = yield* webhooks.events
      assert.deepStrictEqual(events, vendor.ledger.events())
      assert.deepStrictEqual(
        events.map(({ occurredAt, type }) => [type, occurredAt]),
        [
          ["captured", 90_000],
          ["captured", 90_000]
        ]
      )
      const { body, headers } = yield* webhooks.deliver(events)
      assert.strictEqual(new TextDecoder().decode(body), "captured,captured")
      assert.deepStrictEqual(headers, { "x-signed": `${credentials.test.secret} 90000` })
    })
  )

  it.effect("are signed with the secret of another mode, at another time, where that is asked for", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* shop.start({ mode: "live" })
      const delivered = yield* webhooks?.deliver([], { at: 5, mode: "test" }) ?? Effect.die("it has webhooks")
      assert.deepStrictEqual(delivered.headers, { "x-signed": `${credentials.test.secret} 5` })
    })
  )

  it.effect("are none where the vendor sends none", () =>
    Effect.gen(function* () {
      const { webhooks: _, ...silent } = definition
      assert.isNull((yield* fakeProvider(silent).start({ mode: "test" })).webhooks)
    })
  )
})
