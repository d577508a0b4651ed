import { providerConformance } from "@paymux/testkit"
import { northbank } from "../src/index.ts"
import { fake } from "./fake.ts"

providerConformance("northbank", {
  fake,
  make: ({ credentials, url }) =>
    northbank({
      keyId: credentials.keyId,
      secret: credentials.secret,
      // As during a rotation: what Northbank signs with the old secret is accepted, too.
      webhookSecrets: ["wh_the_next_one", credentials.webhookSecret],
      baseUrl: url
    }),
  readme: new URL("../README.md", import.meta.url)
})
