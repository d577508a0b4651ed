/**
 * Selects the mutants to run, as a Stryker checker: Stryker shows a checker every mutant before it is run. Of those that
 * are drawn, TypeScript judges first.
 */
import { readFile, writeFile } from "node:fs/promises"
import type { Mutant, StrykerOptions } from "@stryker-mutator/api/core"
import { CheckStatus } from "@stryker-mutator/api/check"
import type { Checker, CheckResult } from "@stryker-mutator/api/check"
import { commonTokens, tokens } from "@stryker-mutator/api/plugin"
import { oneOf } from "./drawnPlaces.ts"
import { countedFromOne, mutantId, pathOf } from "./mutantId.ts"
import { placeId } from "./places.ts"
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
    const chosen = selected(mutants.map(countedFromOne), this.#settings)
    const rejected = typeErrors(this.#settings.package, chosen)
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

/** One mutant of each place, in the order of the draw. Places whose mutants Stryker leaves out are passed over. */
const selected = (mutants: ReadonlyArray<Mutant>, settings: RunSettings): ReadonlyArray<Mutant> => {
  const { mutants: count, only, places, seed } = settings
  if (only.length > 0) return mutants.filter((mutant) => only.some((start) => mutantId(mutant).startsWith(start)))
  const byPlace = Map.groupBy(mutants, (mutant) => placeId({ path: pathOf(mutant), location: mutant.location }))
  return places.flatMap((place) => oneOf(byPlace.get(placeId(place)) ?? [], place, seed, kindOf) ?? []).slice(0, count)
}

const kindOf = ({ mutatorName, replacement }: Mutant): string => `${mutatorName} ${replacement}`
