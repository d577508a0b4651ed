/** `paymux reconcile`: compares the books with the statements of providers. */
import { Ids } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { differenceKinds, InstanceIds, instanceIds } from "@paymux/core/engine"
import { SandboxControl, sandboxProviders, SandboxLedger, SandboxNotifier, SqlSandboxLedger } from "@paymux/sandbox"
import { Statements } from "@paymux/sql"
import type { StatementRun } from "@paymux/sql"
import { Cell } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Option, Result } from "effect"
import { Command } from "effect/cli"
import { statSync } from "node:fs"
import { withStoredCell } from "../options/withStoredCell.ts"
import { settingsOf } from "../options/PaymuxOptions.ts"
import type { PaymuxOptions, PaymuxSettings } from "../options/PaymuxOptions.ts"
import { readStatement } from "../reconcile/readStatement.ts"
import { readStatementFile } from "../reconcile/readStatementFile.ts"
import { statementContext } from "../reconcile/statementContext.ts"
import type { CsvStatement } from "../reconcile/csv/CsvStatement.ts"
import { databaseFlag, jsonFlag, onExistingDatabase, orConfigured } from "./database.ts"
import { optionsOf } from "./doctor.ts"
import { textFlag } from "./listFlags.ts"
import { progressBar } from "./progressBar.ts"
import type { ShowProgress } from "./progressBar.ts"
import { printTable } from "./table.ts"
import { momentOf } from "./timeRange.ts"
import { userError } from "./userError.ts"

export const reconcile = Command.make(
  "reconcile",
  {
    database: databaseFlag,
    config: textFlag("config", "The module that exports your options; default ./paymux.config.ts"),
    provider: textFlag("provider", "Only this provider instance. Default: every one that has a statement"),
    since: textFlag(
      "since",
      "Where to start: a duration before now, such as 30d, or a time, such as 2026-10-01. Default: where the last run ended"
    ),
    until: textFlag("until", "Where to end, in the same format; default now"),
    file: textFlag("file", "A report of the provider in CSV, which the option statements describes"),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const options = yield* optionsOf(Option.getOrNull(flags.config))
    const configured = yield* settingsIn(options)
    const window = {
      since: yield* momentIn("--since", flags.since),
      until: yield* momentIn("--until", flags.until)
    }
    const read = Effect.gen(function* () {
      const settings = withStoredCell(configured, yield* Cell)
      const providers = yield* named(yield* providersOf(settings), flags.provider, Option.isSome(flags.file))
      const runs = yield* Option.isSome(flags.file)
        ? Effect.map(readFile(settings, providers, flags.file.value, window), (run) => [run])
        : Effect.forEach(providers, (provider) => readProvider(settings, provider, window))
      return runs
    })
    const runs = yield* onExistingDatabase(orConfigured(flags.database, options), servicesFor(configured), read)
    if (flags.json) yield* Console.log(JSON.stringify(runs, null, 2))
    else yield* printRuns(runs)
    const found = runs.flatMap(({ counts }) => Object.values(counts.differences)).reduce((sum, each) => sum + each, 0)
    if (found === 0) return
    return yield* userError(
      new Error(`${found} ${found === 1 ? "difference" : "differences"} found: see "paymux statements differences".`)
    )
  })
).pipe(
  Command.withDescription("Compare the books with the statements of providers"),
  Command.withExamples([
    { command: "paymux reconcile", description: "Every provider with a statement, from where the last run ended" },
    { command: "paymux reconcile --provider adyen --file settlement.csv", description: "A report of the provider" }
  ])
)

const servicesFor = ({ providers }: PaymuxSettings) =>
  Layer.mergeAll(
    Layer.provide(Statements.layer, Layer.succeed(InstanceIds, instanceIds(providers))),
    Ids.layer,
    SandboxControl.layer,
    SandboxNotifier.layer.pipe(Layer.provideMerge(SqlSandboxLedger.layer))
  )

/** Without a provider of its own, a configuration is that of the sandbox. */
const settingsIn = Effect.fnUntraced(function* (options: PaymuxOptions) {
  const settings = settingsOf(
    (options.providers ?? []).length > 0 ? options : { ...options, sandbox: options.sandbox || true }
  )
  return Result.isFailure(settings) ? yield* userError(settings.failure) : settings.success
})

