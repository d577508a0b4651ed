import { providerConformance } from "@paymux/testkit"
import { coinbase } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

providerConformance("coinbase", {
  fake,
  make: (vendor) => coinbase(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})
