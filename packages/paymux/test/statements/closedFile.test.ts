/** A report that is not read to its end: its file is closed, whatever has ended the run. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import { Effect, Exit, Layer, Logger } from "effect"
import { readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { instantProvider } from "../../../../test/bench/InstantProvider.ts"
import { databaseLayer } from "../../src/Database.ts"
import { readStatementFile } from "../../src/reconcile/readStatementFile.ts"
import { csvConfig } from "./csvConfig.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = realpathSync(temporaryFolder())
const mapping = {
  ...csvConfig.statements.sandbox_card_a,
  types: { sale: "payment" },
  dates: { format: "iso" },
  amounts: { unit: "minor" }
} as const
let files = 0

/** Longer than a stream reads ahead, so that it is open after the first page. */
const lines = 20_000

const writeReport = (faultAt = Infinity): string => {
  const file = join(folder, `report-${++files}.csv`)
  const rows = Array.from(
    { length: lines },
    (_, n) => `m${n},${n === faultAt ? "sail" : "sale"},500,EUR,2026-01-01T00:00:00Z,order-${n}`
  )
  writeFileSync(file, ["id,type,amount,currency,date,op", ...rows].join("\n"))
  return file
}

const descriptors = "/proc/self/fd"

/** How often this process has the file open. */
const timesOpen = (file: string): number =>
  readdirSync(descriptors).filter((descriptor) => targetOf(descriptor) === file).length

/** `null`: it was closed since it was listed. */
const targetOf = (descriptor: string): string | null => {
  try {
    return readlinkSync(join(descriptors, descriptor))
  } catch {
    return null
  }
}

/** A stream closes its file after it was ended. */
const timesOpenAtLast = async (file: string): Promise<number> => {
  for (let tries = 0; tries < 200 && timesOpen(file) > 0; tries++) await setTimeout(10)
  return timesOpen(file)
}

const layer = Statements.layer.pipe(
  Layer.provideMerge(databaseLayer({ _tag: "Sqlite", filename: ":memory:" })),
  Layer.merge(Logger.layer([]))
)

/** What happens to the run after its first page. */
type Disturb = (run: { readonly id: number; readonly livemode: boolean }) => Effect.Effect<unknown, unknown, Services>
type Services = Statements | PaymentStore

const disturbed = Effect.fnUntraced(function* (file: string, disturb: Disturb) {
  const services = yield* Effect.context<Services>()
  const open: Array<number> = []
  const show: Parameters<typeof readStatementFile>[3] = (run) =>
    Effect.suspend(() => {
      open.push(timesOpen(file))
      return run.pages === 1 ? Effect.asVoid(Effect.orDie(Effect.provideContext(disturb(run), services))) : Effect.void
    })
  const exit = yield* Effect.exit(readStatementFile(instantProvider, { file, mapping, window: null }, "test", show))
  return { exit, open, after: yield* Effect.promise(() => timesOpenAtLast(file)) }
})

const lease = `statement:${instantProvider.id}`

const cases: { readonly [what: string]: Disturb } = {
  "was canceled": (run) => Statements.use((statements) => statements.stop(run, "canceled", null)),
  "is refused, as another process reads the provider": () =>
    PaymentStore.use(({ leases, now }) =>
      Effect.gen(function* () {
        yield* leases.release(lease, "test")
        const time = yield* now
        assert.isNotNull(yield* leases.hold(lease, { owner: "another", now: time, until: time + 60_000 }))
      })
    ),
  "is interrupted": () => Effect.interrupt,
  "ends with a defect": () => Effect.die("a defect")
}

describe("the file of a report", () => {
  for (const [what, disturb] of Object.entries(cases)) {
    it.live.skipIf(process.platform !== "linux")(`is closed if the run ${what} (needs ${descriptors})`, () =>
      Effect.gen(function* () {
        const { after, exit, open } = yield* disturbed(writeReport(), disturb)
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual({ open, after }, { open: [1], after: 0 })
      }).pipe(Effect.provide(layer, { local: true }))
    )
  }

  it.live.skipIf(process.platform !== "linux")(`is closed after a line that is refused (needs ${descriptors})`, () =>
    Effect.gen(function* () {
      const { after, exit, open } = yield* disturbed(writeReport(1500), () => Effect.void)
      assert.include(String(exit), "Line 1502 has the unknown type")
      assert.deepStrictEqual({ open, after }, { open: [1, 1], after: 0 })
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live.skipIf(process.platform !== "linux")(`is closed at its end (needs ${descriptors})`, () =>
    Effect.gen(function* () {
      const { after, exit } = yield* disturbed(writeReport(), () => Effect.void)
      assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(after, 0)
    }).pipe(Effect.provide(layer, { local: true }))
  )
})
