import {
  type InquiryOutcome,
  Outcome,
  type Provider,
  type ProviderContext,
  type ProviderError,
  type ProviderOperation,
  type ProviderOperations
} from "@paymux/core"
import { Effect } from "effect"
import { type Bug, withOperations } from "../Bug.ts"

type Kind = "create" | "cancel" | "refund" | "inquire"
type Call = (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>

/** The provider with other answers to these calls, which may be what they must not. */
const changedOutcome = (
  provider: Provider,
  kinds: ReadonlyArray<Kind>,
  change: (answer: InquiryOutcome, operation: ProviderOperation) => InquiryOutcome
): Provider =>
  withOperations(provider, (operations) =>
    Object.fromEntries(
      kinds.map((kind) => {
        const call: Call = operations[kind] ?? absent
        return [
          kind,
          (operation: ProviderOperation) => Effect.map(call(operation), (reported) => change(reported, operation))
        ]
      })
    )
  )

const absent = (): Effect.Effect<never> => Effect.die(new Error("the adapter has no such operation"))

/** The provider with operations that know their context. */
const within = (
  provider: Provider,
  change: (made: ProviderOperations, context: ProviderContext) => Partial<ProviderOperations>
): Provider => ({
  ...provider,
  make: (context) => Effect.map(provider.make(context), (made) => ({ ...made, ...change(made, context) }))
})

/** The provider that finds what it is asked about by a name that several operations may have: the first is found. */
const findingBy = (provider: Provider, name: (operation: ProviderOperation) => string): Provider =>
  within(provider, (made, { state }) => {
    const noted = (operation: ProviderOperation) => state.compareAndSet(name(operation), null, operation.id)
    const refund = made.refund ?? absent
    const inquire = made.inquire ?? absent
    return {
      create: (operation) => Effect.andThen(noted(operation), made.create(operation)),
      refund: (operation) => Effect.andThen(noted(operation), refund(operation)),
      inquire: (operation) =>
        Effect.flatMap(state.get(name(operation)), (found) =>
          // Boundary: it was an operation's id when it was kept.
          inquire({ ...operation, id: (found ?? operation.id) as ProviderOperation["id"] })
        )
    }
  })

const inquiryBugs: ReadonlyArray<Bug> = [
  {
    check: "inquiry-agrees",
    name: "finds a payment by its amount",
    adapter: "acme",
    plant: (provider) =>
      findingBy(provider, ({ amount, id, kind }) =>
        kind === "create" ? `${amount.minorUnits} ${amount.currency}` : id
      )
  },
  {
    check: "inquiry-agrees",
    name: "finds a refund by its payment and amount",
    adapter: "northbank",
    plant: (provider) =>
      findingBy(provider, ({ amount, id, kind, original }) =>
        kind === "refund" ? `${original?.reference} ${amount.minorUnits}` : id
      )
  }
]

const asDoneBugs: ReadonlyArray<Bug> = [
  {
    check: "as-done",
    name: "takes every refund that is answered for one that is done",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, ["refund"], ({ reference, ...reported }) =>
        reference === undefined ? reported : Outcome.succeeded({ reference })
      )
  },
  {
    check: "as-done",
    name: "takes a refund that is under way for one that is done",
    adapter: "northbank",
    plant: (provider) =>
      changedOutcome(provider, ["refund"], (reported) => (reported._tag === "Pending" ? Outcome.succeeded() : reported))
  },
  {
    check: "as-done",
    name: "finds a refund that failed done",
    adapter: "northbank",
    plant: (provider) =>
      changedOutcome(provider, ["inquire"], (reported, { kind }) =>
        kind === "refund" && reported._tag === "Declined" ? Outcome.succeeded() : reported
      )
  },
  {
    check: "as-done",
    name: "takes a 200 to a cancel for its yes",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, ["cancel"], (reported) =>
        reported._tag === "Unknown" && reported.reason === "unmapped" ? Outcome.succeeded() : reported
      )
  },
  {
    check: "as-done",
    name: "finds a payment canceled that is captured",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, ["inquire"], (reported, { kind }) =>
        kind === "cancel" && reported._tag === "Declined" ? Outcome.succeeded() : reported
      )
  },
  {
    check: "as-done",
    name: "declines by a status that it does not know",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, ["create"], (reported) =>
        reported._tag === "Unknown" && reported.reason === "unmapped"
          ? Outcome.declined({ code: "processing_error", retry: "other_provider" })
          : reported
      )
  },
  {
    check: "as-done",
    name: "finds a payment of a status that it does not know paid",
    adapter: "northbank",
    plant: (provider) =>
      changedOutcome(provider, ["inquire"], (reported) =>
        reported._tag === "Unknown" && reported.reason === "unmapped" ? Outcome.succeeded() : reported
      )
  },
  {
    check: "as-done",
    name: "reports the requested amount",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, ["create"], (reported, { amount }) =>
        reported._tag === "Succeeded" ? { ...reported, amount } : reported
      )
  },
  {
    check: "as-done",
    name: "emits that a payment is paid when its payer is sent to the page",
    adapter: "acme",
    plant: (provider) =>
      within(provider, ({ create }, { emit }) => ({
        create: (operation) =>
          Effect.tap(create(operation), (reported) =>
            reported._tag === "Pending"
              ? emit({
                  source: "observed",
                  about: { operation: operation.id },
                  outcome: { _tag: "Succeeded" },

                  eventId: null,
                  occurredAt: null
                })
              : Effect.void
          )
      }))
  },
  {
    check: "as-done",
    name: "refunds the payment that it has made last",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, ({ create, refund = absent }) => {
        let last: string | null = null
        return {
          create: (operation) =>
            Effect.tap(create(operation), ({ reference }) =>
              Effect.sync(() => {
                last = reference ?? null
              })
            ),
          refund: ({ original, ...operation }) =>
            refund({ ...operation, original: original && { ...original, reference: last } })
        }
      })
  }
]

