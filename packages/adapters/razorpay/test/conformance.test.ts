import { providerConformance } from "@paymux/testkit"
import { Effect } from "effect"
import { inTurn } from "../../../../test/support/amount.ts"
import { razorpay } from "../src/index.ts"
import { reuseReceipts } from "../src/testing/books.ts"
import { fake } from "../src/testing/fake.ts"

providerConformance("razorpay", {
  fake,
  make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
    razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], settlements: true, baseUrl: url }),
  readme: new URL("../README.md", import.meta.url)
})

/** One of them at each commit. */
const variants = [
  () =>
    providerConformance("razorpay with its QR objects", {
      fake,
      make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
        razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], qr: "qr_code", settlements: true, baseUrl: url }),
      skip: { "lost-commit": "Razorpay identifies a QR object by neither a key nor a reference" }
    }),
  () =>
    providerConformance("razorpay with collect requests, if a receipt that was used before is refused", {
      fake: {
        ...fake,
        start: (options) =>
          Effect.tap(fake.start(options), ({ ledger }) => Effect.sync(() => reuseReceipts(ledger, "refused")))
      },
      make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
        razorpay({
          keyId,
          keySecret,
          webhookSecrets: [webhookSecret],
          allowCollect: true,
          settlements: true,
          baseUrl: url
        })
    })
]

for (const variant of inTurn(variants)) variant()
