/** Commits that are lost with the database, and repeated requests: covered ones charge once, all others are found. */
import { assert, describe, it } from "@effect/vitest"
import { amount } from "../support/amount.ts"
import { loseCommits } from "./loseCommits.ts"
import { drawLossPlan } from "./LossPlan.ts"
import type { Variation } from "./LossRun.ts"

/** Of each bug, how many losses may pass until it is noticed. */
const NOTICED_WITHIN = 150

const withOrigin = (part: string): Variation => ({
  ids: (ids, random) => ({
    ...ids,
    operation: (origin) => (origin?.[0] === part ? random : ids).operation(origin)
  })
})

interface PlantedBug {
  readonly name: string
  readonly ending: "second_charge" | "unexplained"
  readonly variation: Variation
  /** Of the first run. */
  readonly seed: number
}

const bug = (name: string, ending: PlantedBug["ending"], variation: Variation, seed = 1): PlantedBug => ({
  name,
  ending,
  variation,
  seed
})

/** The restored database is marked, and the rules and the availability of a vendor have changed. */
const MARKED = 33

/** The secret of the installation is replaced before the loss. */
const ROTATED = 5

const bugs: ReadonlyArray<PlantedBug> = [
  bug("draws the names of operations", "second_charge", { ids: (ids, { operation }) => ({ ...ids, operation }) }),
  bug("draws idempotency keys", "second_charge", {
    ids: (ids, random) => ({
      ...ids,
      operation: (origin) => ({ ...ids.operation(origin), key: random.operation(null).key })
    })
  }),
  bug("routes by drawn ids", "second_charge", { ids: (ids, { payment }) => ({ ...ids, payment }) }),
  bug("draws the names of creates", "second_charge", withOrigin("create")),
  bug("draws the names of captures and refunds", "second_charge", withOrigin("requested")),
  bug("derives names from the new secret after a rotation", "second_charge", { hasNamesOfNewSecret: true }, ROTATED),
  bug("does not know that its database went back", "second_charge", { isMarkIgnored: true }, MARKED),
  bug("ignores the statements of providers", "unexplained", { isStatementIgnored: true })
]

describe("commits that are lost", () => {
  it("are charged once where the request is repeated, and else found", async () => {
    const wanted = amount({ part: 160, all: 400 })
    const { endings, faults, kinds, losses } = await loseCommits(1, wanted)
    assert.deepStrictEqual(faults, [])
    assert.isAbove(losses, wanted)
    assert.isAbove(endings["covered, once"] ?? 0, wanted / 4)
    assert.includeMembers(Object.keys(kinds), ["create", "failover", "capture", "refund", "automatic"])
  })

  it("are looked up where the database is marked as restored, and the repeated request takes another way", async () => {
    const { endings, faults } = await loseCommits(MARKED, 1)
    assert.deepStrictEqual(faults, [])
    assert.isAbove(endings["rules, once"] ?? 0, 0)
  })

  it("are charged once although the secret was replaced, and the database went back to before that", async () => {
    assert.isTrue(drawLossPlan(ROTATED).rotates)
    const { endings, faults } = await loseCommits(ROTATED, 1)
    assert.deepStrictEqual(faults, [])
    assert.isAbove(endings["covered, once"] ?? 0, 0)
  })

  it("a run is the same for the same seed", async () => {
    assert.deepStrictEqual(await loseCommits(3, 1), await loseCommits(3, 1))
  })
})

describe("the judge of losses notices an engine that", () => {
  for (const { ending, name, seed, variation } of bugs) {
    it(`${name}, within ${NOTICED_WITHIN} lost commits`, async () => {
      const { faults } = await loseCommits(seed, NOTICED_WITHIN, variation, ending)
      assert.include(
        faults.map((fault) => fault.ending),
        ending
      )
    })
  }
})
