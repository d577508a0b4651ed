/** Reports a mutation run: progress and survivors while it runs, the result at its end. */
import { readFileSync } from "node:fs"
import type { MutantResult, schema, StrykerOptions } from "@stryker-mutator/api/core"
import { commonTokens, tokens } from "@stryker-mutator/api/plugin"
import type { MutationTestingPlanReadyEvent, Reporter } from "@stryker-mutator/api/report"
import { diffOf, mutantId, pathOf, survivorKey } from "./mutantId.ts"
import { isOutside, percentage, tally } from "./tally.ts"
import type { Tally } from "./tally.ts"
import { settingsOf } from "./RunSettings.ts"
import type { RunSettings } from "./RunSettings.ts"
import { knownSurvivors } from "./survivors.ts"

export class Progress implements Reporter {
  static readonly inject = tokens(commonTokens.options)
  readonly #settings: RunSettings
  readonly #started = performance.now()
  /** `null`: not known, as `--only` names the start of ids. */
  #total: number | null = 0
  #done = 0
  #survived = 0

  constructor(options: StrykerOptions) {
    this.#settings = settingsOf(options)
  }

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    const { mutants, only, seed } = this.#settings
    this.#total = only.length > 0 ? null : Math.min(mutantPlans.length, mutants)
    const drawn = this.#total === null ? `those of --only run` : `${this.#total} drawn by seed ${seed}`
    process.stderr.write(`${mutantPlans.length} mutants, ${drawn}\n`)
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
    const result = tally(report)
    const percent = percentage(result)
    say(summary(result, percent, (performance.now() - this.#started) / 1000))
    if (percent < this.#settings.least) {
      say(`Below the limit of ${this.#settings.least} % (--least).`)
      process.exitCode = 1
    }
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
  return `\nSurvived${ran}: ${mutantId(mutant)}\n${diffOf(source, mutant)}\n${why}`
}

const summary = (result: Tally, percent: number, seconds: number): string => {
  const { breaks, drawn, simulation, survived, tests, timeouts, types, uncovered } = result
  const compiling = drawn - types
  return [
    `\n${drawn} mutants in ${(seconds / 60).toFixed(1)} minutes. TypeScript rejects ${types}; ${compiling} compile.`,
    `Caught ${compiling - survived - uncovered} of ${compiling} (${percent.toFixed(1)} %): ${tests} by tests, ${simulation} by the simulation alone,`,
    `${timeouts} by timeout, ${breaks} by an error outside a test.`,
    `Survived: ${survived + uncovered}, of which ${uncovered} on lines that no test runs.`
  ].join("\n")
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
