import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import { Webhook } from "standardwebhooks"
import * as StandardWebhooks from "../src/StandardWebhooks.ts"

const secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const secret = Redacted.make(secretText)
const other = Redacted.make("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

const published = {
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  },
  body: Buffer.from('{"test": 2432232314}')
}

const ending = (webhook: Parameters<typeof StandardWebhooks.verify>[0]) =>
  Effect.match(StandardWebhooks.verify(webhook), {
    onFailure: ({ reason }) => reason,
    onSuccess: () => "accepted" as const
  })

const atPublishedTime = TestClock.setTime(1_614_265_330_000)

describe("the published vector", () => {
  it.effect("is what we sign", () =>
    Effect.gen(function* () {
      const headers = yield* StandardWebhooks.sign({
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestampSeconds: 1_614_265_330,
        body: published.body,
        secrets: [secret]
      })
      assert.deepStrictEqual(headers, published.headers)
    })
  )

  it.effect("is what we accept, by any of several secrets", () =>
    Effect.gen(function* () {
      yield* atPublishedTime
      assert.strictEqual(yield* ending({ ...published, secrets: [secret] }), "accepted")
      assert.strictEqual(yield* ending({ ...published, secrets: [other, secret] }), "accepted")
      assert.strictEqual(yield* ending({ ...published, secrets: [other] }), "bad_signature")
    })
  )

  it.effect("is accepted as of its receipt, however long ago that is", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const receivedAfter = (seconds: number) =>
        ending({ ...published, secrets: [secret], receivedAt: (1_614_265_330 + seconds) * 1000 })
      assert.strictEqual(yield* receivedAfter(300), "accepted")
      assert.strictEqual(yield* receivedAfter(301), "stale")
    })
  )

  it.effect("is stale 301 s before and after", () =>
    Effect.gen(function* () {
      for (const [off, expected] of [
        [-301, "stale"],
        [-300, "accepted"],
        [300, "accepted"],
        [301, "stale"]
      ] as const) {
        yield* TestClock.setTime((1_614_265_330 + off) * 1000)
        assert.strictEqual(yield* ending({ ...published, secrets: [secret] }), expected, String(off))
      }
    })
  )
})

describe("the reference library", () => {
  const payloads = FastCheck.record({
    id: FastCheck.stringMatching(/^[\w-]{1,40}$/),
    text: FastCheck.string({ unit: "binary" })
  })

  it("verifies what we sign, under any of its secrets", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(payloads, async ({ id, text }) => {
        const timestampSeconds = Math.floor(new Date().getTime() / 1000) // the library reads the real clock
        const body = Buffer.from(JSON.stringify({ text }))
        const headers = await Effect.runPromise(
          StandardWebhooks.sign({ id, timestampSeconds, body, secrets: [other, secret] })
        )
        assert.deepStrictEqual(new Webhook(secretText).verify(body, { ...headers }), { text })
        assert.deepStrictEqual(new Webhook(Redacted.value(other)).verify(body, { ...headers }), { text })
      }),
      { numRuns: 500 }
    )
  })

  it("signs what we verify", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(payloads, async ({ id, text }) => {
        const now = new Date()
        const body = JSON.stringify({ text })
        const headers = {
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
          "webhook-signature": new Webhook(secretText).sign(id, now, body)
        }
        await Effect.runPromise(StandardWebhooks.verify({ headers, body: Buffer.from(body), secrets: [secret] }))
      }),
      { numRuns: 500 }
    )
  })
})

describe("refusals", () => {
  it.effect("every flipped bit of id, time, signature or body", () =>
    Effect.gen(function* () {
      yield* atPublishedTime
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"] as const) {
        const bytes = Buffer.from(published.headers[name])
        for (let bit = 0; bit < bytes.byteLength * 8; bit++) {
          const headers = { ...published.headers, [name]: flip(bytes, bit).toString("latin1") }
          assert.notStrictEqual(yield* ending({ ...published, headers, secrets: [secret] }), "accepted", headers[name])
        }
      }
      for (let bit = 0; bit < published.body.byteLength * 8; bit++) {
        const body = flip(published.body, bit)
        assert.strictEqual(yield* ending({ ...published, body, secrets: [secret] }), "bad_signature")
      }
    })
  )

  it.effect("what is missing is missing, what is malformed is malformed", () =>
    Effect.gen(function* () {
      yield* atPublishedTime
      const rows: ReadonlyArray<readonly [Record<string, string | undefined>, string]> = [
        [{ "webhook-id": undefined }, "missing_signature"],
        [{ "webhook-timestamp": undefined }, "missing_signature"],
        [{ "webhook-signature": "" }, "missing_signature"],
        [{ "webhook-signature": "v1a,AAAA" }, "missing_signature"],
        [{ "webhook-signature": "v1,AAAA" }, "malformed"],
        [{ "webhook-id": "msg.1" }, "malformed"],
        [{ "webhook-timestamp": "1614265330abc" }, "malformed"],
        [{ "webhook-timestamp": "-1614265330" }, "malformed"],
        [{ "webhook-timestamp": "1614265330.0" }, "malformed"],
        [{ "webhook-timestamp": "1614265330000" }, "malformed"],
        [{ "webhook-signature": `${published.headers["webhook-signature"]} `.repeat(50) }, "malformed"]
      ]
      for (const [change, expected] of rows) {
        const headers = { ...published.headers, ...change }
        assert.strictEqual(
          yield* ending({ ...published, headers, secrets: [secret] }),
          expected,
          JSON.stringify(change)
        )
      }
    })
  )

  it.effect("nothing is signed with a secret out of shape, without one, or over an id that moves the border", () =>
    Effect.gen(function* () {
      const good = { id: "msg_1", timestampSeconds: 1_614_265_330, body: published.body, secrets: [secret] }
      const short = Redacted.make(`whsec_${Buffer.alloc(23).toString("base64")}`)
      const rows = [
        [{ secrets: [] }, "secret"],
        [{ secrets: [secret, short] }, "secret"],
        [{ secrets: [Redacted.make("whsec_not base64 at all, but long enough for one")] }, "secret"],
        [{ id: "msg.1" }, "id"],
        [{ id: "" }, "id"],
        [{ timestampSeconds: 1.5 }, "timestamp"],
        [{ timestampSeconds: -1 }, "timestamp"],
        [{ timestampSeconds: Number.NaN }, "timestamp"]
      ] as const
      for (const [change, reason] of rows) {
        const error = yield* Effect.flip(StandardWebhooks.sign({ ...good, ...change }))
        assert.strictEqual(error.reason, reason)
      }
    })
  )
})

const flip = (bytes: Uint8Array, bit: number) => {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return flipped
}
