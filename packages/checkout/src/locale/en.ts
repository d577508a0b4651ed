import type { Texts } from "./Texts.ts"

export const en: Texts = {
  locale: "en-IN",
  pay: "Payment",
  amountDue: "Amount due",
  amount: "Amount",
  testMode: "Test mode: no money moves.",
  simulate: {
    title: "Simulate the payer",
    approve: "Approve",
    decline: "Decline",
    expire: "Let it expire",
    provider: (provider) => `In live mode, the provider's own page is here. Simulated provider: ${provider}`
  },
  upi: {
    title: "Pay with a UPI app",
    openApp: "Open your UPI app",
    scan: "Scan the QR code with any UPI app.",
    whatNext: "Approve the payment in the app. This page shows the result."
  },
  approve: {
    title: "Approve the payment in your UPI app",
    text: "Your UPI app has a payment request. Open it and approve the amount.",
    vpa: "Sent to"
  },
  redirect: {
    title: "Continue to pay",
    button: "Continue to pay",
    text: "A secure page of the payment provider opens. You return here or to the shop afterwards."
  },
  transfer: {
    title: "Send the exact amount",
    rest: "Send the rest",
    amount: "Amount",
    address: "Address",
    coin: "Coin",
    network: "Network",
    warning: (coin, network) => `Send only ${coin} on ${network}. Anything else may be lost.`,
    openWallet: "Open in your wallet",
    received: "Received",
    missing: "Missing"
  },
  copy: "Copy",
  copied: "Copied",
  expiresAt: (time) => `Expires at ${time} UTC`,
  expiresIn: "Expires in",
  confirming: {
    title: "Payment received, waiting for confirmation",
    text: "The network is confirming your transfer. You can close this page."
  },
  processing: {
    title: "Payment is being processed",
    text: "The result is not known yet. Do not pay again. This page shows the result as soon as it is known."
  },
  authorized: { title: "Payment authorized", text: "The amount is reserved. The shop charges it later." },
  succeeded: { title: "Payment complete", text: "Thank you. The shop has been notified." },
  failed: {
    title: "Payment failed",
    text: "You have not been charged. Return to the shop to try again.",
    declined: "The payment was declined. You have not been charged. Return to the shop to try again."
  },
  expired: { title: "Payment expired", text: "The time to pay is over. Return to the shop to try again." },
  canceled: { title: "Payment canceled", text: "The shop canceled this payment. You have not been charged." },
  backToShop: "Return to the shop",
  reference: "Payment ID",
  offline: "Connection lost. The page reconnects automatically.",
  notFound: { title: "Payment not found", text: "This link is not valid or no longer available. Return to the shop." },
  unavailable: { title: "Temporarily unavailable", text: "Reload this page in a moment. Do not pay again." },
  badDecision: { title: "Nothing was decided", text: "Go back and choose one of the buttons." },
  tooMany: { title: "Too many requests", text: "Wait a minute, then reload this page." }
}
