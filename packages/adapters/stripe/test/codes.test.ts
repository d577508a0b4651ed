/** The table of codes, row by row, and the words that have no code at Stripe, by the message or parameter that each has. */
import { assert, describe, it } from "@effect/vitest"
import type { Currency } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { codeTableTests } from "@paymux/testkit"
import { codes, laterCodes } from "../src/codes.ts"
import { stripe } from "../src/index.ts"
import { signs } from "../src/messages.ts"
import { errorBy } from "../src/testing/codes.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

/** Of the words that are recognized by a parameter. */
const params: { readonly [word: string]: string } = {
  customer_name_missing: "shipping[name]",
  customer_address_missing: "payment_intent_data[shipping][address][line1]",
  description_missing: "description",
  account_currency: "line_items[0][price_data][currency]"
}

/** In INR, what another currency calls `india_not_a_business`. */
const ofRupees = "india_foreign_card"

const type = "invalid_request_error"

const errorOf = (code: string) => {
  const word = code === ofRupees ? "india_not_a_business" : code
  const sign = signs.find((each) => each.word === word)
  if (Codes.declinedBy(codes, code) !== null) return errorBy(code)
  if (code === "idempotency_error") return { type: code }
  if (sign === undefined) return { type, code }
  return sign.param === undefined
    ? { type, message: `As stated: ${sign.text?.toUpperCase()}. More info here: https://…` }
    : { type, code: sign.code, param: params[word] }
}

const answer = (code: string) => ({ json: { error: errorOf(code) } })

const rows = (isOfRupees: boolean) => ({
  meanings: new Map([...codes.meanings].filter(([code]) => (code === ofRupees) === isOfRupees))
})

const make = (vendor: Parameters<typeof optionsOf>[0]) => stripe(optionsOf(vendor))

codeTableTests("stripe", {
  fake,
  make,
  requests: (["token", "hosted"] as const).map((flow) => ({ flow, codes: rows(false), answer }))
})

const rupees = { minorUnits: 10_000, currency: "INR" as Currency.Currency }

codeTableTests("stripe, in INR,", {
  fake: { ...fake, prepare: (operation) => ({ ...operation, amount: rupees }) },
  make,
  requests: [{ flow: "token", codes: rows(true), answer }]
})

describe("codes", () => {
  it("every word of a message is a row of the table, and only creates have account faults", () => {
    assert.deepStrictEqual(
      signs.filter(({ word }) => Codes.meaningOf(codes, word)?.class !== "account_not_enabled"),
      []
    )
    assert.deepStrictEqual(Codes.accountHelp(laterCodes), {})
  })

  it("a fault of one payment, of its amount or its card is never remembered for others", () => {
    const kinds = [...codes.meanings].flatMap(([code, meaning]) =>
      meaning.class === "account_not_enabled" && meaning.about === "kind" ? [code] : []
    )
    assert.deepStrictEqual(kinds, [
      "testmode_charges_only",
      "payment_method_unactivated",
      "capability_not_active",
      "charges_disabled",
      "no_payment_method_types",
      "payment_method_types_inactive",
      "business_name_missing",
      "account_currency",
      "card_payments_inactive",
      "india_not_a_business",
      "india_purpose_code"
    ])
  })
})
