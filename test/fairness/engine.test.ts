/**
 * Whether the engine's work for one provider instance waits for that of another, in virtual time and on each database.
 *
 * 600 rows of one instance are due for longer than those of the other. The time at which the last row of the other is done is
 * compared with the same run without the 600.
 */
import { describe, it } from "@effect/vitest"
import { Engine, Ids } from "@paymux/core"
import { isOpen, PaymentStore } from "@paymux/core/store"
import { ClockBreaker, virtualTime } from "@paymux/test-suites"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { compareDelays, longest } from "./compareDelays.ts"
import { databases } from "./databases.ts"
import { backup, instance, works } from "./dueWork.ts"
import type { Behavior, DueWork, WorkKind } from "./dueWork.ts"

const start = Date.UTC(2026, 0, 1)
/** Of the other instance. What calls no provider is done faster. */
const dueAtOther: { readonly [kind in WorkKind]: number } = {
  inquiry: 200,
  expiry: 200,
  capture: 200,
  refund: 200,
  "webhook in": 600
}

/** ms until the other instance's work is done; `longest`: it is not. */
const delayOfOther = Effect.fnUntraced(function* (kind: WorkKind, behavior: Behavior, due: number) {
  yield* TestClock.setTime(start)
  const { pass, step, watchedService } = virtualTime({ step: 100 })
  const database = yield* PaymentStore
  const others = madeOf(kind, "other", dueAtOther[kind], start - 30_000, 1000)
  const open = new Set(others.map(({ operation }) => operation))
  let delay = longest
  const store: PaymentStore["Service"] = {
    ...database,
    // Sleeps of random length leave the test's clock between two milliseconds.
    now: Effect.map(Clock.currentTimeMillis, Math.floor),
    advance: (commit) =>
      Effect.tap(database.advance(commit), ({ _tag }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (_tag !== "Advanced") return
          for (const operation of commit.after.operations) {
            if (!isOpen(operation) && open.delete(operation.id) && open.size === 0) delay = now - start
          }
        })
      )
  }
  yield* written([...madeOf(kind, "first", due, start - 60_000, 1), ...others])
  const scope = yield* Scope.make()
  // A run that waits for a slot ends first, which takes time.
  yield* Effect.addFinalizer(() => Effect.raceFirst(Scope.close(scope, Exit.void), Effect.forever(pass(step))))
  yield* Layer.buildWithScope(
    Engine.layer({
      providers: [
        instance("first", behavior, kind),
        instance("other", "prompt", kind),
        instance(backup, behavior, kind)
      ],
      publicUrl: "https://pay.example",
      breakers: ClockBreaker.layer(),
      drain: 0
    }).pipe(Layer.provide(Layer.merge(Layer.succeed(PaymentStore, watchedService(store)), Ids.layer))),
    scope
  )
  for (let passed = 0; passed < longest && open.size > 0; passed += step) yield* pass(step)
  return delay
})

const madeOf = (kind: WorkKind, provider: string, count: number, dueAt: number, from: number) =>
  Array.from({ length: count }, (_, n) => works[kind](from + n, provider, dueAt))

const written = Effect.fnUntraced(function* (due: ReadonlyArray<DueWork>) {
  const { begin, inbox } = yield* PaymentStore
  yield* Effect.forEach(due, ({ record }) => begin({ record, binding: null }), { concurrency: "unbounded" })
  yield* inbox.keep(due.flatMap(({ entry }) => entry ?? []))
})

for (const [database, layer] of Object.entries(databases)) {
  describe(`the engine on ${database}`, () => {
    for (const kind of Object.keys(works) as Array<WorkKind>) {
      it.effect(
        `${kind}: 600 due at a slow, hanging or failing instance delay those of another by less than half`,
        () => compareDelays(layer, (behavior, due) => delayOfOther(kind, behavior, due))
      )
    }
  })
}
