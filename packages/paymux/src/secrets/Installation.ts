/** The secrets of this installation, and the keys that stay the same while they change. */
import type { ServerSecrets } from "@paymux/core/wire"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { GivenSecrets } from "../options/secretOption.ts"
import { installationId } from "../options/Settings.ts"
import { lacksSecret } from "./admission.ts"
import type { LastingKeys } from "./LastingKeys.ts"
import { enter, makeKnown, openedBy } from "./openInstallation.ts"
import type { OpenInstallation } from "./openInstallation.ts"
import { forgetServer, reportEvery, reportServer } from "./runningServers.ts"
import { storedSecrets, withSecretsLocked } from "./secretRows.ts"

export class Installation extends Context.Service<
  Installation,
  { readonly secrets: ServerSecrets; readonly keys: LastingKeys }
>()("paymux/App/Installation") {
  /**
   * `given`: in test mode `null` for the secret that the database keeps. While the server runs, others can see which secrets it has,
   * so that none of them encrypts what this one cannot read.
   */
  static readonly layer = (given: GivenSecrets) =>
    Layer.effect(
      Installation,
      Effect.gen(function* () {
        const id = randomUUID()
        const open = yield* withSecretsLocked(
          Effect.tap(enter(given, id), ({ digests }) => reportServer(id, { ...here, secrets: digests }))
        )
        yield* Effect.addFinalizer(() => logged(forgetServer(id)))
        yield* Effect.sleep(reportEvery).pipe(
          Effect.andThen(logged(withSecretsLocked(reportAgain(id, open)))),
          Effect.forever,
          Effect.forkScoped
        )
        return Installation.of({ secrets: open.secrets, keys: open.keys })
      })
    )
}

const here = { host: hostname(), pid: process.pid }

/**
 * The database may have gone back to a time before this server started: its secrets are stored again. Names do not change by
 * that, because this server has the keys.
 */
const reportAgain = Effect.fnUntraced(function* (id: string, open: OpenInstallation) {
  yield* reportServer(id, { ...here, secrets: open.digests })
  const stored = yield* storedSecrets
  const opened = yield* openedBy(open.secrets, yield* installationId, stored)
  if (opened === null) return yield* Effect.logError(isUnknown)
  const state = opened.known.get(open.digests[0])
  if (state === "replaced" || state === "retired") return yield* Effect.logError(isReplaced)
  if (lacksSecret(open.digests, opened.known)) yield* Effect.logError(lacksFormer)
  yield* makeKnown(open, opened.known, stored)
})

const isUnknown =
  "The database knows none of this server's secrets, as after a restore to a time before a rotation: the server goes on, but needs the former secret as well at its next start."
const lacksFormer =
  "The database has texts that a secret encrypted which this server does not have, as after a restore to a time before a rotation ended: restart it with that secret as well, and run `paymux secret rotate` again."
const isReplaced =
  "The first secret of this server was replaced by a rotation while it runs: restart it with the new one first, and run `paymux secret rotate` again."

const logged = <E, R>(effect: Effect.Effect<void, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning("The secrets of this server were not reported", cause))
