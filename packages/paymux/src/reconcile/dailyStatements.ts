/**
 * Reads the statement of every provider that has one, once a day, in one of the running processes. A run that a process has
 * left is continued within the hour; one that failed is begun again the next day. A failure is logged, and no payment waits
 * for it.
 */
import { Ids } from "@paymux/core"
import { ProviderRegistry } from "@paymux/core/engine"
import type { RunningProvider } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { readStatement } from "./readStatement.ts"

export const dailyStatements = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, providers } = yield* ProviderRegistry
    const owner = (yield* Ids).engine()
    for (const { id } of providers) {
      const running = get(id)
      if (running?.operations.statement === undefined) continue
      yield* readIfDue(running, owner).pipe(
        Effect.as("1 hour" as const),
        // What cannot be read today is the same in an hour.
        Effect.catchTag("StatementUnread", (unread) =>
          unread.isFinal ? Effect.as(warn(id, unread), "1 day" as const) : Effect.fail(unread)
        ),
        Effect.catchCause((cause) => Effect.as(warn(id, cause), "1 hour" as const)),
        Effect.flatMap(Effect.sleep),
        Effect.forever,
        // What is busy at its start is not slowed down.
        Effect.delay("5 minutes"),
        Effect.forkScoped
      )
    }
  })
)

const warn = (id: string, problem: unknown) =>
  Effect.logWarning(`The statement of ${id} was not read; this is tried again`, problem)

/** ms */
const day = 24 * 60 * 60_000

/** ms: a payment that is under way has no reference yet, and its booking would seem foreign. */
const underWay = 60 * 60_000

const readIfDue = Effect.fnUntraced(function* (running: RunningProvider, owner: string) {
  const { id, mode } = running.provider
  const place = { provider: id, livemode: mode === "live" }
  const statements = yield* Statements
  const now = yield* PaymentStore.use((store) => store.now)
  const until = yield* statements.readUntil(place)
  const isDue = until === null || now - until >= day || (yield* statements.unfinished(place)) !== null
  if (!isDue) return
  const { counts } = yield* readStatement(running, { since: null, until: now - underWay }, owner)
  const found = Object.values(counts.differences).reduce((sum, each) => sum + each, 0)
  if (found === 0) return
  yield* Effect.logError(
    `The statement of ${id} has ${found} differences from the books: see "paymux statements differences"`
  )
})