const momentIn = (flag: string, text: Option.Option<string>) =>
  Option.isNone(text) ? Effect.succeed(null) : momentOf(flag, text.value)

const providersOf = Effect.fnUntraced(function* ({ providers, sandbox }: PaymuxSettings) {
  const simulator = {
    ledger: yield* SandboxLedger,
    notifier: yield* SandboxNotifier,
    control: yield* SandboxControl
  }
  return sandbox === null ? providers : [...providers, ...sandboxProviders(simulator, sandbox)]
})

const named = Effect.fnUntraced(function* (
  providers: ReadonlyArray<Provider>,
  provider: Option.Option<string>,
  isFile: boolean
): Effect.fn.Return<ReadonlyArray<Provider>, Error> {
  if (Option.isNone(provider)) {
    if (isFile) return yield* Effect.fail(new Error("--file needs --provider: whose report is it?"))
    const stated = providers.filter(({ capabilities }) => capabilities.statement !== undefined)
    return stated.length > 0
      ? stated
      : yield* Effect.fail(new Error("No provider of the configuration has a statement. Read a report with --file."))
  }
  const found = providers.filter(({ id }) => id === provider.value)
  return found.length > 0
    ? found
    : yield* Effect.fail(new Error(`The configuration has no provider ${provider.value}.`))
})

interface Window {
  readonly since: number | null
  readonly until: number | null
}

const readProvider = (settings: PaymuxSettings, provider: Provider, window: Window) =>
  progressBar(provider.id, (show) =>
    Effect.scoped(
      Effect.gen(function* () {
        const operations = yield* provider.make(yield* statementContext(provider, settings.cellUrl))
        const owner = (yield* Ids).engine()
        return yield* readStatement({ provider, operations }, window, owner, showRun(show))
      })
    )
  )

/** How many pages follow is unknown: the bar gets closer to its end with each. */
const showRun =
  (show: ShowProgress) =>
  ({ pages, state }: StatementRun) =>
    show(state === "complete" ? 1 : pages / (pages + 10))

const readFile = Effect.fnUntraced(function* (
  { statements }: PaymuxSettings,
  [provider]: ReadonlyArray<Provider>,
  file: string,
  { since, until }: Window
) {
  if (provider === undefined) return yield* Effect.die(new Error("A file without a provider"))
  const mapping: CsvStatement | undefined = statements[provider.id]
  if (mapping === undefined) {
    return yield* Effect.fail(
      new Error(`The configuration does not say how to read a report of ${provider.id}: add statements.${provider.id}.`)
    )
  }
  const size = yield* Effect.try({
    try: () => statSync(file).size,
    catch: () => new Error(`File not found: ${file}.`)
  })
  if ((since === null) !== (until === null)) {
    return yield* Effect.fail(
      new Error("Give --since and --until together: they state that the file has all of this time.")
    )
  }
  const window = since === null || until === null ? null : { since, until }
  const owner = (yield* Ids).engine()
  return yield* progressBar(provider.id, (show) =>
    readStatementFile(provider, { file, mapping, window }, owner, (_, bytes) => show(bytes / size))
  )
})

const printRuns = (runs: ReadonlyArray<StatementRun>) =>
  Effect.gen(function* () {
    yield* printTable(
      ["provider", "from", "until", "matched", "differ", "foreign", "fees, payouts", "seen before"],
      runs.map(({ counts, provider, since, until }) => [
        provider,
        since === until ? "" : iso(since),
        since === until ? "" : iso(until),
        ...[counts.matched, counts.differs, counts.foreign, counts.account, counts.repeated].map(String)
      ])
    )
    const rows = runs.flatMap(({ counts, provider }) =>
      differenceKinds.flatMap((kind) => {
        const count = counts.differences[kind]
        return count === undefined ? [] : [[provider, kind, String(count)]]
      })
    )
    if (rows.length > 0) yield* printTable(["provider", "difference", "count"], rows)
  })
