/**
 * Draws the mutants to run, as a Stryker checker: Stryker shows a checker every mutant before it is run. Of those that are
 * drawn, TypeScript judges first.
 *
 * The order of the draw is the order of digests of the seed and the id, so a change in one file leaves the draw of the
 * other files nearly as it was.
 */
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import type { Mutant, StrykerOptions } from "@stryker-mutator/api/core"
import { CheckStatus } from "@stryker-mutator/api/check"
import type { Checker, CheckResult } from "@stryker-mutator/api/check"
import { commonTokens, tokens } from "@stryker-mutator/api/plugin"
import { countedFromOne, mutantId } from "./mutantId.ts"
import { settingsOf } from "./RunSettings.ts"
import type { RunSettings } from "./RunSettings.ts"
import { typeErrors } from "./typeErrors.ts"

/** Why a mutant is not run. Stryker reports both as `CompileError`. */
export const reasons = { notDrawn: "not drawn", types: "rejected by TypeScript" } as const

export class Draw implements Checker {
  static readonly inject = tokens(commonTokens.options)
  readonly #settings: RunSettings

  constructor(options: StrykerOptions) {
    this.#settings = settingsOf(options)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  /** Stryker passes all mutants at once, before it has any of them checked. */
  async group(mutants: Array<Mutant>): Promise<Array<Array<string>>> {
    const chosen = drawn(mutants.map(countedFromOne), this.#settings)
    const rejected = typeErrors(chosen)
    const results = chosen.map(({ id }) => [id, rejected.has(id) ? failed(reasons.types) : passed] as const)
    await writeFile(this.#settings.drawFile, JSON.stringify(Object.fromEntries(results)))
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: Array<Mutant>): Promise<Record<string, CheckResult>> {
    // The file is our own, written by `group`.
    const results = JSON.parse(await readFile(this.#settings.drawFile, "utf8")) as {
      readonly [id: string]: CheckResult
    }
    return Object.fromEntries(mutants.map(({ id }) => [id, results[id] ?? failed(reasons.notDrawn)]))
  }
}

const passed: CheckResult = { status: CheckStatus.Passed }
const failed = (reason: string): CheckResult => ({ status: CheckStatus.CompileError, reason })

const drawn = (mutants: ReadonlyArray<Mutant>, { mutants: count, only, seed }: RunSettings): ReadonlyArray<Mutant> => {
  if (only.length > 0) return mutants.filter((mutant) => only.some((start) => mutantId(mutant).startsWith(start)))
  const rank = (mutant: Mutant) =>
    createHash("sha256")
      .update(`${seed} ${mutantId(mutant)}`)
      .digest("hex")
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
