import { providerConformance } from "@paymux/testkit"
import { inTurn } from "../../../../test/support/amount.ts"
import { cashfree } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { fake, s2sFake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

providerConformance("cashfree", {
  fake,
  make: (vendor) => cashfree(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})

/** One of them at each commit. */
const variants = [
  () =>
    providerConformance("cashfree with preauthorization", {
      fake: s2sFake,
      make: (vendor) => cashfree({ ...optionsOf(vendor), s2s: true, preauthorization: true })
    }),
  () =>
    providerConformance("cashfree with Order Pay", {
      fake: s2sFake,
      make: (vendor) => cashfree({ ...optionsOf(vendor), s2s: true })
    }),
  () =>
    providerConformance("cashfree that reports a paid link as a payment", {
      fake,
      make: (vendor) => {
        booksOf(vendor.ledger).ways.paidLink = "PAYMENT_SUCCESS_WEBHOOK"
        return cashfree(optionsOf(vendor))
      }
    })
]

for (const variant of inTurn(variants)) variant()
