import { providerConformance } from "@paymux/testkit"
import { acme } from "../src/index.ts"
import { fake } from "./fake.ts"

providerConformance("acme", {
  fake,
  make: ({ credentials, url }) =>
    acme({
      apiKey: credentials.apiKey,
      webhookSecrets: [credentials.webhookSecret],
      baseUrl: url
    }),
  readme: new URL("../README.md", import.meta.url)
})
