/** Loaded before a command: when it ends, what it used is written to the file that `USAGE_FILE` names. */
import { writeFileSync } from "node:fs"
import { performance } from "node:perf_hooks"

const file = process.env.USAGE_FILE
if (file !== undefined) {
  process.once("exit", () => {
    const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
    const usage = { wallMs: performance.now(), cpuMs: (systemCPUTime + userCPUTime) / 1000, maxRssKb: maxRSS }
    writeFileSync(file, JSON.stringify(usage))
  })
}
