/**
 * The tables of the request log, for the migrations of this package.
 *
 * What many requests have in common (account, key, route, status …) is a row of `paymux_request_kinds`. A request refers to
 * it and is stored in the order of kind and id, and ids sort by time: so a page reads the newest rows of each kind that its
 * filters select, whatever the filters are, and a request costs two entries of indexes. The index of payments has the same
 * order within a payment, so nothing is read of another account's.
 *
 * `seen_at` (ms UTC): a process that is still running may have looked up the id of the kind then, and writes requests of it.
 */
import type { Migration } from "@paymux/core/store"

const kindColumns = (integer: string, boolean: string) => `
  account text NOT NULL,
  livemode ${boolean} NOT NULL,
  key_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status ${integer} NOT NULL,
  problem text NOT NULL,
  replayed ${boolean} NOT NULL,
  seen_at ${integer} NOT NULL,
  UNIQUE (account, livemode, key_id, method, route, status, problem, replayed)`

const requestColumns = (integer: string, text: string) => `
  kind ${integer} NOT NULL,
  id ${text} NOT NULL,
  microseconds ${integer} NOT NULL,
  payment_id text,
  refund_id text,
  request text,
  response text,
  PRIMARY KEY (kind, id)`

const ofPayment =
  "CREATE INDEX paymux_requests_by_payment ON paymux_requests (payment_id, kind, id) WHERE payment_id IS NOT NULL"

export const requestLogTables: Omit<Migration, "id"> = {
  name: "request log",
  sqlite: [
    `CREATE TABLE paymux_request_kinds (id INTEGER PRIMARY KEY, ${kindColumns("integer", "integer")}) STRICT`,
    `CREATE TABLE paymux_requests (${requestColumns("integer", "text")}) STRICT, WITHOUT ROWID`,
    ofPayment
  ],
  pg: [
    `CREATE TABLE paymux_request_kinds (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${kindColumns("bigint", "boolean")})`,
    `CREATE TABLE paymux_requests (${requestColumns("bigint", 'text COLLATE "C"')})`,
    ofPayment
  ],
  // An older server does not write the log.
  compatibleWith: 1
}
