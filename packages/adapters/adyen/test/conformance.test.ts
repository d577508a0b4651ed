import { providerConformance } from "@paymux/testkit"
import { adyen } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

providerConformance("adyen", {
  fake,
  make: (vendor) => adyen(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})
