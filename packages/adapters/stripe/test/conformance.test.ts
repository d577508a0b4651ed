import { providerConformance } from "@paymux/testkit"
import { stripe } from "../src/index.ts"
import { cards, fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

providerConformance("stripe", {
  fake,
  make: (vendor) => stripe(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})

/** Each of them asks its shopper first. */
providerConformance("stripe, of cards that are authenticated", {
  fake: {
    ...fake,
    prepare: (operation) =>
      operation.method.rail === "card" && operation.method.token !== null
        ? { ...operation, method: { ...operation.method, token: cards.redirect } }
        : operation
  },
  make: (vendor) => stripe(optionsOf(vendor))
})
