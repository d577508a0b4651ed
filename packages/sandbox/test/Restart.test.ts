import { assert, describe, it } from "@effect/vitest"
import { SandboxLedger } from "@paymux/sandbox"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onFile, withNotifier } from "./Books.ts"
import { card, collect, operation, start } from "./Harness.ts"

const temporaryFile = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-sandbox-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
).pipe(Effect.map((directory) => join(directory, "payments.db")))

/** One life of the process: everything is built anew, and goes with the scope. */
const life = <A, E>(filename: string, story: (sandbox: Effect.Success<typeof start>) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(start, story).pipe(Effect.provide(withNotifier(onFile(filename)))))

describe("a restart", () => {
  it.effect("finds what became due in between, and reports it once", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const asked = operation(1)
      yield* life(filename, (sandbox) => sandbox.at("sandbox_upi_a").create(asked))
      yield* TestClock.adjust("5 seconds")
      yield* life(filename, (sandbox) =>
        Effect.gen(function* () {
          yield* TestClock.adjust(1)
          assert.deepStrictEqual(
            sandbox.emitted.map(({ outcome, occurredAt }) => `${outcome._tag} ${occurredAt}`),
            ["Succeeded 2000"]
          )
        })
      )
      yield* life(filename, (sandbox) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(sandbox.kinds(), [])
          assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
        })
      )
    })
  )

  it.effect("an inquiry after it reports the real outcome of a reply that never came", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const asked = operation(1, { method: collect("timeout@paymux") })
      yield* life(filename, (sandbox) =>
        Effect.gen(function* () {
          yield* Effect.forkChild(sandbox.at("sandbox_upi_a").create(asked))
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* sandbox.inquire("sandbox_upi_a", asked))._tag, "Pending")
        })
      )
      yield* TestClock.adjust("1 hour")
      yield* life(filename, (sandbox) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* sandbox.inquire("sandbox_upi_a", asked))._tag, "Succeeded")
        })
      )
    })
  )

  it.effect("the same key answers the first result after it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const asked = operation(1, { method: card("tok_success") })
      const create = life(filename, (sandbox) => sandbox.at("sandbox_card_a").create(asked))
      const first = yield* create
      assert.deepStrictEqual(yield* create, first)
      const taken = yield* life(filename, (sandbox) => sandbox.ledger.movements(asked.paymentId))
      assert.strictEqual(taken.length, 1)
    })
  )

  it.effect("nothing that was answered is lost to kill -9", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.promise(() => createdThenKilled(filename))
      const asked = operation(1)
      const [entry] = yield* Effect.flatMap(SandboxLedger, (ledger) => ledger.findByPayment(asked.paymentId)).pipe(
        Effect.provide(onFile(filename))
      )
      assert(entry !== undefined)
      assert.strictEqual(entry.state, "pending")
      yield* TestClock.setTime(entry.createdAt + 2_000)
      yield* life(filename, (sandbox) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* sandbox.inquire("sandbox_upi_a", asked))._tag, "Succeeded")
          assert.strictEqual((yield* sandbox.ledger.movements(asked.paymentId)).length, 1)
        })
      )
    })
  )
})

const createdThenKilled = async (filename: string): Promise<void> => {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const script = `
    import { Effect } from "effect"
    import { onFile, withNotifier } from ${module("Books.ts")}
    import { operation, start } from ${module("Harness.ts")}
    await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
      const sandbox = yield* start
      yield* sandbox.at("sandbox_upi_a").create(operation(1))
      console.log("created")
      yield* Effect.never
    }).pipe(Effect.provide(withNotifier(onFile(${JSON.stringify(filename)}))))))
  `
  const child = spawn(process.execPath, ["--input-type=module", "--no-warnings", "--eval", script], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"]
  })
  await Promise.race([once(child.stdout, "data"), once(child, "exit")])
  child.kill("SIGKILL")
  await once(child, "close")
}
