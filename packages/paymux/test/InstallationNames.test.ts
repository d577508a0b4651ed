/** The names that providers see belong to a secret and to a database. */
import { assert, describe, it } from "@effect/vitest"
import { NameDigest } from "@paymux/core/engine"
import { coreMigrations, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as InstallationNames from "../src/InstallationNames.ts"
import { settingsMigrations } from "../src/options/Settings.ts"
import { Installation } from "../src/secrets/Installation.ts"

const inFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-names-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The digest of one text in a server that starts on this database. */
const nameIn = (filename: string, ...[secret, ...others]: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.gen(function* () {
    const digest = yield* NameDigest
    return Buffer.from(digest?.("order 1") ?? []).toString("hex")
  }).pipe(
    Effect.provide(
      InstallationNames.layer.pipe(
        Layer.provide(Installation.layer([Redacted.make(secret), ...others.map((other) => Redacted.make(other))])),
        Layer.provide(
          Layer.effectDiscard(runMigrations([coreMigrations, settingsMigrations])).pipe(
            Layer.provideMerge(SqliteClient.layer({ filename }))
          )
        )
      )
    ),
    Effect.orDie
  )

describe("names that providers see", () => {
  it.effect(
    "are the same after a restart and with another secret beside the first, and others in another database",
    () =>
      Effect.gen(function* () {
        const folder = yield* inFolder
        const [one, other] = [join(folder, "one.db"), join(folder, "other.db")]
        const first = yield* nameIn(one, "first secret")
        assert.lengthOf(first, 64)
        assert.strictEqual(yield* nameIn(one, "first secret"), first)
        assert.strictEqual(yield* nameIn(one, "second secret", "first secret"), first)
        assert.notStrictEqual(yield* nameIn(other, "first secret"), first)
      }).pipe(Effect.scoped)
  )
})