const declaredBugs: ReadonlyArray<Bug> = [
  {
    check: "declared",
    name: "breaks in the background",
    adapter: "acme",
    plant: (provider) =>
      withOperations(provider, () => ({ run: Effect.die(new Error("the scanner has no node to ask")) }))
  }
]

const notSentBugs: ReadonlyArray<Bug> = [
  {
    check: "not-sent",
    name: "checks certificates in test mode only",
    adapter: "northbank",
    plant: (provider) =>
      provider.mode === "test"
        ? provider
        : withOperations(provider, ({ create }) => ({
            create: (operation) =>
              Effect.acquireUseRelease(
                Effect.sync(() => void (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0")),
                () => create(operation),
                () => Effect.sync(() => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"])
              )
          }))
  }
]

type Complete = NonNullable<ProviderOperations["complete"]>

const completing = (provider: Provider, complete: (inquire: Call) => Complete): Provider =>
  withOperations(provider, ({ inquire = absent }) => ({ complete: complete(inquire) }))

/** As it should be. */
export const askingWhenReturned = (provider: Provider): Provider => completing(provider, (inquire) => inquire)

const returnBugs: ReadonlyArray<Bug> = [
  {
    check: "return",
    name: "trusts a status in the address",
    adapter: "acme",
    plant: (provider) =>
      completing(
        provider,
        (inquire) => (operation, query) =>
          query["status"] === "succeeded" ? Effect.succeed(Outcome.succeeded()) : inquire(operation)
      )
  },
  {
    check: "return",
    name: "declines by a status in the address",
    adapter: "northbank",
    plant: (provider) =>
      completing(
        provider,
        (inquire) => (operation, query) =>
          query["redirect_status"] === "failed"
            ? Effect.succeed(Outcome.declined({ code: "customer_canceled", retry: "same_later" }))
            : inquire(operation)
      )
  },
  {
    check: "return",
    name: "asks about the payment that the address names",
    adapter: "acme",
    plant: (provider) =>
      completing(
        provider,
        (inquire) => (operation, query) =>
          inquire({
            ...operation,
            // A capture is looked up by the vendor's id of its payment.
            ...(query["payment_id"] !== undefined && {
              kind: "capture",
              original: { reference: query["payment_id"], key: operation.key, amount: operation.amount }
            })
          })
      )
  },
  {
    check: "return",
    name: "takes a return for a payment",
    adapter: "acme",
    plant: (provider) => completing(provider, () => () => Effect.succeed(Outcome.succeeded()))
  }
]

export const truthBugs: ReadonlyArray<Bug> = [
  ...inquiryBugs,
  ...asDoneBugs,
  ...declaredBugs,
  ...returnBugs,
  ...notSentBugs
]
