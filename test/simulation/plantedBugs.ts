/** Bugs that the simulator must notice, each put between the engine and its surroundings. */
import { Outcome } from "@paymux/core"
import type { Provider, ProviderOperations } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { planned } from "@paymux/test-suites/simulation"
import type { FaultProfile, ExpectationName, TestEnvironment, Variation } from "@paymux/test-suites/simulation"

export interface PlantedBug {
  readonly name: string
  readonly variation: Variation
  readonly profile: FaultProfile
  /** The expectation that speaks of the harm it does. */
  readonly breaks: ExpectationName
}

/** The adapter as it is, with some of its operations replaced. */
const adapter =
  (change: (operations: ProviderOperations, environment: TestEnvironment) => Partial<ProviderOperations>) =>
  (provider: Provider, environment: TestEnvironment): Provider => ({
    ...provider,
    make: (context) =>
      Effect.map(provider.make(context), (operations) => ({ ...operations, ...change(operations, environment) }))
  })

const notSent = Outcome.notExecuted({ reason: "not_sent" })

/** Ends when the client that asked for this payment has gone. */
const hungUp = (environment: TestEnvironment, n: number | null): Effect.Effect<void> =>
  Effect.suspend(() =>
    environment.history.entries.some(
      (entry) => entry.n === n && entry.kind === "client" && entry.answer.kind === "hung_up"
    )
      ? Effect.void
      : Effect.andThen(Effect.sleep(250), hungUp(environment, n))
  )

export const plantedBugs: ReadonlyArray<PlantedBug> = [
  {
    name: "fails over on a timeout",
    profile: "timeouts",
    breaks: "provenBeforeFailover",
    variation: {
      provider: adapter(({ create }) => ({
        create: (operation) =>
          create(operation).pipe(Effect.timeoutOrElse({ duration: 10_000, orElse: () => Effect.succeed(notSent) }))
      }))
    }
  },
  {
    name: "writes after the send",
    profile: "storm",
    breaks: "committedBeforeSent",
    variation: {
      store: (store) => {
        const behind: Array<Effect.Effect<unknown, StoreUnavailable>> = []
        const writeDown = Effect.suspend(() => Effect.all(behind.splice(0), { discard: true }))
        return {
          ...store,
          begin: (commit) => Effect.sync(() => (behind.push(store.begin(commit)), { _tag: "Begun" } as const)),
          advance: (commit) => Effect.andThen(writeDown, store.advance(commit)),
          get: (id) => Effect.andThen(writeDown, store.get(id)),
          findKey: (...key) => Effect.andThen(writeDown, store.findKey(...key)),
          checkpoint: (...order) => Effect.andThen(writeDown, store.checkpoint(...order))
        }
      }
    }
  },
  {
    name: "forgets the key",
    profile: "timeouts",
    breaks: "keysAreTheirOwn",
    variation: {
      provider: adapter(({ create }) => {
        let sends = 0
        return {
          // The cast is the bug: an adapter that makes keys of its own.
          create: (operation) =>
            Effect.suspend(() =>
              create({ ...operation, key: `own-${operation.id}-${sends++}` as typeof operation.key })
            )
        }
      })
    }
  },
  {
    name: "judges an attempt by its last send only",
    profile: "timeouts",
    breaks: "provenBeforeFailover",
    variation: {
      provider: adapter(({ create }) => ({
        create: (operation) =>
          create(operation).pipe(
            Effect.timeoutOrElse({
              duration: 7_000,
              orElse: () => Effect.succeed(Outcome.unknown({ reason: "timeout" }))
            }),
            Effect.flatMap((first) => (first._tag === "Unknown" ? create(operation) : Effect.succeed(first)))
          )
      }))
    }
  },
  {
    name: "shares a key between two refunds",
    profile: "storm",
    breaks: "shownAmountsAreReal",
    variation: {
      provider: adapter(({ refund }) =>
        refund === undefined
          ? {}
          : {
              // The cast is the bug: a key that is derived from something.
              refund: (operation) => refund({ ...operation, key: `of-${operation.paymentId}` as typeof operation.key })
            }
      )
    }
  },
  {
    name: "treats a failed UPI payment as final",
    profile: "storm",
    breaks: "provenBeforeFailover",
    variation: {
      provider: adapter(({ create }) => ({
        create: (operation) =>
          Effect.map(create(operation), (answer) =>
            answer._tag === "Declined" && operation.method.rail === "upi"
              ? Outcome.notExecuted({ reason: "proof_code" })
              : answer
          )
      }))
    }
  },
  {
    name: "lets a client that hangs up interrupt a send",
    profile: "timeouts",
    breaks: "sendsAreCarriedThrough",
    variation: {
      provider: adapter(({ create }, environment) => ({
        create: (operation) =>
          Effect.raceFirst(
            create(operation),
            Effect.andThen(hungUp(environment, planned(operation.metadata)), Effect.interrupt)
          )
      }))
    }
  }
]
