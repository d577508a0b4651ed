import { providerConformance } from "@paymux/testkit"
import { razorpay } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"

providerConformance("razorpay", {
  fake,
  make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
    razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], settlements: true, baseUrl: url }),
  readme: new URL("../README.md", import.meta.url)
})

providerConformance("razorpay with its QR objects", {
  fake,
  make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
    razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], qr: "qr_code", settlements: true, baseUrl: url }),
  skip: { "lost-commit": "Razorpay identifies a QR object by neither a key nor a reference" }
})

providerConformance("razorpay with collect requests", {
  fake,
  make: ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
    razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], allowCollect: true, settlements: true, baseUrl: url })
})
