/** A reader that follows the events while others write. `test/long/events.test.ts` reads 10,000. */
import { assert, describe, it } from "@effect/vitest"
import { emptyDatabases } from "../../packages/paymux/test/emptyDatabases.ts"
import { followWhileWriting } from "./followWhileWriting.ts"

const databases = await emptyDatabases()

describe("a reader of events that is killed while eight writers commit", () => {
  it.each(["postgres", "sqlite"] as const)("reads each once, in the order of its payment, on %s", async (database) => {
    const plan = { database: databases[database], events: 400, kills: 3, file: `${databases.folder}/${database}.txt` }
    assert.deepStrictEqual(await followWhileWriting(plan), [])
  })
})
