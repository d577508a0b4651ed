import { providerConformance } from "@paymux/testkit"
import { cashfree } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"

providerConformance("cashfree", {
  fake,
  make: (vendor) => cashfree(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})

providerConformance("cashfree with preauthorization", {
  fake,
  make: (vendor) => cashfree({ ...optionsOf(vendor), preauthorization: true })
})
