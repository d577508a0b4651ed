import { type IdempotencyKey, type InquiryOutcome, Outcome, type Provider, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, creating, withOperations } from "../Bug.ts"

/** Whatever ended with this code of an unknown outcome is taken for something else. */
const taking =
  (vendorCode: string, seen: () => Outcome.SendOutcome): Bug["plant"] =>
  (provider) =>
    answering(
      provider,
      (create) => (operation) =>
        Effect.map(create(operation), (answer) =>
          answer._tag === "Unknown" && answer.vendorCode === vendorCode ? seen() : answer
        )
    )

const proof = () => Outcome.notExecuted({ reason: "proof_code" })

const statuses: ReadonlyArray<Bug> = [
  { name: "takes a gateway's 404 for proof", plant: taking("http_404", proof) },
  { name: "takes a 408 for proof", plant: taking("http_408", proof) },
  { name: "takes a 520 for proof", plant: taking("http_520", proof) },
  { name: "takes whatever was accepted for paid", plant: taking("http_202", () => Outcome.succeeded()) },
  { name: "takes an empty success for a payment", plant: taking("http_204", () => Outcome.succeeded()) },
  {
    name: "declines by the status, whatever it is about",
    plant: taking("conformance_unheard_of", () =>
      Outcome.declined({ code: "processing_error", retry: "other_provider" })
    )
  }
].map((bug) => ({ ...bug, check: "no-answer-is-unknown", adapter: "acme" }))

const another = (operation: ProviderOperation): ProviderOperation => ({
  ...operation,
  id: `op_${crypto.randomUUID()}` as typeof operation.id,
  key: crypto.randomUUID() as string as IdempotencyKey
})

const isLost = (answer: InquiryOutcome): boolean => answer._tag === "Unknown" && answer.reason !== "timeout"

const withoutIdempotency = ({ capabilities, ...provider }: Provider): Provider => {
  const { idempotency: _, ...create } = capabilities.operations.create
  return { ...provider, capabilities: { ...capabilities, operations: { ...capabilities.operations, create } } }
}

const endsUnprompted: ReadonlyArray<Bug> = [
  {
    check: "one-effect",
    name: "declares no idempotency, and retries on its own when the reply is lost",
    adapter: "acme",
    plant: (provider) =>
      withoutIdempotency(
        answering(
          provider,
          (create) => (operation) =>
            Effect.flatMap(create(operation), (answer) =>
              isLost(answer) ? create(another(operation)) : Effect.succeed(answer)
            )
        )
      )
  },
  {
    check: "one-effect",
    name: "retries a refund on its own, as another one",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ refund }) =>
        refund === undefined
          ? {}
          : {
              refund: (operation) =>
                Effect.flatMap(refund(operation), (answer) =>
                  isLost(answer) ? refund(another(operation)) : Effect.succeed(answer)
                )
            }
      )
  },
  {
    check: "one-effect",
    name: "waits for ever when the reply is lost",
    hangs: true,
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.flatMap(create(operation), (answer) => (isLost(answer) ? Effect.never : Effect.succeed(answer)))
      )
  }
]

const atOnce: ReadonlyArray<Bug> = [
  {
    check: "concurrent",
    name: "keeps the operation in a variable of the instance",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ create }) => {
        let current: ProviderOperation | null = null
        return {
          create: (operation) => {
            current = operation
            return Effect.andThen(
              Effect.yieldNow,
              Effect.suspend(() => create(current ?? operation))
            )
          }
        }
      })
  },
  {
    check: "concurrent",
    name: "answers with the payment that was sent last",
    adapter: "northbank",
    plant: (provider) =>
      withOperations(provider, ({ create }) => {
        let last: ReturnType<typeof create> | null = null
        return {
          create: (operation) => {
            const sent = Effect.runPromise(create(operation))
            last = Effect.promise(() => sent)
            return Effect.andThen(
              Effect.yieldNow,
              Effect.suspend(() => last ?? Effect.promise(() => sent))
            )
          }
        }
      })
  }
]

export const sendingBugs: ReadonlyArray<Bug> = [
  ...statuses,
  ...endsUnprompted,
  ...atOnce,
  {
    check: "one-effect",
    name: "makes an idempotency key of its own for each send",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({ ...operation, key: crypto.randomUUID() as string as IdempotencyKey }))
  },
  {
    check: "not-sent",
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
    check: "no-answer-is-unknown",
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
    check: "no-answer-is-unknown",
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
    check: "no-answer-is-unknown",
    name: "takes a 402 without a code for a decline",
    adapter: "northbank",
    plant: taking("http_402", () => Outcome.declined({ code: "do_not_honor", retry: "other_provider" }))
  },
  {
    check: "not-sent",
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
