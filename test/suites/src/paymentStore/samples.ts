/** One payment of every kind: each state, rail, pending reason and next action, and values at the edges of their types. */
import { declineCodes } from "@paymux/core"
import type { EvidenceSource, NextAction, Payment, PaymentMethod, PaymentRecord, PaymentState } from "@paymux/core"
import {
  entryBases,
  entryKinds,
  failure,
  operationKinds,
  operationPurposes,
  pendingReasons,
  resolutions,
  reviewReasons
} from "@paymux/core/store"
import type { Attempt, Entry, OutcomeStatus } from "@paymux/core/store"
import { anAttempt, anEntry, anOperation, aRecord, aResolution, aReview, currency } from "./records.ts"

const nextActions: ReadonlyArray<NextAction | null> = [
  null,
  { type: "upi_intent", uri: "upi://pay?pa=a@b&am=1.00", expiresAt: 9_000 },
  { type: "upi_qr", payload: "upi://pay?pa=a@b", image: null, expiresAt: null },
  { type: "redirect", url: "https://example.com/3ds?a=1&b=2", expiresAt: 9_000 },
  { type: "stablecoin_transfer", address: "0xab", uri: "ethereum:0xab", amount: "12.50", expiresAt: 9_000 },
  {
    type: "stablecoin_transfer",
    address: "0xab",
    uri: "ethereum:0xab",
    amount: "12.50",
    asset: "USDC",
    network: "base",
    expiresAt: 9_000
  },
  { type: "wait", expiresAt: null }
]

const states: ReadonlyArray<PaymentState> = [
  ...pendingReasons.map((reason): PaymentState => ({ status: "pending", reason, nextAction: null })),
  ...nextActions.map((nextAction): PaymentState => ({ status: "pending", reason: "awaiting_customer", nextAction })),
  { status: "authorized" },
  { status: "succeeded", late: false },
  { status: "succeeded", late: true },
  ...declineCodes.map((code): PaymentState => ({ status: "failed", failure: failure(code, true) })),
  { status: "failed", failure: failure("provider_unavailable", false) },
  { status: "canceled" }
]

const noDetails = { network: null, country: null, funding: null, bin: null, fingerprint: null }

const methods: ReadonlyArray<PaymentMethod> = [
  { rail: "upi", flow: "intent", vpa: null },
  { rail: "upi", flow: "qr", vpa: null },
  { rail: "upi", flow: "collect", vpa: "payer@bank" },
  { rail: "card", token: null, tokens: {}, ...noDetails },
  {
    rail: "card",
    token: "tok_1",
    tokens: { acme: "tok_a", other: { id: "tok_b", depth: [1, { a: null }] } },
    ...noDetails
  },
  {
    rail: "card",
    token: null,
    tokens: {},
    network: "visa",
    country: "IN",
    funding: "debit",
    bin: "411111",
    fingerprint: "fp_1"
  },
  { rail: "stablecoin", asset: null, network: null },
  { rail: "stablecoin", asset: "USDC", network: "base" }
]

/** Characters that a database may lose, and texts that look like their escapes. */
const oddText = "\u0000\u001a0000 \ud800 x\udfff 🫖 'q\" \\u0000"

const others: ReadonlyArray<Partial<Payment>> = [
  { captureMethod: "manual", description: 'tea, "green" & 茶 \u0000\n\'; DROP TABLE payments; --' },
  { customer: { email: "a@b.example", phone: "+15550100", name: "Zoë 🫖", address: null } },
  { customer: { email: null, phone: "+15550100", name: null, address: null } },
  {
    customer: {
      email: "a@b.example",
      phone: null,
      name: null,
      address: { line1: "1 'Main' Road", line2: "", city: "Zürich", state: null, postalCode: "50667", country: "DE" }
    }
  },
  { metadata: { order_id: "1", "a.b": "2", 'quo"te': "3", $: "4", "": "5", "back\\slash": "6" } },
  {
    client: {
      ip: "203.0.113.9",
      userAgent: null,
      referer: "https://shop.example/",
      acceptHeader: "text/html",
      language: "en-IN",
      timeZone: "Asia/Kolkata",
      screen: { width: 1920, height: 1080, colorDepth: 24 }
    }
  },
  { returnUrl: "https://shop.example/thanks" },
  { order: `${"o".repeat(252)} ✓` },
  { amount: { minorUnits: Number.MAX_SAFE_INTEGER, currency: currency("JPY") }, amountCaptured: 5, amountRefunded: 4 },
  { amount: { minorUnits: 0, currency: currency("KWD") }, amountReceived: 0 },
  { amountReceived: Number.MAX_SAFE_INTEGER },
  { state: { status: "pending", reason: "awaiting_finality", nextAction: null, detected: 0 } },
  { state: { status: "pending", reason: "awaiting_finality", nextAction: null, detected: Number.MAX_SAFE_INTEGER } },
  ...reviewReasons.map((reason, n) => ({ reviews: [aReview(n, { reason })] })),
  { reviews: reviewReasons.map((reason, n) => aReview(n, { reason, since: n })) },
  {
    reviews: [
      aReview(1, { operationId: null, reference: null, minorUnits: 1, since: 0 }),
      aReview(2, { reference: oddText, minorUnits: Number.MAX_SAFE_INTEGER, currency: "KWD" })
    ]
  },
  { resolutions: [aResolution(1)] },
  {
    reviews: [aReview(1)],
    resolutions: resolutions.map((resolution, n) => aResolution(n, { resolution, minorUnits: n, resolvedAt: n }))
  },
  { disputedAt: 5_000 },
  { metadata: { "nul\u0000": "\u0000\u001a0000", half: "\ud800", "\udfff": "\u001a" } },
  { livemode: true, account: "merchant 2" },
  {
    pendingAnnounced: true,
    eventSequence: 7,
    version: 41,
    deadlineAt: 0,
    createdAt: 0,
    updatedAt: 8_640_000_000_000_000
  },
  {
    routing: {
      rule: "cards",
      ruleset: "sha256:ab",
      reason: "split 70/100",
      candidates: [{ provider: "acme", reason: "split 70/100" }],
      dropped: [{ provider: "other", reason: "no_usable_token" }]
    }
  },
  {
    routing: {
      rule: "cards",
      ruleset: "sha256:ab",
      reason: "split",
      candidates: [{ provider: "acme", reason: "split 70/100" }],
      dropped: [],
      experiment: { name: "other in euros", arm: "other", split: { acme: 70, other: 30 } }
    }
  }
]

