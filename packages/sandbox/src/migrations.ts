import type { MigrationSet } from "@paymux/core/store"

const statementIndex = "CREATE INDEX sandbox_movements_booked ON sandbox_movements (provider, moved_at, operation_key)"

/** The tables of the simulated providers' ledger. Times are ms UTC. */
export const sandboxMigrations: MigrationSet = {
  owner: "sandbox",
  migrations: [
    {
      id: 1,
      name: "book of the simulated providers",
      sqlite: [
        `CREATE TABLE sandbox_payments (
           provider TEXT NOT NULL,
           operation_key TEXT NOT NULL,
           reference TEXT NOT NULL,
           payment_id TEXT NOT NULL,
           operation_id TEXT NOT NULL,
           minor_units INTEGER NOT NULL,
           currency TEXT NOT NULL,
           method TEXT NOT NULL,
           capture_method TEXT NOT NULL,
           scenario TEXT NOT NULL,
           state TEXT NOT NULL,
           received INTEGER,
           decline_code TEXT,
           decline_retry TEXT,
           steps TEXT NOT NULL,
           applied INTEGER NOT NULL,
           told INTEGER NOT NULL,
           silent INTEGER NOT NULL,
           description TEXT,
           return_url TEXT,
           due_at INTEGER,
           created_at INTEGER NOT NULL,
           revision INTEGER NOT NULL,
           PRIMARY KEY (provider, operation_key),
           UNIQUE (provider, reference)
         ) STRICT`,
        "CREATE INDEX sandbox_payments_payment ON sandbox_payments (payment_id)",
        "CREATE INDEX sandbox_payments_due ON sandbox_payments (provider, due_at) WHERE due_at IS NOT NULL",
        `CREATE TABLE sandbox_movements (
           provider TEXT NOT NULL,
           operation_key TEXT NOT NULL,
           payment_id TEXT NOT NULL,
           kind TEXT NOT NULL,
           minor_units INTEGER NOT NULL,
           currency TEXT NOT NULL,
           moved_at INTEGER NOT NULL,
           PRIMARY KEY (provider, operation_key)
         ) STRICT`,
        "CREATE INDEX sandbox_movements_payment ON sandbox_movements (payment_id)"
      ],
      pg: [
        `CREATE TABLE sandbox_payments (
           provider text NOT NULL,
           operation_key text NOT NULL,
           reference text NOT NULL,
           payment_id text NOT NULL,
           operation_id text NOT NULL,
           minor_units bigint NOT NULL,
           currency text NOT NULL,
           method text NOT NULL,
           capture_method text NOT NULL,
           scenario text NOT NULL,
           state text NOT NULL,
           received bigint,
           decline_code text,
           decline_retry text,
           steps text NOT NULL,
           applied integer NOT NULL,
           told integer NOT NULL,
           silent integer NOT NULL,
           description text,
           return_url text,
           due_at bigint,
           created_at bigint NOT NULL,
           revision integer NOT NULL,
           PRIMARY KEY (provider, operation_key),
           UNIQUE (provider, reference)
         )`,
        "CREATE INDEX sandbox_payments_payment ON sandbox_payments (payment_id)",
        "CREATE INDEX sandbox_payments_due ON sandbox_payments (provider, due_at) WHERE due_at IS NOT NULL",
        `CREATE TABLE sandbox_movements (
           provider text NOT NULL,
           operation_key text NOT NULL,
           payment_id text NOT NULL,
           kind text NOT NULL,
           minor_units bigint NOT NULL,
           currency text NOT NULL,
           moved_at bigint NOT NULL,
           PRIMARY KEY (provider, operation_key)
         )`,
        "CREATE INDEX sandbox_movements_payment ON sandbox_movements (payment_id)"
      ]
    },
    {
      id: 2,
      name: "notified instead of the former name",
      sqlite: ["ALTER TABLE sandbox_payments RENAME COLUMN told TO notified"],
      pg: ["ALTER TABLE sandbox_payments RENAME COLUMN told TO notified"]
    },
    {
      id: 3,
      name: "statement of the simulated providers",
      sqlite: ["ALTER TABLE sandbox_movements ADD COLUMN operation_id TEXT", statementIndex],
      pg: ["ALTER TABLE sandbox_movements ADD COLUMN operation_id text", statementIndex]
    }
  ]
}
