import {
  type Currency,
  type IdempotencyKey,
  type InquiryOutcome,
  Outcome,
  type Provider,
  type ProviderError,
  type ProviderOperation,
  rateLimited
} from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, creating, withOperations } from "../Bug.ts"

type Kind = "create" | "capture" | "refund" | "inquire"
type Call = (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>

/** The provider with another call of this kind, which may answer what it must not. */
const changing = (provider: Provider, kind: Kind, change: (call: Call) => Call): Provider =>
  withOperations(provider, (operations) => {
    const call = operations[kind]
    return call === undefined ? {} : { [kind]: change(call) }
  })

const asking = (provider: Provider, kind: Kind, change: (operation: ProviderOperation) => ProviderOperation) =>
  changing(provider, kind, (call) => (operation) => call(change(operation)))

const changedOutcome = (provider: Provider, kind: Kind, change: (answer: InquiryOutcome) => InquiryOutcome) =>
  changing(provider, kind, (call) => (operation) => Effect.map(call(operation), change))

const ofAmount = (operation: ProviderOperation, minorUnits: number): ProviderOperation => ({
  ...operation,
  amount: { ...operation.amount, minorUnits }
})

const keyed = (operation: ProviderOperation, key: string): ProviderOperation => ({
  ...operation,
  // Boundary: the keys are text.
  key: key as IdempotencyKey
})

const equalRefundsBugs: ReadonlyArray<Bug> = [
  {
    check: "equal-refunds",
    name: "makes the key of a refund of the payment and the amount",
    adapter: "acme",
    plant: (provider) =>
      asking(provider, "refund", (operation) =>
        keyed(
          // The same reference, so that both requests are the same to the vendor.
          { ...operation, id: operation.paymentId as string as ProviderOperation["id"] },
          `${operation.original?.key}-${operation.amount.minorUnits}`
        )
      )
  },
  {
    check: "equal-refunds",
    name: "sends a refund under the key of its payment",
    adapter: "acme",
    plant: (provider) =>
      asking(provider, "refund", (operation) => keyed(operation, operation.original?.key ?? operation.key))
  },
  {
    check: "equal-refunds",
    name: "makes a key of its own each time it sends a refund",
    adapter: "acme",
    plant: (provider) => asking(provider, "refund", (operation) => keyed(operation, crypto.randomUUID()))
  }
]

const neverExceedBugs: ReadonlyArray<Bug> = [
  {
    check: "never-exceed",
    name: "captures all that is held, whatever was asked",
    adapter: "acme",
    plant: (provider) =>
      asking(provider, "capture", (operation) =>
        ofAmount(operation, operation.original?.amount.minorUnits ?? operation.amount.minorUnits)
      )
  },
  {
    check: "never-exceed",
    name: "takes the refusal of a refund that is too large for one that was made before",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "refund", (answer) => (answer._tag === "Declined" ? Outcome.succeeded() : answer))
  },
  {
    check: "never-exceed",
    name: "answers Pending where the vendor refused a capture",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "capture", (answer) => (answer._tag === "Declined" ? Outcome.pending() : answer))
  },
  {
    check: "never-exceed",
    name: "reports the payment's amount for a part that was captured",
    adapter: "acme",
    plant: (provider) =>
      changing(
        provider,
        "capture",
        (capture) => (operation) =>
          Effect.map(capture(operation), (answer) =>
            answer._tag === "Succeeded" && operation.original !== null
              ? Outcome.succeeded({ ...answer, amount: operation.original.amount })
              : answer
          )
      )
  }
]

const zeroDecimals: ReadonlySet<Currency.Currency> = new Set(["JPY" as Currency.Currency])
const threeDecimals: ReadonlySet<Currency.Currency> = new Set(["KWD" as Currency.Currency])

const amountsBugs: ReadonlyArray<Bug> = [
  {
    check: "amounts",
    name: "reads decimals back by a float that it cuts off",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ofAmount(operation, Math.trunc((operation.amount.minorUnits / 100) * 100)))
  },
  {
    check: "amounts",
    name: "assumes that a yen has hundredths",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) =>
        zeroDecimals.has(operation.amount.currency)
          ? ofAmount(operation, Math.ceil(operation.amount.minorUnits / 100))
          : operation
      )
  },
  {
    check: "amounts",
    name: "refunds a dinar as if it had hundredths",
    adapter: "acme",
    plant: (provider) =>
      asking(provider, "refund", (operation) =>
        threeDecimals.has(operation.amount.currency)
          ? ofAmount(operation, Math.floor(operation.amount.minorUnits / 10) * 10)
          : operation
      )
  },
  {
    check: "amounts",
    name: "reports the amount in whole units when it is asked",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "inquire", (answer) =>
        answer._tag === "Succeeded" && answer.amount !== undefined
          ? Outcome.succeeded({
              ...answer,
              amount: { ...answer.amount, minorUnits: Math.round(answer.amount.minorUnits / 100) }
            })
          : answer
      )
  },
  {
    check: "amounts",
    name: "reports every amount in euros",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "create", (answer) =>
        answer._tag === "Succeeded" && answer.amount !== undefined
          ? Outcome.succeeded({ ...answer, amount: { ...answer.amount, currency: "EUR" as Currency.Currency } })
          : answer
      )
  }
]

