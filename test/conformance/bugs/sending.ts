import { type IdempotencyKey, Outcome } from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, creating, withOperations } from "../Bug.ts"

export const sendingBugs: ReadonlyArray<Bug> = [
  {
    law: "one-effect",
    name: "makes an idempotency key of its own for each send",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({ ...operation, key: crypto.randomUUID() as string as IdempotencyKey }))
  },
  {
    law: "not-sent",
    name: "takes a refused connection for a timeout",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "NotExecuted" ? Outcome.unknown({ reason: "timeout" }) : answer
          )
      )
  },
  {
    law: "no-answer-is-unknown",
    name: "takes a 5xx for a decline",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Unknown" && answer.reason === "server_error"
              ? Outcome.declined({ code: "processing_error", retry: "same_later" })
              : answer
          )
      )
  },
  {
    law: "no-answer-is-unknown",
    name: "takes a connection that broke for one that was never made",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Unknown" ? Outcome.notExecuted({ reason: "not_sent" }) : answer
          )
      )
  },
  {
    law: "not-sent",
    name: "takes a second request that was not sent for proof that the first did nothing",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ create, inquire }) => ({
        create: (operation) =>
          Effect.flatMap(create(operation), (first) =>
            inquire === undefined || first._tag === "NotExecuted"
              ? Effect.succeed(first)
              : Effect.map(inquire(operation), ({ _tag }) =>
                  _tag === "Unknown" ? Outcome.notExecuted({ reason: "not_sent" }) : first
                )
          )
      }))
  }
]
