/** `paymux keys rotate`: a new key in the place of one, without a request lost while its holder takes it over. */
import { iso } from "@paymux/core/wire"
import { ApiKeys } from "@paymux/http"
import { Console, Effect, Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import * as Audited from "../Audited.ts"
import { databaseFlag, onExistingDatabase } from "./database.ts"
import { overlapFlag, overlapOf } from "./overlap.ts"

export const rotate = Command.make(
  "rotate",
  {
    id: Argument.String("id").pipe(Argument.withDescription("key_…, as in `paymux keys list`")),
    database: databaseFlag,
    overlap: overlapFlag("the former key works")
  },
  Effect.fnUntraced(function* ({ database, id, overlap: text }) {
    const overlap = yield* overlapOf(text)
    const { formerExpiresAt, key, record } = yield* onExistingDatabase(
      database,
      Audited.apiKeys,
      ApiKeys.use((keys) => keys.rotate(id, { overlap }))
    )
    const former = overlap === 0 ? `${id} is refused within a second.` : `${id} works until ${iso(formerExpiresAt)}.`
    yield* Console.error(
      `${former} The new key is ${record.keyId}, of account ${record.account}. It is shown this once; keep it secret:`
    )
    yield* Console.log(Redacted.value(key))
  })
).pipe(
  Command.withDescription("Replace an API key; the previous key works for a grace period"),
  Command.withExamples([
    { command: "paymux keys rotate key_…", description: "Both work for a day" },
    { command: "paymux keys rotate key_… --overlap 0s", description: "The key has leaked" }
  ])
)
