/** A database that does not get on: what it cannot take is refused at once, what it has is carried through. */
import { assert, describe, it } from "@effect/vitest"
import { Engine, Ids } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { runMigrations } from "../../../sql/src/Migrations.ts"
import { layer as sqlite } from "../../../sql/src/sqlite/SqliteClient.ts"
import { apiKeyMigrations, ApiKeys, HttpApp, HttpHandler, returnKey } from "../../src/index.ts"
import { acme, minimal, secret } from "../support/server.ts"

const bound = 3

/** A store whose first commits wait until they are released; `asked`: its calls meanwhile. */
const heldStore = () => {
  const store = MemoryStore.make()
  const asked: Array<string> = []
  const held = Deferred.makeUnsafe<void>()
  const noted: PaymentStore["Service"] = {
    ...store,
    begin: (commit) =>
      Effect.andThen(
        Effect.suspend(() => (asked.push("begin"), Deferred.await(held))),
        store.begin(commit)
      ),
    findKey: (tenant, endpoint, key) =>
      Effect.suspend(() => (asked.push("findKey"), store.findKey(tenant, endpoint, key)))
  }
  return { store: noted, asked, release: Deferred.succeed(held, undefined) }
}

const overloaded = Effect.gen(function* () {
  const { asked, release, store } = heldStore()
  const engine = Engine.layer({
    providers: [acme()],
    publicUrl: "http://localhost:4310",
    loadShedding: { burst: bound, sustained: bound }
  }).pipe(Layer.provideMerge(Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer)))
  const keys = ApiKeys.layer().pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations([apiKeyMigrations]))),
    Layer.provideMerge(sqlite({ filename: ":memory:" }))
  )
  const app = HttpHandler.layer(HttpApp.layer({ secrets: [secret], returnKey: returnKey(secret) })).pipe(
    Layer.provideMerge(Layer.merge(engine, keys))
  )
  const built = yield* Layer.build(app)
  const key = yield* Context.get(built, ApiKeys).ensureReadableTestKey("default")
  const { fetch } = Context.get(built, HttpHandler)
  const ask = (path: string, order?: string) =>
    Effect.promise(() =>
      fetch(
        new Request(`http://localhost${path}`, {
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            ...(order !== undefined && { "idempotency-key": order })
          },
          ...(order !== undefined && { method: "POST", body: JSON.stringify(minimal) })
        })
      )
    )
  const letIn = yield* Effect.forEach(Array.from({ length: bound }), (_, n) =>
    Effect.forkChild(ask("/v1/payments", `let-in-${n}`), { startImmediately: true })
  )
  // A body is read, and its digest made, in turns of the event loop.
  const begun = Effect.sync(() => asked.filter((each) => each === "begin").length)
  yield* Effect.repeat(Effect.andThen(Effect.promise(nextTurn), begun), { until: (count) => count === bound })
  asked.length = 0
  return { ask, asked, release, letIn }
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe("overload", () => {
  it.live.each(["/v1/payments", "/v1/payments?from=shop"])("POST %s is 503 before the store is asked", (path) =>
    Effect.gen(function* () {
      const { ask, asked, release, letIn } = yield* overloaded
      const refused = yield* ask(path, "one-more")
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
      assert.deepInclude(yield* Effect.promise(() => refused.json()), { code: "overloaded", status: 503 })
      assert.deepStrictEqual(asked, [])
      yield* release
      const made = yield* Fiber.joinAll(letIn)
      assert.deepStrictEqual(
        made.map(({ status }) => status),
        Array.from({ length: bound }, () => 201)
      )
      const again = yield* ask(path, "one-more")
      assert.strictEqual(again.status, 201)
      assert.isNull(again.headers.get("idempotent-replayed"))
    }).pipe(Effect.scoped)
  )

  it.live("payments are read all along", () =>
    Effect.gen(function* () {
      const { ask, release, letIn } = yield* overloaded
      assert.strictEqual((yield* ask("/v1/payments", "one-more")).status, 503)
      assert.strictEqual((yield* ask("/v1/payments")).status, 200)
      yield* release
      yield* Fiber.joinAll(letIn)
    }).pipe(Effect.scoped)
  )
})