const ends: ReadonlyArray<Partial<Attempt>> = [
  { status: "declined", code: "insufficient_funds", vendorCode: "51", endedAt: 2_000 },
  { status: "not_executed", code: "provider_unavailable", reason: "failover: not_executed" },
  { status: "expired", actionShown: true },
  { status: "canceled", late: true },
  { status: "succeeded", late: true, isOverpayment: true, endedAt: 0 }
]

const lastStatuses: ReadonlyArray<OutcomeStatus> = ["sending", "authorized", "succeeded", "pending", "unknown"]

export const samples: ReadonlyArray<PaymentRecord> = [
  ...states.map((state) => ({ state })),
  ...methods.map((method) => ({ method })),
  ...others
].map((change, index) => aRecord(index + 1, change))

/** Payments with several attempts, in every status an attempt can have. */
export const longSamples: ReadonlyArray<PaymentRecord> = lastStatuses.map((status, index) => {
  const n = 1_000 + index
  const last = ends.length + 1
  return {
    ...aRecord(n),
    attempts: [...ends.map((end, before) => anAttempt(before + 1, end)), anAttempt(last, { status })],
    operations: [
      ...ends.map((end, before) => anOperation(n, before + 1, { status: end.status ?? "declined", nextCheckAt: null })),
      anOperation(n, last, { status, unsettled: true, checks: 3, reference: `ref_${n}`, kind: "capture" }),
      // A provider's name may be any text, and is compared with that of an entry.
      anOperation(n, last + 1, {
        attemptSeq: last,
        status: "planned",
        kind: "refund",
        purpose: "reversal",
        charge: `ch_${index}_\ud800`
      })
    ]
  }
})

const sources: ReadonlyArray<EvidenceSource> = [
  "reply",
  "webhook",
  "inquiry",
  "return",
  "observed",
  "operator",
  "statement"
]

/** Every word and every edge of what an entry holds. */
export const entries: ReadonlyArray<Entry> = [
  ...entryKinds.flatMap((kind) => entryBases.map((basis) => ({ kind, basis }))),
  ...sources.map((source) => ({ source })),
  { minorUnits: 1 },
  { minorUnits: Number.MAX_SAFE_INTEGER },
  { operationId: null, reference: null },
  { reference: "" },
  { reference: "r".repeat(500) },
  { reference: oddText },
  { reference: oddText.repeat(15) },
  { currency: "JPY", provider: "other", attemptSeq: 3 },
  { recordedAt: 0 },
  { recordedAt: 8_640_000_000_000_000 }
].map((change) => anEntry(3_000, change))

/** A payment with all of them. */
export const manyEntries: PaymentRecord = { ...aRecord(3_000), entries }

/** A payment with operations of every kind and purpose, and all that an operation can say of its end. */
export const manyOperations: PaymentRecord = {
  ...aRecord(2_000),
  operations: operationKinds.flatMap((kind, row) =>
    operationPurposes.map((purpose, column) => {
      const seq = row * operationPurposes.length + column + 1
      return anOperation(2_000, seq, {
        attemptSeq: 1,
        kind,
        purpose,
        status: seq % 2 === 0 ? "planned" : "declined",
        isOverpayment: seq % 2 === 0,
        reason: seq % 2 === 0 ? 'she said "no" \u0000' : null,
        code: seq % 3 === 0 ? "processing_error" : null,
        vendorCode: seq % 3 === 0 ? "E\u0000 51" : null,
        endedAt: seq % 2 === 0 ? null : 9_000
      })
    })
  )
}
