import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, withOperations } from "../Bug.ts"

export const endingBugs: ReadonlyArray<Bug> = [
  {
    law: "declared",
    name: "declares a refund that is not there",
    adapter: "acme",
    plant: (provider) => ({
      ...provider,
      make: (context) => Effect.map(provider.make(context), ({ refund: _, ...rest }) => rest)
    })
  },
  {
    law: "declared",
    name: "forgets to declare its cancel",
    adapter: "acme",
    plant: ({ capabilities, ...provider }) => {
      const { cancel: _, ...operations } = capabilities.operations
      return { ...provider, capabilities: { ...capabilities, operations } }
    }
  },
  {
    law: "deadline",
    name: "tries again by itself after a timeout",
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
    law: "deadline",
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
    law: "interruption",
    name: "cannot be interrupted",
    adapter: "acme",
    plant: (provider) => answering(provider, (create) => (operation) => Effect.uninterruptible(create(operation)))
  },
  {
    law: "interruption",
    name: "sends in a fiber that nobody can stop",
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
    law: "next-action",
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
    law: "next-action",
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
