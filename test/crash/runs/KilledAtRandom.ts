/** Several engines on one PostgreSQL, one of them killed at any moment, for a while. */
import type { EngineHost } from "../EngineHost.ts"
import { mulberry32 } from "../Random.ts"
import { pause, withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export const killedAtRandom = (options: {
  readonly database: string
  readonly engines: number
  /** ms */
  readonly duration: number
  readonly seed: number
}): Promise<HarnessReport> => {
  const { database, duration, engines, seed } = options
  const random = mulberry32(seed)
  const anyOf = (hosts: ReadonlyArray<EngineHost>) => hosts[Math.floor(random() * hosts.length)]
  return withHarness({ name: `random-${seed}`, database, engines }, async (harness) => {
    const until = Date.now() + duration
    while (Date.now() < until) {
      await pause(200 + random() * 800)
      await anyOf(harness.engines)?.restart("SIGKILL")
    }
  })
}
