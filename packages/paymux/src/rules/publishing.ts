/** Publishes a version of the rules in the database: compare-and-set, with its entry in the audit log. */
import type { Tenant } from "@paymux/core"
import type { StoreUnavailable } from "@paymux/core/store"
import { RulesConflict, RulesInvalid, RulesNotInDatabase, RulesUnchanged } from "@paymux/dashboard"
import type {
  AuditAction,
  RoutingRules,
  RulesDiagnostic,
  RulesOrigin,
  RulesPublication,
  RulesRollback,
  RulesVersionNotFound,
  RulesVersionText,
  RulesWorkFailed
} from "@paymux/dashboard"
import { Effect } from "effect"
import { addAudited } from "./addAudited.ts"
import { tooLong } from "./draftFaults.ts"
import { requestInvalid } from "./requestInvalid.ts"
import type { RulesFollower } from "./RulesFollower.ts"
import type { OnDatabase } from "./OnDatabase.ts"
import type { NewVersion } from "./RulesVersions.ts"
import type { NamedText } from "./worker/RulesTask.ts"
import type { RulesThread } from "./worker/RulesThread.ts"

interface Parts {
  readonly diff: (from: NamedText, to: NamedText) => Effect.Effect<string, RulesWorkFailed>
  /** `null`: this process routes no payments. */
  readonly follower: RulesFollower | null
  readonly get: (version: number) => Effect.Effect<RulesVersionText, StoreUnavailable | RulesVersionNotFound>
  readonly newest: Effect.Effect<RulesVersionText, StoreUnavailable | RulesVersionNotFound>
  readonly onDatabase: OnDatabase
  readonly origin: RulesOrigin
  readonly thread: RulesThread
}

interface Draft extends Omit<NewVersion, "ruleset"> {
  /** Published although payments get no provider. */
  readonly acceptNoRoute: boolean
}

/** Characters. */
const MOST_NOTE = 500

export const publishing = ({
  diff,
  follower,
  get,
  newest,
  onDatabase,
  origin,
  thread
}: Parts): Pick<RoutingRules["Service"], "publish" | "rollback"> => {
  const editable =
    origin.kind === "database" ? Effect.void : Effect.suspend(() => Effect.fail(new RulesNotInDatabase({ origin })))

  const store = Effect.fnUntraced(function* (tenant: Tenant, action: AuditAction, version: Draft) {
    const before = yield* newest
    if (before.version !== version.from) return yield* conflict(version, before)
    if (before.text === version.text) return yield* new RulesUnchanged({ version: before.version })
    const { config, noRoute, ruleset, warnings } = yield* thread.run("Check", { text: version.text })
    if (noRoute.length > 0 && !version.acceptNoRoute) return yield* withoutRoute(noRoute)
    const accepted = noRoute.length > 0
    const added = yield* onDatabase(addAudited(tenant, action, { ...version, ruleset }, before, accepted))
    if (added === null) return yield* conflict(version, yield* newest)
    // In force here when it returns. Other processes find it.
    yield* follower?.apply(added.version, { json: config, ruleset, warnings: [...noRoute, ...warnings] }) ?? Effect.void
    return added
  })

  const conflict = Effect.fnUntraced(function* ({ from, text }: Draft, present: RulesVersionText) {
    const { version } = present
    const changes = yield* Effect.orElseSucceed(
      diff({ name: `version ${version}`, text: present.text }, { name: "yours", text }),
      () => ""
    )
    return yield* new RulesConflict({ from, version, diff: changes })
  })

  return {
    publish: Effect.fnUntraced(function* (
      tenant: Tenant,
      { acceptNoRoute = false, from, note = null, text }: RulesPublication
    ) {
      yield* editable
      yield* checkNote(note)
      const long = tooLong(text)
      if (long !== null) return yield* long
      return yield* store(tenant, "routing.publish", { from, text, note, restores: null, acceptNoRoute })
    }),
    rollback: Effect.fnUntraced(function* (
      tenant: Tenant,
      { acceptNoRoute = false, from, note = null, to }: RulesRollback
    ) {
      yield* editable
      yield* checkNote(note)
      const { text } = yield* get(to)
      return yield* store(tenant, "routing.rollback", { from, text, note, restores: to, acceptNoRoute })
    })
  }
}

const withoutRoute = (noRoute: ReadonlyArray<RulesDiagnostic>) =>
  new RulesInvalid({
    problems: [
      {
        line: null,
        column: null,
        message:
          "rejects payments that the same rules would serve without `exclude` and `outages`. If that is meant, accept it: --accept-no-route, `acceptNoRoute`, or the box in the dashboard"
      },
      ...noRoute
    ]
  })

const checkNote = (note: string | null) =>
  note === null || (note.length <= MOST_NOTE && note.isWellFormed() && !/\p{Cc}/u.test(note))
    ? Effect.void
    : Effect.fail(requestInvalid("/note", `must be one line of at most ${MOST_NOTE} characters`))
