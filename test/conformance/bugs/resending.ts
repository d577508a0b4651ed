import { type IdempotencyKey, type InquiryOutcome, invalidRequest, Outcome, type ProviderContext } from "@paymux/core"
import { Effect } from "effect"
import { answering, type Bug, creating, withOperations } from "../Bug.ts"

const isDuplicate = (answer: InquiryOutcome): boolean => answer._tag === "Unknown" && answer.reason === "duplicate"

const refusals: ReadonlyArray<Bug> = [
  {
    check: "second-refusal",
    name: "takes a duplicate for a decline",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) =>
            isDuplicate(answer) ? Outcome.declined({ code: "generic_decline", retry: "never" }) : answer
          )
      )
  },
  {
    check: "second-refusal",
    name: "takes a key that was used before for an invalid request",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.flatMap(create(operation), (answer) =>
            answer._tag === "Unknown" && answer.vendorCode === "key_reused"
              ? Effect.fail(invalidRequest("key_reused"))
              : Effect.succeed(answer)
          )
      )
  },
  {
    check: "second-refusal",
    name: "takes a duplicate for a payment",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.map(create(operation), (answer) => (isDuplicate(answer) ? Outcome.succeeded() : answer))
      )
  },
  {
    check: "second-refusal",
    name: "takes a 4xx for proof that nothing was executed",
    adapter: "acme",
    plant: (provider) =>
      answering(
        provider,
        (create) => (operation) =>
          Effect.catchTag(create(operation), "ProviderError", (error) =>
            error.reason._tag === "InvalidRequest"
              ? Effect.succeed(Outcome.notExecuted({ reason: "proof_code" }))
              : Effect.fail(error)
          )
      )
  },
  {
    check: "second-refusal",
    name: "takes a refund that was made before for one that is refused",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ refund }) =>
        refund === undefined
          ? {}
          : {
              refund: (operation) =>
                Effect.map(refund(operation), (answer) =>
                  isDuplicate(answer) ? Outcome.declined({ code: "not_permitted", retry: "never" }) : answer
                )
            }
      )
  }
]

/** Northbank with another way to checkpoint. */
const checkpointing =
  (change: (checkpoint: ProviderContext["checkpoint"]) => ProviderContext["checkpoint"]): Bug["plant"] =>
  (provider) => ({
    ...provider,
    make: (context) => provider.make({ ...context, checkpoint: change(context.checkpoint) })
  })

const checkpoints: ReadonlyArray<Bug> = [
  {
    check: "checkpoint",
    name: "checkpoints nothing between its order and the session",
    adapter: "northbank",
    plant: checkpointing(() => () => Effect.void)
  },
  {
    check: "checkpoint",
    name: "checkpoints when both requests are answered",
    adapter: "northbank",
    plant: (provider) => ({
      ...provider,
      make: (context) =>
        Effect.map(provider.make({ ...context, checkpoint: () => Effect.void }), (made) => ({
          ...made,
          create: (operation) =>
            Effect.tap(made.create(operation), ({ reference = "" }) => context.checkpoint(operation, reference))
        }))
    })
  },
  {
    check: "checkpoint",
    name: "does not wait for its checkpoint",
    adapter: "northbank",
    plant: checkpointing(
      (checkpoint) => (operation, reference) => Effect.asVoid(Effect.forkDetach(checkpoint(operation, reference)))
    )
  },
  {
    check: "checkpoint",
    name: "checkpoints its own id of the operation instead of the order's",
    adapter: "northbank",
    plant: checkpointing((checkpoint) => (operation) => checkpoint(operation, operation.id))
  },
  {
    check: "checkpoint",
    name: "opens another order for an operation that has one",
    adapter: "northbank",
    plant: (provider) => creating(provider, (operation) => ({ ...operation, reference: null }))
  }
]

