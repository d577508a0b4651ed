/** Stores that outlive engines, that several engines share, and that stop an engine in its tracks. */
import { PaymentStore as Stored } from "@paymux/core/store"
import type { PaymentStore } from "@paymux/core/store"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Store = PaymentStore["Service"]

/** On a file of its own, gone with the test. */
export const sqliteStore = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-evm-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename: join(directory, "payments.db") }))
  )
  const built = yield* Effect.orDie(Layer.build(Layer.provide(SqlitePaymentStore.layer, database)))
  return Context.get(built, Stored)
})

/** As a database server has it: engines take turns by lease. */
export const shared = (store: Store): Store => ({ ...store, singleEngine: false })

/** What an engine writes, in a word. */
interface Write {
  readonly kind: "state" | "payment" | "checkpoint"
  /** Of the provider's state. */
  readonly key: string
  readonly value: string
}

export interface Mortal {
  readonly store: Store
  /** Stops at the first write that fits from now on: before it, or when it is done. Nothing is written after it. */
  readonly stopAt: (when: "before" | "after", fits: (write: Write) => boolean) => void
  readonly isStopped: () => boolean
  /** What stopped goes on, as after a long stall. */
  readonly wake: () => void
  /** What stopped never goes on: its engine can be ended. */
  readonly kill: () => void
}

/** The store of an engine that can be stopped between two writes, for a while or for good. */
export const mortal = (store: Store): Mortal => {
  let state: "alive" | "stopped" | "dead" = "alive"
  let plan: { readonly when: "before" | "after"; readonly fits: (write: Write) => boolean } | null = null
  const waiting = new Set<() => void>()
  const go = (next: typeof state) => {
    state = next
    for (const wake of waiting) wake()
  }
  const passed: Effect.Effect<void> = Effect.suspend(() => {
    if (state === "alive") return Effect.void
    if (state === "dead") return Effect.die(new Error("this engine was killed"))
    return Effect.callback<void>((resume) => {
      const wake = () => {
        waiting.delete(wake)
        resume(passed)
      }
      waiting.add(wake)
      return Effect.sync(() => waiting.delete(wake))
    })
  })
  const alive = <A, E>(effect: Effect.Effect<A, E>) => Effect.andThen(passed, effect)
  const written = <A, E>(write: Write, effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      yield* passed
      const isLast = plan?.fits(write) === true
      const when = plan?.when
      if (isLast && when === "before") state = "stopped"
      yield* passed
      const done = yield* effect
      if (isLast && when === "after") state = "stopped"
      yield* passed
      return done
    })
  return {
    isStopped: () => state !== "alive",
    stopAt: (when, fits) => {
      plan = { when, fits }
    },
    wake: () => {
      plan = null
      go("alive")
    },
    kill: () => go("dead"),
    store: {
      ...store,
      leases: {
        hold: (name, claim) => alive(store.leases.hold(name, claim)),
        release: (name, owner) => alive(store.leases.release(name, owner))
      },
      claimDue: (claim) => alive(store.claimDue(claim)),
      advance: (commit) => written({ kind: "payment", key: "", value: "" }, store.advance(commit)),
      checkpoint: (id, expected, reference) =>
        written({ kind: "checkpoint", key: "", value: reference }, store.checkpoint(id, expected, reference)),
      providerState: {
        get: (provider, key) => alive(store.providerState.get(provider, key)),
        next: (provider, counter) => alive(store.providerState.next(provider, counter)),
        compareAndSet: (provider, key, expected, value, lease) =>
          written(
            { kind: "state", key, value },
            store.providerState.compareAndSet(provider, key, expected, value, lease)
          )
      }
    }
  }
}
