import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { Webhook, WebhookVerificationError } from "standardwebhooks"
import { amount } from "../../../test/support/amount.ts"
import { generateSecret, readSecret, sign } from "../src/index.ts"
import { knownSecret } from "./TestEnvironment.ts"

const count = amount({ part: 1_000, all: 10_000 })

const bodies = (seed: number) =>
  fc.sample(fc.tuple(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 0, max: 1e9 })), {
    numRuns: count,
    seed
  })

// The library refuses old timestamps by the clock of the machine.
const nowSeconds = () => Math.floor(new Date().getTime() / 1000)

describe("Signature", () => {
  it.effect("gives the published example's signature", () =>
    Effect.gen(function* () {
      const key = yield* readSecret(knownSecret)
      const headers = sign({
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestampSeconds: 1614265330,
        body: `{"test": 2432232314}`,
        key
      })
      assert.deepStrictEqual(headers, {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
      })
    })
  )

  it.effect(`${count} bodies are verified by standardwebhooks, which makes the same signature of each`, () =>
    Effect.gen(function* () {
      const secret = yield* generateSecret
      const key = yield* readSecret(secret)
      const library = new Webhook(Redacted.value(secret))
      const timestampSeconds = nowSeconds()
      for (const [text, n] of bodies(1)) {
        const body = JSON.stringify({ text, n })
        const headers = sign({ id: `evt_${n}`, timestampSeconds, body, key })
        assert.deepStrictEqual(library.verify(body, { ...headers }), { text, n })
        const theirs = library.sign(`evt_${n}`, new Date(timestampSeconds * 1000), body)
        assert.strictEqual(headers["webhook-signature"], theirs)
      }
    })
  )

  it.effect(`${count} bodies with one bit flipped are refused by standardwebhooks`, () =>
    Effect.gen(function* () {
      const key = yield* readSecret(knownSecret)
      const library = new Webhook(Redacted.value(knownSecret))
      const timestampSeconds = nowSeconds()
      for (const [text, n] of bodies(2)) {
        const body = Buffer.from(JSON.stringify({ text, n }))
        const headers = sign({ id: "evt_1", timestampSeconds, body: body.toString(), key })
        const at = n % body.length
        body[at] = (body[at] ?? 0) ^ (1 << (n % 7))
        assert.throws(() => library.verify(body, { ...headers }), WebhookVerificationError)
      }
    })
  )

  it.effect("a new secret is 32 bytes that no other has", () =>
    Effect.gen(function* () {
      const first = yield* readSecret(yield* generateSecret)
      const second = yield* readSecret(yield* generateSecret)
      assert.strictEqual(Redacted.value(first).byteLength, 32)
      assert.notDeepEqual(Redacted.value(first), Redacted.value(second))
    })
  )

  const bytes = (length: number) => Buffer.alloc(length, 7).toString("base64")

  it.effect.each([`whsec_${bytes(24)}`, `whsec_${bytes(64)}`, `whsec_${bytes(25).replace(/=+$/, "")}`])(
    "reads %s",
    (text) => Effect.asVoid(readSecret(Redacted.make(text)))
  )

  it.effect.each([
    "",
    "whsec_",
    `whsec_${bytes(23)}`,
    `whsec_${bytes(65)}`,
    bytes(32),
    `whsec_${bytes(32)} `,
    `whsec_${"-_".repeat(20)}`,
    `whsec_${bytes(25).replace("Bw==", "Bx==")}`
  ])("refuses the secret '%s' without repeating it", (text) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readSecret(Redacted.make(text)))
      assert.strictEqual(error._tag, "WebhookSecretInvalid")
      const reported = text.replace(/^whsec_/, "")
      if (reported !== "") assert.notInclude(JSON.stringify(error) + error.message, reported)
    })
  )
})
