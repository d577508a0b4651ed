/**
 * The tables of the request log, for the migrations of this package.
 *
 * The common columns of many requests (account, API key, route, status …) are a row of `paymux_request_kinds`. A request refers
 * to its kind and is stored in the order of kind and id, and ids sort by time: a page reads the newest rows of each kind that its
 * filters select, for any filters, and a request costs two index entries. The index of payments has the same order within a
 * payment, so no rows of other accounts are read.
 *
 * `seen_at` (ms UTC): the time of the last look-up of the kind. A running process may still write requests of that kind.
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
  // The step is compatible with an older server, which does not write the log.
  compatibleWith: 1
}
