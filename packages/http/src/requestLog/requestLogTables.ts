/**
 * The tables of the request log, for the migrations of this package.
 *
 * The columns that many requests share (account, API key, route, status …) are one row of `paymux_request_kinds`. A row
 * of `paymux_requests` refers to its kind. Its primary key is the kind and the id, and ids sort by time. So a page
 * reads the newest rows of each kind that its filters select, for any filters, and each request costs only two index
 * entries. The second index, by payment, has the same order within a payment, so no rows of other accounts are read.
 *
 * `seen_at` (ms UTC) is the time of the last look-up of the kind. A running process may still write requests of a
 * recently seen kind.
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
  // This migration is compatible with an older server, because that server does not write the request log.
  compatibleWith: 1
}
