import { ApiKeys } from "@paymux/http"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Audited from "../Audited.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onDatabase, onExistingDatabase } from "./database.ts"
import { rotate } from "./keysRotate.ts"
import { printTable } from "./table.ts"

const create = Command.make(
  "create",
  {
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    name: Flag.String("name").pipe(
      Flag.withDescription("A name for the key, such as the server that uses it"),
      Flag.withDefault("default")
    )
  },
  Effect.fnUntraced(function* ({ account, database, live, name }) {
    const { key, record } = yield* onDatabase(
      database,
      Audited.apiKeys,
      ApiKeys.use((keys) => keys.create({ account, mode: live ? "live" : "test", name }))
    )
    yield* Console.error(`API key ${record.keyId} of account ${account}. It is shown this once; keep it secret:`)
    yield* Console.log(Redacted.value(key))
  })
).pipe(Command.withDescription("Create an API key; it is shown once"))

const list = Command.make(
  "list",
  { database: databaseFlag, account: accountFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, database, json }) {
    const keys = yield* onExistingDatabase(
      database,
      Audited.apiKeys,
      ApiKeys.use((service) => service.list(account))
    )
    if (json) return yield* Console.log(JSON.stringify(keys, null, 2))
    if (keys.length === 0) return yield* Console.error(`Account ${account} has no API keys.`)
    yield* printTable(
      ["id", "key", "mode", "name", "created", "last used", "expires", "revoked"],
      keys.map((key) => [
        key.keyId,
        key.display,
        key.livemode ? "live" : "test",
        key.name,
        iso(key.createdAt),
        key.lastUsedAt === null ? "" : iso(key.lastUsedAt),
        key.expiresAt === null ? "" : iso(key.expiresAt),
        key.revokedAt === null ? "" : iso(key.revokedAt)
      ])
    )
  })
).pipe(Command.withDescription("List an account's API keys, without their secrets"))

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(Argument.withDescription("key_…, as in `paymux keys list`")),
    database: databaseFlag
  },
  Effect.fnUntraced(function* ({ database, id }) {
    const record = yield* onExistingDatabase(
      database,
      Audited.apiKeys,
      ApiKeys.use((keys) => keys.revoke(id))
    )
    yield* Console.error(`Revoked ${record.display} (${record.keyId}).`)
  })
).pipe(Command.withDescription("Revoke an API key; it stops working within a second"))

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list, rotate and revoke API keys"),
  Command.withSubcommands([create, list, rotate, revoke])
)
