/** Whether the daily statement of one provider waits for that of another, in virtual time and on each database. */
import { assert, describe, it } from "@effect/vitest"
import { Ids, rateLimited } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { ProviderRegistry } from "@paymux/core/engine"
import type { StatementPage } from "@paymux/core/statement"
import { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import { memoryContext, virtualTime } from "@paymux/test-suites"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { dailyStatements } from "../../packages/paymux/src/reconcile/dailyStatements.ts"
import { instantWithId } from "../bench/InstantProvider.ts"
import { compareDelays, longest } from "./compareDelays.ts"
import { databases } from "./databases.ts"
import { answering } from "./dueWork.ts"
import type { Behavior } from "./dueWork.ts"

const start = Date.UTC(2026, 0, 1)
/** After which statements are read, in ms. */
const firstRun = 5 * 60_000

const running = Effect.fnUntraced(function* (
  id: string,
  behavior: Behavior,
  pages: number,
  onPage: Effect.Effect<void> = Effect.void
) {
  const made = instantWithId(id)
  const capabilities = { ...made.capabilities, statement: { bookedWithin: "1 minute" } as const }
  const provider: Provider = { ...made, capabilities }
  const operations = {
    ...(yield* provider.make(memoryContext(id))),
    statement: ({ cursor }: { readonly cursor: string | null }) => {
      const next = Number(cursor ?? 0) + 1
      const page: StatementPage = { movements: [], next: next < pages ? String(next) : null }
      return Effect.tap(answering(behavior, Effect.succeed(page), Effect.fail(rateLimited(null))), () => onPage)
    }
  }
  const declared = () => assert.fail("no payment is made")
  return { provider, operations, declared, checkpointed: () => null, forget: () => {} }
})

/** ms until the other statement is read; `longest`: it is not. */
const delayOfOther = Effect.fnUntraced(function* (behavior: Behavior, due: number) {
  yield* TestClock.setTime(start)
  const { pass, step, watchedService } = virtualTime({ step: 100 })
  const pages = 20
  const other = { left: pages, delay: longest }
  const read = Effect.map(Clock.currentTimeMillis, (now) => {
    if (--other.left === 0) other.delay = now - start - firstRun
  })
  const others = yield* running("other", "prompt", pages, read)
  const all = due === 0 ? [others] : [yield* running("first", behavior, due), others]
  const get = (id: string) => all.find(({ provider }) => provider.id === id) ?? null
  const registry = ProviderRegistry.of({
    providers: all.map(({ provider }) => provider),
    get,
    serving: get,
    declared: () => assert.fail("no payment is made"),
    retired: [],
    currentId: (id) => id,
    firstId: (id: string) => id,
    idsOf: (id) => [id]
  })
  const store = { ...(yield* PaymentStore), now: Effect.map(Clock.currentTimeMillis, Math.floor) }
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Effect.raceFirst(Scope.close(scope, Exit.void), Effect.forever(pass(step))))
  const watched = Layer.effect(Statements, Effect.map(Statements, watchedService)).pipe(Layer.provide(Statements.layer))
  yield* Layer.buildWithScope(
    dailyStatements.pipe(
      Layer.provide(Layer.succeed(ProviderRegistry, registry)),
      Layer.provide(watched),
      Layer.provide(Layer.succeed(PaymentStore, watchedService(store))),
      Layer.provide(Ids.layer)
    ),
    scope
  )
  yield* TestClock.adjust(firstRun - 1)
  yield* TestClock.adjust(1)
  for (let passed = 0; passed < longest && other.left > 0; passed += step) yield* pass(step)
  return other.delay
})

for (const [database, layer] of Object.entries(databases)) {
  describe(`statements on ${database}`, () => {
    it.effect("600 pages of a slow, hanging or failing provider delay those of another by less than half", () =>
      compareDelays(layer, delayOfOther)
    )
  })
}
