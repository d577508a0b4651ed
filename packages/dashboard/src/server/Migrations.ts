/** The tables of the control plane. Times are integers, ms UTC, on both databases; booleans are 0 or 1 on SQLite. */
import type { MigrationSet } from "@paymux/core/store"
import { peopleTables } from "./people/tables.ts"

// Administrative actions are few, so each filter has an index of its own.
const auditIndexes = [
  "CREATE INDEX paymux_audit_by_time ON paymux_audit (account, livemode, at, id)",
  "CREATE INDEX paymux_audit_by_action ON paymux_audit (account, livemode, action, at, id)",
  "CREATE INDEX paymux_audit_by_actor ON paymux_audit (account, livemode, actor_id, at, id)",
  "CREATE INDEX paymux_audit_by_target ON paymux_audit (account, livemode, target, at, id)"
]

const auditColumns = (integer: string, boolean: string) => `
  at ${integer} NOT NULL,
  account text NOT NULL,
  livemode ${boolean} NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text,
  role text,
  address text,
  action text NOT NULL,
  target text,
  outcome text NOT NULL,
  before_json text,
  after_json text`

/** Rows are added, and deleted by age. The database itself refuses to change one. */
const auditSqlite = [
  `CREATE TABLE paymux_audit (id INTEGER PRIMARY KEY, ${auditColumns("integer", "integer")}) STRICT`,
  ...auditIndexes,
  `CREATE TRIGGER paymux_audit_is_final BEFORE UPDATE ON paymux_audit
    BEGIN SELECT RAISE(ABORT, 'an entry of the audit log cannot be changed'); END`
]

const auditPg = [
  `CREATE TABLE paymux_audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${auditColumns("bigint", "boolean")})`,
  ...auditIndexes,
  `CREATE FUNCTION paymux_audit_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'an entry of the audit log cannot be changed'; END $$`,
  `CREATE TRIGGER paymux_audit_is_final BEFORE UPDATE ON paymux_audit
    FOR EACH ROW EXECUTE FUNCTION paymux_audit_is_final()`
]

export const dashboardMigrations: MigrationSet = {
  owner: "dashboard",
  migrations: [
    { id: 1, name: "audit log", sqlite: auditSqlite, pg: auditPg },
    { id: 2, ...peopleTables }
  ]
}
