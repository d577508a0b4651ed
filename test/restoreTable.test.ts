/** The guide's table of adapters after a restore says what they declare, and README says in the same words what is not covered. */
import { assert, describe, it } from "@effect/vitest"
import type { Capabilities } from "@paymux/core"
import { Duration, Redacted } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { capabilitiesOf as adyen } from "../packages/adapters/adyen/src/method.ts"
import { capabilities as cashfree } from "../packages/adapters/cashfree/src/method.ts"
import { capabilities as coinbase } from "../packages/adapters/coinbase/src/method.ts"
import { capabilitiesOf as evm } from "../packages/adapters/evm/src/capabilities.ts"
import { capabilitiesOf as razorpay } from "../packages/adapters/razorpay/src/method.ts"
import { capabilities as stripe } from "../packages/adapters/stripe/src/method.ts"

const root = resolve(import.meta.dirname, "..")
const read = (file: string) => readFileSync(resolve(root, file), "utf8")
const guide = read("docs/guide/scale.md")
const secret = Redacted.make("secret")

/** Each with its smallest options. */
const adapters: { readonly [title: string]: Capabilities } = {
  Stripe: stripe,
  Adyen: adyen({}),
  Razorpay: razorpay({ qr: "link", allowCollect: false, settlements: false }),
  Cashfree: cashfree({ environment: "sandbox", clientId: "id", clientSecret: secret }),
  Coinbase: coinbase({
    environment: "sandbox",
    apiKeyId: "id",
    apiKeySecret: secret,
    webhookSecrets: [secret],
    target: { accountId: "account", asset: "usdc" }
  }),
  "EVM chains": evm({ chains: [], signer: null })
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
] as const

const durationText = (duration: Duration.Input): string => {
  const ms = Duration.toMillis(Duration.fromInputUnsafe(duration))
  const [unit, size] = units.find(([, size]) => ms % size === 0 && (ms > size || size < 86_400_000)) ?? ["ms", 1]
  const count = ms / size
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const refusal = ({ idempotency }: Capabilities["operations"]["create"]): string => {
  if (idempotency?.by === "reference") return "by its reference"
  const isKept = idempotency?.lifetime !== undefined && (idempotency.by === "header" || idempotency.by === "body")
  return isKept ? `by its key, for ${durationText(idempotency.lifetime)}` : "no"
}

const rowOf = (title: string, { operations: { create } }: Capabilities): string => {
  const { inquiry } = create
  const isAsked = inquiry?.by === "reference"
  const finalAfter = isAsked ? inquiry.notFoundIsFinalAfter : undefined
  const proof = finalAfter === undefined ? "no" : `after ${durationText(finalAfter)}`
  return `| ${title} | ${refusal(create)} | ${isAsked ? "yes" : "no"} | ${proof} |`
}

describe("the guide to restores with the API open", () => {
  for (const [title, capabilities] of Object.entries(adapters)) {
    it(`has the row of ${title}`, () => {
      assert.include(guide, `\n${rowOf(title, capabilities)}\n`)
    })
  }

  it("has a row for each adapter, and no other one", () => {
    const [, rows = ""] = /\| adapter \| a second charge is refused [^\n]*\n[^\n]*\n((?:\|[^\n]*\n)*)/.exec(guide) ?? []
    assert.lengthOf(rows.trim().split("\n"), Object.keys(adapters).length)
    assert.lengthOf(readdirSync(resolve(root, "packages/adapters")), Object.keys(adapters).length)
  })

  it("says what remains uncovered in the words of README", () => {
    const listed = (text: string) => {
      const [, list = ""] = /hat remains uncovered:[*]*\n\n( *- [^]*?)\n\n/.exec(text) ?? []
      return list.replaceAll(/\s+/g, " ").replaceAll("docs/guide/", "").trim()
    }
    assert.include(listed(guide), "requests without an idempotency key")
    assert.strictEqual(listed(read("README.md")), listed(guide))
  })
})
