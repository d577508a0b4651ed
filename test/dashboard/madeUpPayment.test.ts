/** A made-up payment in the address of a page: its contact, of which a card needs one. */
import { describe, expect, it } from "@effect/vitest"
import { madeUpIn, requestOf } from "../../packages/dashboard/app/src/pages/routing/madeUpPayment.ts"

const customerOf = (search: Record<string, string>): unknown => {
  const made = requestOf(madeUpIn({ payment_method: "card", currency: "EUR", ...search }))
  return typeof made === "string" ? made : Object.entries(made.request).find(([name]) => name === "customer")?.[1]
}

describe("a made-up payment", () => {
  it("has an e-mail address and a phone number, where the address of the page names none", () => {
    expect(customerOf({})).toEqual({ email: "customer@example.com", phone: "+919812345678" })
  })

  it.each([{ email: "a@b.example" }, { phone: "+4915112345678" }])(
    "has the only contact that is named: %j",
    (contact) => {
      expect(customerOf(contact)).toEqual(contact)
    }
  )
})
