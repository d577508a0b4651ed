import { providerConformance } from "@paymux/testkit"
import { coinbase } from "../src/index.ts"
import { fake } from "./fake.ts"
import { optionsOf } from "./operations.ts"

providerConformance("coinbase", {
  fake,
  make: (vendor) => coinbase(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})