const withoutInquiry = (provider: Provider): Provider => {
  const { inquiry: _, ...create } = provider.capabilities.operations.create
  return { ...provider, capabilities: { ...provider.capabilities, operations: { create } } }
}

const unmapped = (answer: InquiryOutcome): InquiryOutcome =>
  answer._tag === "Declined" && answer.vendorCode === "over_limit"
    ? Outcome.unknown({ reason: "unmapped", vendorCode: "over_limit" })
    : answer

const guessed = (answer: InquiryOutcome): InquiryOutcome =>
  answer._tag === "Unknown" && answer.reason === "unmapped"
    ? Outcome.declined({ code: "generic_decline", retry: "same_later", vendorCode: answer.vendorCode ?? "none" })
    : answer

const vendorCodesBugs: ReadonlyArray<Bug> = [
  {
    check: "vendor-codes",
    name: "forgot a published decline code",
    adapter: "acme",
    plant: (provider) => changedOutcome(provider, "create", unmapped)
  },
  {
    check: "vendor-codes",
    name: "knows a decline code in the answer of a create, and not in that of an inquiry",
    adapter: "acme",
    plant: (provider) => changedOutcome(provider, "inquire", unmapped)
  },
  {
    check: "vendor-codes",
    name: "takes every code that it does not know for a decline",
    adapter: "acme",
    plant: (provider) => changedOutcome(provider, "create", guessed)
  },
  {
    check: "vendor-codes",
    name: "takes codes for a decline when it asks",
    adapter: "acme",
    plant: (provider) => changedOutcome(provider, "inquire", guessed)
  },
  {
    check: "vendor-codes",
    name: "has no code in a webhook, which alone reports the payer's decline",
    adapter: "acme",
    plant: (provider) =>
      withOperations(withoutInquiry(provider), ({ webhook }) =>
        webhook === undefined
          ? {}
          : {
              webhook: (body, headers, receivedAt) =>
                Effect.map(webhook(body, headers, receivedAt), (reports) =>
                  reports.map(({ outcome: { vendorCode: _code, ...outcome }, ...report }) => ({ ...report, outcome }))
                )
            }
      )
  },
  {
    check: "vendor-codes",
    name: "reports its own code instead of the vendor's",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "create", (answer) =>
        answer._tag === "Declined" ? Outcome.declined({ ...answer, vendorCode: answer.code }) : answer
      )
  },
  {
    check: "vendor-codes",
    name: "takes a declared proof code for any other 5xx",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "create", (answer) =>
        answer._tag === "NotExecuted" && answer.reason === "proof_code"
          ? Outcome.unknown({ reason: "server_error", vendorCode: "http_503" })
          : answer
      )
  },
  {
    check: "vendor-codes",
    name: "takes every error that has a code for proof",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, "create", (answer) =>
        answer._tag === "Unknown" && answer.reason === "server_error" && answer.vendorCode !== undefined
          ? Outcome.notExecuted({ reason: "proof_code", vendorCode: answer.vendorCode })
          : answer
      )
  }
]

/** The provider with another mapping of a 429. */
const limited = (
  provider: Provider,
  kind: Kind,
  reported: (retryAfterMs: number | null, error: ProviderError) => Effect.Effect<InquiryOutcome, ProviderError>
) =>
  changing(
    provider,
    kind,
    (call) => (operation) =>
      Effect.catch(call(operation), (error) =>
        error.reason._tag === "RateLimited" ? reported(error.reason.retryAfterMs, error) : Effect.fail(error)
      )
  )

const rateLimitBugs: ReadonlyArray<Bug> = [
  {
    check: "rate-limit",
    name: "reports the delay in seconds",
    adapter: "acme",
    plant: (provider) =>
      limited(provider, "create", (ms) => Effect.fail(rateLimited(ms === null ? null : Math.round(ms / 1_000))))
  },
  {
    check: "rate-limit",
    name: "makes a number of a time that is none",
    adapter: "acme",
    plant: (provider) => limited(provider, "create", (ms) => Effect.suspend(() => Effect.fail(rateLimited(ms ?? NaN))))
  },
  {
    check: "rate-limit",
    name: "counts to a date that is over",
    adapter: "acme",
    plant: (provider) => limited(provider, "create", (ms) => Effect.fail(rateLimited(ms === 0 ? -350_000_000_000 : ms)))
  },
  {
    check: "rate-limit",
    name: "maps a 429 to an unknown outcome",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catch(create(operation), (error) =>
            error.reason._tag === "RateLimited"
              ? Effect.succeed(Outcome.unknown({ reason: "unmapped", vendorCode: "http_429" }))
              : Effect.fail(error)
          )
      )
  },
  {
    check: "rate-limit",
    name: "does not hand on the time for a refund",
    adapter: "acme",
    plant: (provider) => limited(provider, "refund", () => Effect.fail(rateLimited(null)))
  },
  {
    check: "rate-limit",
    name: "takes a 429 to an inquiry for a payment that is not there",
    adapter: "acme",
    plant: (provider) => limited(provider, "inquire", () => Effect.succeed(Outcome.notFound()))
  }
]

export const moneyBugs: ReadonlyArray<Bug> = [
  ...equalRefundsBugs,
  ...neverExceedBugs,
  ...amountsBugs,
  ...vendorCodesBugs,
  ...rateLimitBugs
]
