/** What the server signs, by every library: `standardwebhooks`, `svix` and this client. */
import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { Webhook as Standard } from "standardwebhooks"
import { Webhook as Svix } from "svix"
import { amount } from "../../../test/support/amount.ts"
import { signer } from "../../webhooks/test/signer.ts"
import { webhooks } from "../src/index.ts"

const secret = `whsec_${randomBytes(32).toString("base64")}`
const sign = signer(secret)
const [standard, svix] = [new Standard(secret), new Svix(secret)]
const timestamp = new Date()
const seconds = Math.floor(timestamp.getTime() / 1000)
const refused = "webhook_signature_invalid"

const count = amount({ part: 1_000, all: 10_000 })

/** The same ones at every run, of all lengths up to some kB, with text of any script. */
const payloads = Array.from({ length: count }, (_, n) => {
  const bytes = createHash("shake256", { outputLength: 1 + ((n * 37) % 700) })
    .update(String(n))
    .digest()
  const text =
    n % 3 === 0 ? bytes.toString("base64") : bytes.toString(n % 3 === 1 ? "utf16le" : "latin1").toWellFormed()
  return { id: `evt_${n}`, body: JSON.stringify({ type: "payment.succeeded", data: { id: `evt_${n}`, text } }) }
})

describe(`${count.toLocaleString("en")} payloads that the server signs`, () => {
  it("are verified by standardwebhooks, svix and the client, each of which makes the same signature", async () => {
    for (const { body, id } of payloads) {
      const headers = sign(id, seconds, body)
      const parsed: unknown = JSON.parse(body)
      assert.deepStrictEqual(standard.verify(body, headers), parsed)
      // Answers nothing, and throws where it does not fit.
      svix.verify(body, headers)
      for (const library of [standard, svix]) {
        assert.strictEqual(library.sign(id, timestamp, body), headers["webhook-signature"])
      }
      assert.deepStrictEqual<unknown>(await webhooks.verify(body, headers, secret), parsed)
    }
  })

  it("are refused by all of them once a bit of the body is another", async () => {
    for (const [n, { body, id }] of payloads.entries()) {
      const headers = sign(id, seconds, body)
      const turned = Buffer.from(body)
      const at = (n * 7919) % turned.length
      turned.writeUInt8(turned.readUInt8(at) ^ (1 << (n % 8)), at)
      assert.throws(() => standard.verify(turned, headers), "No matching signature found")
      assert.throws(() => svix.verify(turned, headers), "No matching signature found")
      const error: unknown = await webhooks.verify(turned, headers, secret).catch((thrown: unknown) => thrown)
      assert.propertyVal(error, "code", refused)
    }
  })
})
