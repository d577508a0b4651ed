import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { Webhook as Standard } from "standardwebhooks"
import { Webhook as Svix } from "svix"
import { PaymuxUsageError, PaymuxWebhookError, webhooks } from "../src/index.ts"
import type { WebhookEvent, WebhookHeaders } from "../src/index.ts"
import { closed, listening, openShop, portOf, rejection, upi } from "./Shop.ts"

const id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const body = '{"test": 2432232314}'
const now = new Date(1_614_265_330_000)
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const refused = async (call: Promise<unknown>) => (await rejection(call, PaymuxWebhookError)).code
const signed = (more: object = {}) => webhooks.sign(body, secret, { id, timestamp: now, ...more })

describe("a signature", () => {
  it("is the one that Standard Webhooks publishes", async () => {
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    }
    assert.deepStrictEqual(await signed(), headers)
    assert.deepStrictEqual<unknown>(await webhooks.verify(body, headers, secret, { now }), JSON.parse(body))
  })

  it("by standardwebhooks and by svix is verified, and ours by them: 500 bodies", async () => {
    for (let round = 0; round < 500; round++) {
      const secret = newSecret()
      const id = `evt_${round}`
      const body = JSON.stringify({
        type: "payment.succeeded",
        text: `ü€𝄞 ${randomBytes(round % 97).toString("latin1")}`
      })
      const [standard, svix] = [new Standard(secret), new Svix(secret)]
      const timestamp = new Date()
      const ours = { ...(await webhooks.sign(body, secret, { id, timestamp })) }
      assert.deepStrictEqual(standard.verify(body, ours), JSON.parse(body))
      svix.verify(body, ours)
      for (const theirs of [standard.sign(id, timestamp, body), svix.sign(id, timestamp, body)]) {
        const headers = { ...ours, "webhook-signature": theirs }
        assert.deepStrictEqual<unknown>(await webhooks.verify(body, headers, secret), JSON.parse(body))
      }
    }
  })

  it("holds for the bytes, however they are given", async () => {
    const headers = await signed()
    const bytes = new TextEncoder().encode(body)
    const inside = new Uint8Array([0, ...bytes, 0]).subarray(1, -1)
    for (const each of [body, bytes, bytes.buffer, Buffer.from(body), inside]) {
      assert.deepStrictEqual<unknown>(await webhooks.verify(each, headers, secret, { now }), JSON.parse(body))
    }
  })

  it("is of the bytes as they were given, whatever the caller writes into them meanwhile", async () => {
    const headers = await signed()
    for (const bytes of [new TextEncoder().encode(body), Buffer.from(body)]) {
      const call = webhooks.verify(bytes, headers, secret, { now })
      bytes.fill(0)
      assert.deepStrictEqual<unknown>(await call, JSON.parse(body))
    }
    const { buffer } = new TextEncoder().encode(body)
    const call = webhooks.verify(buffer, headers, secret, { now })
    new Uint8Array(buffer).fill(0)
    assert.deepStrictEqual<unknown>(await call, JSON.parse(body))
  })

  it("does not hold for another body, id, time or secret, nor for any bit of it that is turned", async () => {
    const headers = await signed()
    const wrong: ReadonlyArray<readonly [string, WebhookHeaders, string]> = [
      [`${body} `, headers, secret],
      [body, { ...headers, "webhook-id": "msg_other" }, secret],
      [body, { ...headers, "webhook-timestamp": "1614265331" }, secret],
      [body, { ...headers, "webhook-timestamp": "01614265330" }, secret],
      [body, headers, newSecret()]
    ]
    for (const [body, headers, secret] of wrong) {
      assert.strictEqual(await refused(webhooks.verify(body, headers, secret, { now })), "webhook_signature_invalid")
    }
    const signature = Buffer.from(headers["webhook-signature"].slice(3), "base64")
    for (let bit = 0; bit < 256; bit++) {
      const turned = Buffer.from(signature)
      turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const other = { ...headers, "webhook-signature": `v1,${turned.toString("base64")}` }
      assert.strictEqual(await refused(webhooks.verify(body, other, secret, { now })), "webhook_signature_invalid")
    }
  })

  it("is one of several, of versions that are known and not", async () => {
    const headers = await signed()
    const [, right] = headers["webhook-signature"].split(",")
    const other = `v1,${Buffer.alloc(32).toString("base64")}`
    const given = (value: string) => webhooks.verify(body, { ...headers, "webhook-signature": value }, secret, { now })
    for (const value of [`${other} v1,${right}`, `v1,${right} ${other}`, `v1a,x v2,y v1,${right}`]) await given(value)
    for (const value of [
      other,
      `v2,${right}`,
      `v1a,${right}`,
      `${right}`,
      "v1,",
      "v1",
      ",",
      `v1,${right}=`,
      `v1, ${right}`
    ]) {
      assert.strictEqual(await refused(given(value)), "webhook_signature_invalid", value)
    }
  })
})

