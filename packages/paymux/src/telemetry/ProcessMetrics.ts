/** What is measured of the process itself, under the names that Prometheus clients of every language use. */
import { MetricFamily } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { Clock, Effect } from "effect"
import type { Context } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { version } from "../version.ts"

const build = MetricFamily.gauge("paymux_build_info", "1, with the running version.", ["version"])
const loopDelay = MetricFamily.gauge(
  "paymux_event_loop_delay_seconds",
  "Delay of the event loop since the last read.",
  ["quantile"]
)
const memory = MetricFamily.gauge("process_resident_memory_bytes", "Resident memory of the process.", [])
const cpu = MetricFamily.gauge("process_cpu_seconds_total", "CPU time of the process, user and system.", [])
const started = MetricFamily.gauge(
  "process_start_time_seconds",
  "Start time of the process, in seconds since 1970.",
  []
)

export const processMetricDescriptions: ReadonlyArray<MetricDescription> = [
  build,
  loopDelay,
  memory,
  { ...cpu, type: "counter" },
  started
]

/** Watches the event loop as long as the scope lives; the effect that it answers writes everything down. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  ),
  (histogram) => (context: Context.Context<never>) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const set = (series: ReturnType<typeof memory.of>, value: number) => series.updateUnsafe(value, context)
      const late = (ns: number) => Math.max(0, ns / 1e9 - RESOLUTION_MS / 1000)
      set(build.of(version), 1)
      set(loopDelay.of("0.5"), histogram.count === 0 ? 0 : late(histogram.percentile(50)))
      set(loopDelay.of("0.99"), histogram.count === 0 ? 0 : late(histogram.percentile(99)))
      set(loopDelay.of("1"), histogram.count === 0 ? 0 : late(histogram.max))
      histogram.reset()
      const { system, user } = process.cpuUsage()
      set(cpu.of(), (user + system) / 1e6)
      set(memory.of(), process.memoryUsage.rss())
      set(started.of(), now / 1000 - process.uptime())
    })
)

/** The histogram has the interval between two looks in it: what is beyond that is lateness. */
const RESOLUTION_MS = 10
