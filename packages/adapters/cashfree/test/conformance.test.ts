import { providerConformance } from "@paymux/testkit"
import { cashfree } from "../src/index.ts"
import { fake } from "./fake.ts"
import { optionsOf } from "./options.ts"

providerConformance("cashfree", {
  fake,
  make: (vendor) => cashfree(optionsOf(vendor)),
  readme: new URL("../README.md", import.meta.url)
})

providerConformance("cashfree with preauthorization", {
  fake,
  make: (vendor) => cashfree({ ...optionsOf(vendor), preauthorization: true })
})
