/** Reports a mutation run: progress and survivors while it runs, the result at its end. */
import { readFileSync } from "node:fs"
import type { MutantResult, schema, StrykerOptions } from "@stryker-mutator/api/core"
import { commonTokens, tokens } from "@stryker-mutator/api/plugin"
import type { Reporter } from "@stryker-mutator/api/report"
import { diffOf, mutantId, pathOf, survivorKey } from "./mutantId.ts"
import { mutatedPackage } from "./packages.ts"
import { comparison, percentage, recordedRates, recordRate, rounded } from "./rates.ts"
import type { Rate } from "./rates.ts"
import { assertOthersRun, caught, compiling, isOutside, tally } from "./tally.ts"
import type { Tally } from "./tally.ts"
import { settingsOf } from "./RunSettings.ts"
import type { RunSettings } from "./RunSettings.ts"
import { knownSurvivors } from "./survivors.ts"

export class Progress implements Reporter {
  static readonly inject = tokens(commonTokens.options)
  readonly #settings: RunSettings
  readonly #started = performance.now()
  /** `null`: not known, as `--only` names the start of ids. */
  readonly #total: number | null
  #done = 0
  #survived = 0

  constructor(options: StrykerOptions) {
    this.#settings = settingsOf(options)
    this.#total = this.#settings.only.length > 0 ? null : this.#settings.mutants
  }

  onMutationTestingPlanReady(): void {
    const { only, package: name, mutants, seed } = this.#settings
    const what = only.length > 0 ? "those of --only" : `${mutants} drawn by seed ${seed}`
    process.stderr.write(`Mutants of ${name}: ${what}\n`)
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    if (isOutside(result)) return
    this.#done++
    if (isSurvivor(result)) {
      this.#survived++
      say(`${process.stderr.isTTY ? "\r\u001b[K" : ""}${describe(result)}`)
    }
    this.#showProgress()
  }

  onMutationTestReportReady(report: Readonly<schema.MutationTestResult>): void {
    const { only, package: name } = this.#settings
    const result = tally(name, report)
    say(summary(result, (performance.now() - this.#started) / 1000))
    if (only.length > 0) return
    assertOthersRun(name, mutatedPackage(name).tests, report)
    this.#judge({
      seed: this.#settings.seed,
      mutants: this.#settings.mutants,
      compiling: compiling(result),
      caught: caught(result)
    })
  }

  #judge(run: Rate): void {
    const { package: name, ratesFile, record } = this.#settings
    if (record !== null) return recordRate(ratesFile, name, { ...run, rate: rounded(percentage(run)), ...record })
    const { isBelow, text } = comparison(recordedRates(ratesFile)[name], run)
    say(text)
    if (isBelow) process.exitCode = 1
  }

  /** A bar on a terminal; otherwise a line for each twentieth. */
  #showProgress(): void {
    const total = this.#total ?? this.#done
    const minutes = ((performance.now() - this.#started) / 60_000).toFixed(1)
    const text = `${this.#done}/${this.#total ?? "?"} mutants, ${this.#survived} survived, ${minutes} min`
    if (process.stderr.isTTY) {
      const bar = "█".repeat(Math.round((this.#done / total) * 30)).padEnd(30, "░")
      process.stderr.write(`\r${bar} ${text}\u001b[K`)
    } else if (this.#done % Math.max(1, Math.round(total / 20)) === 0) process.stderr.write(`${text}\n`)
  }
}

const isSurvivor = ({ status }: Pick<MutantResult, "status">): boolean =>
  status === "Survived" || status === "NoCoverage"

const describe = (mutant: Readonly<MutantResult>): string => {
  const source = readFileSync(pathOf(mutant), "utf8")
  const key = survivorKey(source, mutant)
  const ran = mutant.status === "NoCoverage" ? ", no test runs this line" : ""
  const reason = knownSurvivors[key]
  const why = reason === undefined ? `Key: ${key}` : `Known: ${reason}`
  return `\nSurvived${ran}: ${mutantId(mutant)}\n${diffOf(source, mutant)}\n${why}\nAgain: ${commandOf(mutant)}`
}

const commandOf = (mutant: Readonly<MutantResult>): string =>
  `npx -y pnpm@12 mutants --only '${mutantId(mutant).replaceAll("'", `'\\''`)}'`

const summary = (result: Tally, seconds: number): string => {
  const { breaks, drawn, others, own, survived, timeouts, types, uncovered } = result
  const rate = rounded(percentage({ caught: caught(result), compiling: compiling(result) }))
  return [
    `\n${drawn} mutants in ${(seconds / 60).toFixed(1)} minutes. TypeScript rejects ${types}; ${compiling(result)} compile.`,
    `Caught ${caught(result)} of ${compiling(result)} (${rate} %): ${own} by the package's tests, ${others} by other tests alone,`,
    `${timeouts} by timeout, ${breaks} by an error outside a test.`,
    `Survived: ${survived + uncovered}, of which ${uncovered} on lines that no test runs.`
  ].join("\n")
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
