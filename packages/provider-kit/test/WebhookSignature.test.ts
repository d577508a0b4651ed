import type { WebhookRefused } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createHmac } from "node:crypto"
import { inspect } from "node:util"
import * as WebhookSignature from "../src/WebhookSignature.ts"

const body = Buffer.from('{"amount":170.00,"note":"ü"}')
const hmac = (key: string | Uint8Array, ...parts: ReadonlyArray<string | Uint8Array>) =>
  createHmac("sha256", key).update(Buffer.concat(parts.map((part) => Buffer.from(part))))

const old = Redacted.make("secret-of-last-year")
const current = Redacted.make("secret-of-this-year")
const secrets = [current, old]

const ending = (check: Effect.Effect<void, WebhookRefused>) =>
  Effect.match(check, { onFailure: (error) => error.reason, onSuccess: () => "accepted" as const })

describe("hmacSha256Hex and hmacSha256Base64", () => {
  for (const encoding of ["hex", "base64"] as const) {
    const check = encoding === "hex" ? WebhookSignature.hmacSha256Hex : WebhookSignature.hmacSha256Base64
    const good = hmac("secret-of-last-year", body).digest(encoding)

    it.effect(`${encoding}: any of the secrets is accepted, and none else`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* ending(check({ secrets, signed: [body], signature: good })), "accepted")
        assert.strictEqual(
          yield* ending(check({ secrets: [current], signed: [body], signature: good })),
          "bad_signature"
        )
        assert.strictEqual(yield* ending(check({ secrets: [], signed: [body], signature: good })), "bad_signature")
      })
    )

    it.effect(`${encoding}: an empty secret, with which anybody can sign, matches nothing`, () =>
      Effect.gen(function* () {
        const signature = hmac("", body).digest(encoding)
        const empty = [Redacted.make(""), WebhookSignature.hexSecret(Redacted.make("zz"))]
        assert.strictEqual(yield* ending(check({ secrets: empty, signed: [body], signature })), "bad_signature")
      })
    )

    it.effect(`${encoding}: every flipped bit of signature or body is refused`, () =>
      Effect.gen(function* () {
        for (let bit = 0; bit < good.length * 8; bit++) {
          const signature = flip(Buffer.from(good), bit).toString("latin1")
          assert.notStrictEqual(yield* ending(check({ secrets, signed: [body], signature })), "accepted", signature)
        }
        for (let bit = 0; bit < body.byteLength * 8; bit++) {
          assert.strictEqual(
            yield* ending(check({ secrets, signed: [flip(body, bit)], signature: good })),
            "bad_signature"
          )
        }
      })
    )

    it.effect(`${encoding}: absent is missing, another form is malformed`, () =>
      Effect.gen(function* () {
        for (const signature of [undefined, ""]) {
          assert.strictEqual(yield* ending(check({ secrets, signed: [body], signature })), "missing_signature")
        }
        for (const signature of ["x", `${good} `, good.slice(1), `${good}${good}`, `${good.slice(0, -1)}é`]) {
          assert.strictEqual(yield* ending(check({ secrets, signed: [body], signature })), "malformed", signature)
        }
      })
    )
  }

  it.effect("parts are signed as if joined: timestamp and raw body (Cashfree)", () =>
    Effect.gen(function* () {
      const signature = hmac("secret-of-this-year", "1700000000000", body).digest("base64")
      const check = WebhookSignature.hmacSha256Base64({ secrets, signed: ["1700000000000", body], signature })
      assert.strictEqual(yield* ending(check), "accepted")
    })
  )

  it.effect("a key written as hex is its bytes (Adyen)", () =>
    Effect.gen(function* () {
      const key = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
      const signed = "7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true"
      const check = WebhookSignature.hmacSha256Base64({
        secrets: [WebhookSignature.hexSecret(Redacted.make(key))],
        signed: [signed],
        signature: "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="
      })
      assert.strictEqual(yield* ending(check), "accepted")
    })
  )
})

