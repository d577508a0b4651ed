/** Each code of the table, as Acme's answer to a create: the adapter reports what its row says. */
import { codeTableTests } from "@paymux/testkit"
import { codes } from "../src/codes.ts"
import { acme } from "../src/index.ts"
import { errorBody, fake } from "./fake.ts"
import { flows } from "./payer.ts"

codeTableTests("acme", {
  fake,
  make: ({ credentials, url }) =>
    acme({
      apiKey: credentials.apiKey,
      webhookSecrets: [credentials.webhookSecret],
      baseUrl: url
    }),
  requests: flows.map((flow) => ({ flow, codes, answer: (code) => ({ json: errorBody(code) }) }))
})
