import { type CreateCapability, type DeclineCode, Outcome, type ProviderError } from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, withOperations } from "../Bug.ts"

/** The provider that declares something else of its creates. */
const declaring =
  (change: (create: CreateCapability) => CreateCapability): Bug["plant"] =>
  ({ capabilities, ...provider }) => ({
    ...provider,
    capabilities: {
      ...capabilities,
      operations: { ...capabilities.operations, create: change(capabilities.operations.create) }
    }
  })

const durations: ReadonlyArray<Bug> = [
  {
    check: "declared",
    name: "misspells how long its keys live",
    adapter: "acme",
    // Boundary: a string that is read from somewhere.
    plant: declaring((create) => ({ ...create, idempotency: { by: "header", lifetime: "24 horus" as "24 hours" } }))
  },
  {
    check: "declared",
    name: "takes what is not found for final at once",
    adapter: "acme",
    plant: declaring((create) => ({ ...create, inquiry: { by: "reference", notFoundIsFinalAfter: 0 } }))
  },
  {
    check: "declared",
    name: "never ends its make",
    hangs: true,
    adapter: "acme",
    plant: (provider) => ({ ...provider, make: () => Effect.never })
  }
]

const notTaken: ReadonlyArray<Bug> = [
  {
    check: "vendor-codes",
    name: "hands on the vendor's code for one of the contract",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Declined" ? { ...answer, code: answer.vendorCode as DeclineCode } : answer
          )
      )
  },
  {
    check: "amounts",
    name: "answers an amount in major units",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Succeeded" && answer.amount !== undefined
              ? { ...answer, amount: { ...answer.amount, minorUnits: answer.amount.minorUnits / 100 } }
              : answer
          )
      )
  },
  {
    check: "webhook-refused",
    name: "answers evidence of a kind that there is not",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ webhook }) =>
        webhook === undefined
          ? {}
          : {
              webhook: (body, headers, receivedAt) =>
                Effect.map(webhook(body, headers, receivedAt), (reported) =>
                  reported.map((evidence) => ({ ...evidence, outcome: { _tag: "Paid" as "Expired" } }))
                )
            }
      )
  },
  {
    check: "webhook-refused",
    name: "never ends, and cannot be stopped",
    hangs: true,
    adapter: "acme",
    plant: (provider) => withOperations(provider, () => ({ webhook: () => Effect.uninterruptible(Effect.never) }))
  },
  {
    check: "test-and-live",
    name: "fails with an error of its own",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ create }) => ({
        create: (operation) =>
          Effect.catchTag(create(operation), "ProviderError", ({ reason }) =>
            // Boundary: TypeScript does not hold an adapter to its errors.
            Effect.fail(new Error(reason._tag) as unknown as ProviderError)
          )
      }))
  }
]

export const endingBugs: ReadonlyArray<Bug> = [
  ...durations,
  ...notTaken,
  {
    check: "declared",
    name: "declares a refund that is not there",
    adapter: "acme",
    plant: (provider) => ({
      ...provider,
      make: (context) => Effect.map(provider.make(context), ({ refund: _, ...rest }) => rest)
    })
  },
  {
    check: "declared",
    name: "forgets to declare its cancel",
    adapter: "acme",
    plant: ({ capabilities, ...provider }) => {
      const { cancel: _, ...operations } = capabilities.operations
      return { ...provider, capabilities: { ...capabilities, operations } }
    }
  },
  {
    check: "deadline",
    name: "retries on its own after a timeout",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.flatMap(create(operation), (answer) =>
            answer._tag === "Unknown" ? create(operation) : Effect.succeed(answer)
          )
      )
  },
  {
    check: "deadline",
    name: "takes a timeout for a decline",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Unknown" && answer.reason === "timeout"
              ? Outcome.declined({ code: "issuer_unavailable", retry: "other_provider" })
              : answer
          )
      )
  },
  {
    check: "interruption",
    name: "cannot be interrupted",
    hangs: true,
    adapter: "acme",
    plant: (provider) => answering(provider, (create) => (operation) => Effect.uninterruptible(create(operation)))
  },
  {
    check: "interruption",
    name: "sends in a fiber that cannot be interrupted",
    hangs: true,
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ create }) => ({
        create: (operation) =>
          Effect.flatMap(Effect.context<never>(), (context) =>
            Effect.promise(() => Effect.runPromiseWith(context)(create(operation)))
          )
      }))
  },
  {
    check: "next-action",
    name: "keeps the address of the page to itself",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Pending" && answer.reference !== undefined
              ? Outcome.pending({ reference: answer.reference })
              : answer
          )
      )
  },
  {
    check: "next-action",
    name: "shows the payer an address that has expired",
    adapter: "northbank",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Pending" && answer.nextAction !== undefined
              ? { ...answer, nextAction: { ...answer.nextAction, expiresAt: operation.createdAt - 1000 } }
              : answer
          )
      )
  }
]
