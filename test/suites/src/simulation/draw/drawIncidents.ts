/** Draws what happens around the payments: kills, clocks, databases, outages. */
import type { Incident, VendorPlan } from "../Plan.ts"
import { points } from "../Plan.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { MINUTE, SECOND } from "./times.ts"

/** @param lasts ms for which clients begin payments */
export const drawIncidents = (
  random: SeededRandom,
  vendors: ReadonlyArray<VendorPlan>,
  payments: number,
  lasts: number,
  profile: FaultProfile
): ReadonlyArray<Incident> => {
  const at = () => random.between(0, lasts)
  const vendor = () => random.pick(["p0", "p1", ...vendors.map(({ id }) => id)])
  const most = 5 + Math.floor(payments / 50)
  const crashes = random.several(most, (): Incident => ({
    kind: "crash",
    n: random.between(0, payments - 1),
    point: random.pick(points),
    downFor: random.between(100, 3 * SECOND)
  }))
  const lost = random.several(most, (): Incident => ({
    kind: "reply_lost",
    n: random.between(0, payments - 1),
    call: random.pick(["begin", "advance", "advance", "keepAnswer"])
  }))
  const others = random.several(5, (): Incident =>
    random.pick<Incident>([
      { kind: "kill", at: at(), downFor: random.between(100, 10 * SECOND) },
      { kind: "restart", at: at() },
      { kind: "stall", at: at(), lasts: random.between(SECOND, 2 * MINUTE) },
      { kind: "clock", at: at(), by: random.pick([-10 * MINUTE, 10 * MINUTE]) },
      { kind: "store_away", at: at(), lasts: random.between(100, 30 * SECOND) },
      { kind: "store_slow", at: at(), lasts: random.between(SECOND, 30 * SECOND), by: random.between(10, 3000) },
      {
        kind: "outage",
        provider: vendor(),
        at: at(),
        lasts: random.between(5 * SECOND, 2 * MINUTE),
        answer: random.pick(["not_sent", "none", "server_error", "unauthorized"])
      },
      { kind: "brown_out", provider: vendor(), at: at(), lasts: random.between(10 * SECOND, 2 * MINUTE) }
    ])
  )
  const isRolledBack = profile === "everything" && random.chance(10)
  const rollback: ReadonlyArray<Incident> = isRolledBack
    ? [{ kind: "rollback", at: random.between(Math.floor(lasts / 2), lasts), loses: random.between(100, 3 * SECOND) }]
    : []
  return [...crashes, ...lost, ...others, ...rollback]
}
