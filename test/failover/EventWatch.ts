/** Reads the events as they are committed: what was readable once has to stay, with its id. */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"

interface Event {
  readonly id: string
  readonly place: string
}

export interface EventWatch {
  /** How many were read, and what became of those that are gone or have another id. */
  readonly end: () => Promise<{ readonly read: number; readonly faults: ReadonlyArray<string> }>
}

/** ms */
const EVERY = 200

export const watchEvents = (database: string): EventWatch => {
  const read = new Map<string, Event>()
  const reader = PostgresClient.layer({ url: Redacted.make(database), maxConnections: 1, readOnly: true })
  const events = (after: number) =>
    Effect.flatMap(PostgresDatabase, ({ query }) =>
      query("SELECT position, id, payment_id, sequence FROM payment_events WHERE position > $1 ORDER BY position", [
        after
      ])
    )
  let last = 0
  const ending = new AbortController()
  const remember = Effect.map(
    // A transaction with a lower position may commit later.
    Effect.suspend(() => events(Math.max(0, last - OVERLAP))),
    (rows) => {
      for (const row of rows) {
        const event = { id: String(row["id"]), place: `${String(row["payment_id"])} ${String(row["sequence"])}` }
        read.set(event.id, event)
        last = Math.max(last, Number(row["position"]))
      }
    }
  )
  // In a failover the reader starts anew.
  const reading = (async () => {
    while (!ending.signal.aborted) {
      await Effect.runPromise(
        Effect.ignore(
          Effect.provide(
            Effect.repeat(Effect.andThen(remember, Effect.sleep(EVERY)), { while: () => !ending.signal.aborted }),
            reader,
            { local: true }
          )
        )
      )
      await new Promise((resolve) => setTimeout(resolve, EVERY))
    }
  })()

  return {
    end: async () => {
      ending.abort()
      await reading
      const left = await Effect.runPromise(Effect.provide(events(0), reader, { local: true }))
      const places = new Map(
        left.map((row) => [String(row["id"]), `${String(row["payment_id"])} ${String(row["sequence"])}`])
      )
      const faults = [...read.values()].flatMap(({ id, place }) => {
        const found = places.get(id)
        if (found === place) return []
        return [found === undefined ? `event ${id} (${place}) is gone` : `event ${id} was ${place} and is ${found}`]
      })
      return { read: read.size, faults }
    }
  }
}

const OVERLAP = 2_000
