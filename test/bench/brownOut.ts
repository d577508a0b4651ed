/**
 * `pnpm bench brown-out`: what `best: success_rate` loses against always knowing the better provider, beside plain
 * priority, while a provider has ten bad minutes. Ends with 1 where the traffic does not go where it should in time.
 *
 * - `--seeds <n>`: how many runs of each. Default: 5.
 */
import { parseArgs } from "node:util"
import { brownOut, phases } from "../simulation/brownOut.ts"
import type { BrownOut, Minute } from "../simulation/brownOut.ts"

/** Percent of the traffic: at the secondary in the third minute, at the primary in the tenth after its recovery. */
const bounds = { away: 90, back: 80 } as const

interface Regret {
  readonly by: BrownOut["by"]
  readonly payments: number
  /** Payments that would have succeeded besides, had every one gone to the better provider. */
  readonly lost: number
  readonly away: number
  readonly back: number
}

const regretOf = async (by: BrownOut["by"], seed: number): Promise<Regret> => {
  const minutes = await brownOut({ by, seed })
  const sum = (of: (minute: Minute) => number) => minutes.reduce((total, minute) => total + of(minute), 0)
  const secondary = (minute: Minute | undefined) =>
    minute === undefined ? Number.NaN : (100 * minute.toSecondary) / minute.payments
  return {
    by,
    payments: sum(({ payments }) => payments),
    lost: sum(({ best, succeeded }) => best - succeeded),
    away: secondary(minutes[phases.before + 2]),
    back: 100 - secondary(minutes.at(-1))
  }
}

const { values } = parseArgs({ options: { seeds: { type: "string", default: "5" } } })
const found: Array<Regret> = []
for (let seed = 1; seed <= Number(values.seeds); seed++) {
  for (const by of ["success_rate", "priority"] as const) {
    const regret = await regretOf(by, seed)
    found.push(regret)
    const { away, back, lost, payments } = regret
    const percent = ((100 * lost) / payments).toFixed(2)
    console.log(
      `seed ${seed}  ${by.padEnd(12)}  ${lost.toFixed(0).padStart(5)} of ${payments} lost (${percent} %)` +
        `  to the secondary in the third minute ${away.toFixed(0)} %  back at the primary ${back.toFixed(0)} %`
    )
  }
}
const mean = (by: BrownOut["by"]) => {
  const own = found.filter((regret) => regret.by === by)
  return own.reduce((total, { lost }) => total + lost, 0) / own.length
}
console.log(`mean regret: success_rate ${mean("success_rate").toFixed(0)}, priority ${mean("priority").toFixed(0)}`)
const isMet = found.every(({ away, back, by }) => by === "priority" || (away >= bounds.away && back >= bounds.back))
if (!isMet) process.exitCode = 1
