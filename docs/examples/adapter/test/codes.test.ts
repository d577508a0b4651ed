/** Each code of the table, as Northbank's answer to each of the two requests of a create. */
import { codeTableTests } from "@paymux/testkit"
import { codes } from "../src/codes.ts"
import { northbank } from "../src/index.ts"
import { fake } from "./fake.ts"

const answer = (code: string) => ({ json: { error: { code } } })

codeTableTests("northbank", {
  fake,
  make: ({ credentials: { keyId, secret, webhookSecret }, url }) =>
    northbank({ keyId, secret, webhookSecrets: [webhookSecret], baseUrl: url }),
  requests: (["hosted", "token", "intent"] as const).flatMap((flow) =>
    [0, 1].map((after) => ({ flow, after, codes, answer }))
  )
})
