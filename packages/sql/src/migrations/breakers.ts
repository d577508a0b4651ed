/** Circuit breakers of all processes: the last report of each process, and every transition. Times are ms UTC. */
import type { Migration } from "@paymux/core/store"

const processes = (integer: string) => `
  process text PRIMARY KEY,
  host text NOT NULL,
  pid ${integer} NOT NULL,
  seen_at ${integer} NOT NULL,
  breakers_json text NOT NULL`

/**
 * The columns of a transition. `sequence`: 1, 2, 3 … in each process, so that a batch which is written again adds
 * nothing.
 */
const transitions = (integer: string, boolean: string) => `
  process text NOT NULL,
  sequence ${integer} NOT NULL,
  host text NOT NULL,
  livemode ${boolean} NOT NULL,
  provider text NOT NULL,
  operation text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL,
  cause text NOT NULL,
  at ${integer} NOT NULL,
  UNIQUE (process, sequence)`

// Each index serves one combination of filters. In it, the transitions of one state are a range in the order of a page.
// Transitions are few, so five indexes cost little.
const indexes = [
  "CREATE INDEX breaker_transitions_by_state ON breaker_transitions (livemode, to_state, at, id)",
  "CREATE INDEX breaker_transitions_by_operation ON breaker_transitions (livemode, operation, to_state, at, id)",
  "CREATE INDEX breaker_transitions_by_provider ON breaker_transitions (livemode, provider, to_state, at, id)",
  "CREATE INDEX breaker_transitions_by_key ON breaker_transitions (livemode, provider, operation, to_state, at, id)",
  "CREATE INDEX breaker_transitions_by_age ON breaker_transitions (at)"
]

export const breakers: Migration = {
  id: 15,
  name: "circuit breakers",
  sqlite: [
    `CREATE TABLE breaker_processes (${processes("integer")}) STRICT`,
    `CREATE TABLE breaker_transitions (id INTEGER PRIMARY KEY, ${transitions("integer", "integer")}) STRICT`,
    ...indexes
  ],
  pg: [
    `CREATE TABLE breaker_processes (${processes("bigint")})`,
    `CREATE TABLE breaker_transitions (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${transitions("bigint", "boolean")})`,
    ...indexes
  ],
  compatibleWith: 2
}