describe("stripeStyle", () => {
  const time = 1_700_000_000
  const sign = (secret: string, t: number | string = time) => hmac(secret, `${t}.`, body).digest("hex")
  const good = sign("secret-of-this-year")
  const check = (header: string | undefined) => ending(WebhookSignature.stripeStyle({ secrets, body, header }))
  const at = (seconds: number) => TestClock.setTime(seconds * 1000)

  it.effect("one good signature among several is enough, during a rotation", () =>
    Effect.gen(function* () {
      yield* at(time)
      assert.strictEqual(yield* check(`t=${time},v1=${good}`), "accepted")
      assert.strictEqual(yield* check(`t=${time},v1=${sign("other")},v1=${good},v0=ab`), "accepted")
      assert.strictEqual(yield* check(`t=${time},v1=${sign("secret-of-last-year")}`), "accepted")
      assert.strictEqual(yield* check(`t=${time},v1=${sign("other")}`), "bad_signature")
      assert.strictEqual(yield* check(`t=${time},v0=${good}`), "missing_signature")
    })
  )

  it.effect("300 s before and after now is accepted, 301 s is stale", () =>
    Effect.gen(function* () {
      const header = `t=${time},v1=${good}`
      for (const off of [-300, 300]) {
        yield* at(time + off)
        assert.strictEqual(yield* check(header), "accepted", String(off))
      }
      for (const off of [-301, 301]) {
        yield* at(time + off)
        assert.strictEqual(yield* check(header), "stale", String(off))
      }
    })
  )

  it.effect("its time is compared with that of its receipt, if it is given", () =>
    Effect.gen(function* () {
      yield* at(time + 86_400)
      const header = `t=${time},v1=${good}`
      const receivedAfter = (seconds: number) =>
        ending(WebhookSignature.stripeStyle({ secrets, body, header, receivedAt: (time + seconds) * 1000 }))
      assert.strictEqual(yield* receivedAfter(300), "accepted")
      assert.strictEqual(yield* receivedAfter(-300), "accepted")
      assert.strictEqual(yield* receivedAfter(301), "stale")
      assert.strictEqual(yield* receivedAfter(-301), "stale")
    })
  )

  it.effect("a forged time is a bad signature, however stale", () =>
    Effect.gen(function* () {
      yield* at(time)
      assert.strictEqual(yield* check(`t=${time + 1},v1=${good}`), "bad_signature")
      assert.strictEqual(yield* check(`t=1,v1=${good}`), "bad_signature")
    })
  )

  it.effect("a time that is not whole positive seconds is malformed, also when it was signed", () =>
    Effect.gen(function* () {
      yield* at(time)
      const times = [
        `${time}abc`,
        `-${time}`,
        `${time}.0`,
        "1.7e9",
        "0x6553f100",
        `0${time}`,
        ` ${time}`,
        "",
        `${time}000`
      ]
      for (const t of times) {
        if (t.startsWith(" ")) continue
        assert.strictEqual(yield* check(`t=${t},v1=${sign("secret-of-this-year", t)}`), "malformed", t)
      }
    })
  )

  it.effect("a header out of shape is malformed, an absent one missing", () =>
    Effect.gen(function* () {
      yield* at(time)
      assert.strictEqual(yield* check(undefined), "missing_signature")
      assert.strictEqual(yield* check(""), "missing_signature")
      assert.strictEqual(yield* check(`v1=${good}`), "malformed")
      assert.strictEqual(yield* check(`t=${time},t=${time + 1},v1=${good}`), "malformed")
      assert.strictEqual(yield* check("nonsense"), "malformed")
      assert.strictEqual(yield* check(`t=${time},v1=short`), "malformed")
      assert.strictEqual(yield* check(`t=${time}${`,v1=${good}`.repeat(1000)}`), "malformed")
    })
  )

  it.effect("a refusal shows no secret", () =>
    Effect.gen(function* () {
      const input = { secrets, body, header: `t=${time},v1=${sign("other")}` }
      const error = yield* Effect.flip(WebhookSignature.stripeStyle(input))
      for (const value of [error, secrets])
        assert.notInclude(inspect(value, { depth: 9, showHidden: true }), "of-this-year")
    })
  )
})

describe("fresh", () => {
  it.effect("reads milliseconds where the vendor signs them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      assert.strictEqual(yield* ending(WebhookSignature.fresh("1700000300000", "ms")), "accepted")
      assert.strictEqual(yield* ending(WebhookSignature.fresh("1700000300001", "ms")), "stale")
      assert.strictEqual(yield* ending(WebhookSignature.fresh("1700000000", "ms")), "stale")
      assert.strictEqual(yield* ending(WebhookSignature.fresh("1700000000000", "s")), "malformed")
    })
  )
})

const flip = (bytes: Uint8Array, bit: number) => {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return flipped
}
