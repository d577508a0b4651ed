/** The address of a page: one for each payment, and no other opens it. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentId } from "@paymux/core"
import { Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { linkedPayment, paymentLink } from "../src/index.ts"

const secret = Redacted.make("a secret of at least thirty-two characters")
const publicUrl = "https://pay.example"
// Boundary of a test: the form of an id.
const id = "pay_01jd8w6x2vh6k9v0q3f7m5t1ac" as PaymentId

const tokenOf = (url: string): string => url.split("/").at(-1) ?? ""

describe("the address of a payment's page", () => {
  it("is the same at every call, and opens its own payment only", () => {
    const url = paymentLink({ secrets: [secret], publicUrl })(id)
    assert.strictEqual(paymentLink({ secrets: [secret], publicUrl })(id), url)
    const linked = linkedPayment([secret])
    assert.strictEqual(linked(id, tokenOf(url)), id)
    assert.isNull(linked(id.replace("a", "b"), tokenOf(url)))
    assert.isNull(linkedPayment([Redacted.make("another secret of thirty-two characters!")])(id, tokenOf(url)))
  })

  it("opens under each secret of a list, whose first one makes it", () => {
    const next = Redacted.make("another secret of thirty-two characters!")
    const url = paymentLink({ secrets: [secret], publicUrl })(id)
    const nextUrl = paymentLink({ secrets: [next, secret], publicUrl })(id)
    assert.strictEqual(nextUrl, paymentLink({ secrets: [next], publicUrl })(id))
    const opening = linkedPayment([next, secret])
    assert.deepStrictEqual([opening(id, tokenOf(url)), opening(id, tokenOf(nextUrl))], [id, id])
    assert.isNull(linkedPayment([next])(id, tokenOf(url)))
  })

  it("is the same however many other links were made since", () => {
    const hostedUrl = paymentLink({ secrets: [secret], publicUrl })
    const url = hostedUrl(id)
    // Boundary of a test, as above.
    for (let n = 0; n < 5_000; n++) hostedUrl(`${id.slice(0, -4)}${String(n).padStart(4, "0")}` as PaymentId)
    assert.strictEqual(hostedUrl(id), url)
    assert.lengthOf(tokenOf(url), 22)
  })

  it("is found by none of 100,000 guesses, nor by another spelling of its token", () => {
    const linked = linkedPayment([secret])
    for (let n = 0; n < 100_000; n++) assert.isNull(linked(id, randomBytes(16).toString("base64url")))
    const token = tokenOf(paymentLink({ secrets: [secret], publicUrl })(id))
    // The last of 22 characters has four bits that are not part of the 128.
    const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const opened = Array.from(last).filter((each) => linked(id, token.slice(0, -1) + each) !== null)
    assert.deepStrictEqual(opened, [token.slice(-1)])
    for (const other of [`${token}=`, token.toLowerCase(), ` ${token}`, `${token}\0`, ""])
      assert.isNull(linked(id, other))
  })
})