describe("a secret", () => {
  it("is rotated: both are taken, then only the new one", async () => {
    const [old, young] = [newSecret(), newSecret()]
    const byOld = await webhooks.sign(body, old, { id, timestamp: now })
    const byYoung = await webhooks.sign(body, young, { id, timestamp: now })
    const byBoth = {
      ...byOld,
      "webhook-signature": `${byYoung["webhook-signature"]} ${byOld["webhook-signature"]}`
    }
    for (const headers of [byOld, byYoung, byBoth]) await webhooks.verify(body, headers, [old, young], { now })
    await webhooks.verify(body, byBoth, young, { now })
    await webhooks.verify(body, byBoth, old, { now })
    assert.strictEqual(await refused(webhooks.verify(body, byOld, young, { now })), "webhook_signature_invalid")
  })

  it("that is invalid is named in the error and not repeated, also beside a valid one", async () => {
    const headers = await signed()
    const short = `whsec_${randomBytes(23).toString("base64")}`
    const long = `whsec_${randomBytes(65).toString("base64")}`
    const bits = `${secret.slice(0, -2)}A=`
    const alone = `${secret}A`
    for (const wrong of [
      "",
      "whsec_",
      "hunter2",
      short,
      long,
      bits,
      alone,
      secret.slice(6),
      `${secret}\n`,
      "pmx_test_1"
    ]) {
      for (const secrets of [wrong, [secret, wrong]]) {
        const error = await rejection(webhooks.verify(body, headers, secrets, { now }), PaymuxWebhookError)
        assert.strictEqual(error.code, "webhook_secret_invalid")
        if (wrong !== "" && wrong !== "whsec_") assert.notInclude(error.message, wrong)
      }
    }
    assert.strictEqual(await refused(webhooks.verify(body, headers, [], { now })), "webhook_secret_invalid")
  })
})

describe("a webhook", () => {
  it("is stale five minutes before and after its time, or what tolerance says", async () => {
    const headers = await signed()
    const at = (seconds: number, tolerance?: number) =>
      webhooks.verify(body, headers, secret, { now: later(seconds), ...(tolerance !== undefined && { tolerance }) })
    for (const seconds of [-300, -1, 0, 1, 300]) await at(seconds)
    for (const seconds of [-301, 301, 86_400]) assert.strictEqual(await refused(at(seconds)), "webhook_stale")
    await at(-10, 10)
    await at(86_400, 86_400)
    for (const seconds of [-11, 11]) assert.strictEqual(await refused(at(seconds, 10)), "webhook_stale")
    // Without `now` it is the clock that counts, and this one is of 2021.
    assert.strictEqual(await refused(webhooks.verify(body, headers, secret)), "webhook_stale")
    for (const tolerance of [0, -1, Number.NaN, Infinity, 300_000]) await rejection(at(0, tolerance), PaymuxUsageError)
    assert.strictEqual(
      await refused(webhooks.verify(body, headers, secret, { now: new Date(Number.NaN) })),
      "webhook_stale"
    )
  })

  it("has its headers once each, in any spelling, from Node or the Web", async () => {
    const headers = await signed()
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const given of [headers, upper, listed, new Headers({ ...headers }), { ...headers, host: undefined }]) {
      await webhooks.verify(body, given, secret, { now })
    }
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const
    const wrong: ReadonlyArray<WebhookHeaders> = [
      {},
      new Headers(),
      ...names.map((name) => ({ ...headers, [name]: undefined })),
      ...names.map((name) => ({ ...headers, [name]: "" })),
      ...names.map((name) => ({ ...headers, [name]: [headers[name], headers[name]] })),
      ...names.map((name) => ({ ...headers, [name.toUpperCase()]: headers[name] })),
      ...["1614265330.0", "1.6e9", "-1", "0x60", " 1614265330", "now", "9".repeat(13)].map((time) => ({
        ...headers,
        "webhook-timestamp": time
      }))
    ]
    for (const given of wrong) {
      assert.strictEqual(await refused(webhooks.verify(body, given, secret, { now })), "webhook_headers_invalid")
    }
  })

  it("that was parsed already is refused with what to do", async () => {
    const headers = await signed()
    // A caller without types.
    const verify = (body: unknown) => webhooks.verify(body as string, headers, secret, { now })
    for (const parsed of [JSON.parse(body), undefined, null, 1]) {
      assert.include((await rejection(verify(parsed), PaymuxUsageError)).message, "raw body")
    }
  })

  it("that is authentic and no JSON object is refused", async () => {
    for (const text of ["", "x", "[]", "1", "null", '"a"']) {
      const headers = await webhooks.sign(text, secret, { id, timestamp: now })
      assert.strictEqual(await refused(webhooks.verify(text, headers, secret, { now })), "webhook_body_invalid")
    }
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const headers = await webhooks.sign(bytes, secret, { id, timestamp: now })
    assert.strictEqual(await refused(webhooks.verify(bytes, headers, secret, { now })), "webhook_body_invalid")
  })

  it("of a real server is verified by its endpoint's secret, and is the event", async () => {
    await using shop = await openShop()
    const events: Array<WebhookEvent> = []
    const arrived = Promise.withResolvers<void>()
    let secret = ""
    const receiver = await listening(
      createServer((request, response) => {
        const received = text(request).then(async (body) => {
          events.push(await webhooks.verify(body, request.headers, secret))
          response.end()
          arrived.resolve()
        })
        received.catch(arrived.reject)
      })
    )
    const url = `http://127.0.0.1:${portOf(receiver)}/hooks`
    secret = (await shop.server.webhookEndpoints.add({ url, events: ["payment.succeeded"] })).secret
    const payment = await shop.client().payments.create({ ...upi, metadata: { order_id: "hook" } })
    await arrived.promise
    await closed(receiver)
    const [event] = events
    assert.deepInclude(event, { type: "payment.succeeded" })
    assert.deepStrictEqual(event?.data.payment, payment)
    assert.match(event?.data.id ?? "", /^evt_/)
  })
})
