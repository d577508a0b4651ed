/** The one further migration of a version that does not exist: what a release beside a running one would bring. */
import { coreMigrations } from "@paymux/sql"
import type { MigrationSet } from "@paymux/core/store"

const known = coreMigrations.migrations.length

/** It adds a table, a column and an index to the table that is written most, and fits the code of this version. */
export const nextVersion: MigrationSet["migrations"] = [
  {
    id: known + 1,
    name: "a step of the next version, for the test of two versions side by side",
    compatibleWith: known,
    sqlite: [
      "CREATE TABLE next_version_notes (id TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT",
      "ALTER TABLE payments ADD COLUMN next_version TEXT",
      "CREATE INDEX operations_next_version ON operations (created_at)"
    ],
    pg: [
      "CREATE TABLE next_version_notes (id text PRIMARY KEY, note text NOT NULL)",
      "ALTER TABLE payments ADD COLUMN next_version text",
      "CREATE INDEX operations_next_version ON operations (created_at)"
    ]
  }
]
