/** `paymux secret rotate`: after this, the former secrets of the installation can be removed. */
import { AuditLog } from "@paymux/dashboard"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { rotateSecret } from "../secrets/rotateSecret.ts"
import type { Rotated } from "../secrets/rotateSecret.ts"
import { accountFlag, databaseFlag, onExistingDatabase } from "./database.ts"
import { givenSecrets } from "./givenSecrets.ts"
import { progressBar } from "./progressBar.ts"
import { userError } from "./userError.ts"

const rotate = Command.make(
  "rotate",
  {
    database: databaseFlag,
    account: accountFlag.pipe(Flag.withDescription("The account whose audit log records the rotation"))
  },
  Effect.fnUntraced(function* ({ account, database }) {
    const secrets = yield* givenSecrets
    if (secrets === null) return yield* userError(new Error(noSecret))
    const rotated = yield* onExistingDatabase(
      database,
      AuditLog.layer,
      progressBar("Encrypting with the new secret", (show) =>
        rotateSecret({ secrets, account, onProgress: (done, all) => show(done / all) })
      )
    )
    yield* Console.log(reportText(rotated, secrets.length > 1))
  })
).pipe(
  Command.withDescription(
    "Re-encrypt the secrets of endpoints and second factors with the first secret, which replaces the others; can be interrupted and run again"
  ),
  Command.withExamples([
    {
      command: `PAYMUX_SECRET='["new secret","old secret"]' paymux secret rotate`,
      description: "When all servers have the new secret first in their list"
    }
  ])
)

/** In step 1 of the guide the old secret is first: nothing is replaced, and the new one must stay. */
const reportText = ({ read, replaced, retired }: Rotated, hasOthers: boolean): string => {
  const texts = read === 1 ? "the one secret" : `all ${read} secrets`
  if (retired === 0 && replaced === 0)
    return `Nothing was replaced: the first secret encrypts ${texts} of endpoints and second factors already.${hasOthers ? " If it is not the new one, put the new one first on all servers, and rotate again." : ""}`
  return `The first secret encrypts ${texts} of endpoints and second factors, ${replaced} of them from now on. The others cannot be first again, and are needed only to read links and cursors that were made with them: remove them when these may end.`
}

const noSecret =
  'Give the new secret and those that it replaces, the new one first: PAYMUX_SECRET=\'["new secret","old secret"]\', or the option secret of the configuration.'

export const secret = Command.make("secret").pipe(
  Command.withDescription("Replace the secret of the installation"),
  Command.withSubcommands([rotate])
)
