/** The two implementations of the book, for suites that hold for both. */
import { runMigrations, SqliteClient } from "@paymux/sql"
import { Layer } from "effect"
import { SandboxControl, SandboxLedger, sandboxMigrations, SandboxNotifier, SqlSandboxLedger } from "@paymux/sandbox"

const migrated = (filename: string) =>
  Layer.effectDiscard(runMigrations([sandboxMigrations])).pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

export const onFile = (filename: string) => SqlSandboxLedger.layer.pipe(Layer.provide(migrated(filename)))

/** A database without the tables. */
export const unmigrated = SqlSandboxLedger.layer.pipe(Layer.provide(SqliteClient.layer({ filename: ":memory:" })))

export const books = [
  { name: "in memory", layer: SandboxLedger.layerMemory },
  { name: "on SQLite", layer: onFile(":memory:") }
] as const

/** A book with what the providers need beside it. */
export const withNotifier = <E>(book: Layer.Layer<SandboxLedger, E>) =>
  Layer.mergeAll(SandboxNotifier.layer, SandboxControl.layer).pipe(Layer.provideMerge(book))