const repeats: ReadonlyArray<Bug> = [
  {
    check: "idempotency",
    name: "puts the hour into its key",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({
        ...operation,
        key: `${operation.key}-${Math.floor(Date.now() / 3_600_000)}` as IdempotencyKey
      }))
  },
  {
    check: "idempotency",
    name: "puts the minute into the body",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({
        ...operation,
        description: `${operation.description} of ${Math.floor(new Date().getTime() / 60_000)}`
      }))
  },
  {
    check: "idempotency",
    name: "puts the day into the order's reference",
    adapter: "northbank",
    plant: (provider) =>
      creating(provider, (operation) => ({
        ...operation,
        id: `${operation.id}-${new Date().getUTCDate()}` as typeof operation.id
      }))
  },
  {
    check: "idempotency",
    name: "names the payment and its key by operation.paymentId",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({
        ...operation,
        id: operation.paymentId as string as typeof operation.id,
        key: operation.paymentId as string as IdempotencyKey
      }))
  },
  {
    check: "idempotency",
    name: "makes its key of the amount",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({
        ...operation,
        key: `${operation.amount.currency}-${operation.amount.minorUnits}` as IdempotencyKey
      }))
  },
  {
    check: "idempotency",
    name: "makes a new key for each capture",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ capture }) =>
        capture === undefined
          ? {}
          : {
              capture: (operation) => capture({ ...operation, key: crypto.randomUUID() as string as IdempotencyKey })
            }
      )
  },
  {
    check: "idempotency",
    name: "puts something random into the body, which makes each repeat another request",
    adapter: "acme",
    plant: (provider) =>
      creating(provider, (operation) => ({ ...operation, description: `Order ${crypto.randomUUID()}` }))
  },
  {
    check: "idempotency",
    name: "names the payment by what was bought, so that a second one like it is a duplicate",
    adapter: "northbank",
    plant: (provider) =>
      creating(provider, (operation) => ({ ...operation, id: "op_order_1001" as string as typeof operation.id }))
  }
]

/** The provider that answers inquiries differently. */
const inquiring =
  (change: (answer: InquiryOutcome) => InquiryOutcome): Bug["plant"] =>
  (provider) =>
    withOperations(provider, ({ inquire }) =>
      inquire === undefined ? {} : { inquire: (operation) => Effect.map(inquire(operation), change) }
    )

/** As a vendor's list is read without a reference: it shows what any instance has sent. */
const askingForTheLast = (): Bug["plant"] => {
  let last: string | null = null
  return (provider) =>
    withOperations(provider, ({ create, inquire }) => ({
      create: (operation) => {
        last = operation.id
        return create(operation)
      },
      ...(inquire && {
        inquire: (operation) => inquire({ ...operation, id: (last ?? operation.id) as typeof operation.id })
      })
    }))
}

const inquiries: ReadonlyArray<Bug> = [
  {
    check: "inquiry-agrees",
    name: "takes an empty list for a decline",
    adapter: "acme",
    plant: inquiring((answer) =>
      answer._tag === "NotFound" ? Outcome.declined({ code: "generic_decline", retry: "same_later" }) : answer
    )
  },
  {
    check: "inquiry-agrees",
    name: "takes an empty list for proof that nothing was executed",
    adapter: "northbank",
    plant: inquiring((answer) => (answer._tag === "NotFound" ? Outcome.notExecuted({ reason: "proof_code" }) : answer))
  },
  {
    check: "inquiry-agrees",
    name: "takes what is held for what is taken",
    adapter: "acme",
    plant: inquiring((answer) => (answer._tag === "Authorized" ? { ...answer, _tag: "Succeeded" } : answer))
  },
  {
    check: "inquiry-agrees",
    name: "finds the last payment, whichever is asked about",
    adapter: "northbank",
    plant: askingForTheLast()
  },
  {
    check: "inquiry-agrees",
    name: "reports the whole amount of a payment of which a part was captured",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ inquire }) =>
        inquire === undefined
          ? {}
          : {
              inquire: (operation) =>
                Effect.map(inquire(operation), (answer) =>
                  answer._tag === "Succeeded" && operation.kind === "capture" && operation.original !== null
                    ? { ...answer, amount: operation.original.amount }
                    : answer
                )
            }
      )
  },
  {
    check: "inquiry-agrees",
    name: "takes a reference that it does not know yet for a payment that is not there",
    adapter: "acme",
    plant: (provider) => {
      const { create, ...others } = provider.capabilities.operations
      const asked = withOperations(provider, ({ inquire }) =>
        inquire === undefined
          ? {}
          : {
              inquire: (operation) =>
                operation.kind === "create" && operation.reference === null
                  ? Effect.succeed(Outcome.notFound())
                  : inquire(operation)
            }
      )
      return {
        ...asked,
        capabilities: {
          ...provider.capabilities,
          operations: { ...others, create: { ...create, inquiry: { by: "providerReference" } } }
        }
      }
    }
  },
  {
    check: "inquiry-agrees",
    name: "calls whatever is closed open",
    adapter: "northbank",
    plant: inquiring((answer) =>
      answer._tag === "Declined"
        ? Outcome.pending(answer.reference === undefined ? {} : { reference: answer.reference })
        : answer
    )
  }
]

export const resendingBugs: ReadonlyArray<Bug> = [...refusals, ...checkpoints, ...inquiries, ...repeats]
