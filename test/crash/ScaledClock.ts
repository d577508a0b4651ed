/**
 * A clock that runs faster than the machine's, over restarts: with it an inquiry that is due in five minutes is due in
 * fifteen seconds. It can be set forward or back, as an operator or a broken time server would.
 */
import { Clock, Duration, Effect, Layer } from "effect"

/** At `real` (ms UTC of the machine) it was `virtual`; from then on it runs `rate` times as fast. */
export interface ClockSetting {
  readonly virtual: number
  readonly real: number
  readonly rate: number
}

export const realTime: ClockSetting = { virtual: 0, real: 0, rate: 1 }

/** ms UTC of the clock so set. */
export const timeOf = ({ rate, real, virtual }: ClockSetting, now = Date.now()): number => virtual + (now - real) * rate

/** The same clock, from now on at another rate. */
export const atRate = (setting: ClockSetting, rate: number, now = Date.now()): ClockSetting => ({
  virtual: timeOf(setting, now),
  real: now,
  rate
})

export interface ScaledClock {
  readonly clock: Clock.Clock
  /** Sets it forward, or back, by so many ms. Those who sleep are not woken: a timer does not read the time of day. */
  readonly step: (ms: number) => void
}

export const makeScaledClock = (setting: ClockSetting): ScaledClock => {
  let stepped = 0
  const millis = () => Math.floor(timeOf(setting) + stepped)
  const monotonic = () => BigInt(Math.floor(performance.now() * setting.rate * 1_000_000))
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    step: (ms) => {
      stepped += ms
    },
    clock: {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => realSleep(Duration.toMillis(duration) / setting.rate)
    }
  }
}

export const layer = ({ clock }: ScaledClock): Layer.Layer<never> => Layer.succeed(Clock.Clock, clock)

const LONGEST = 2 ** 31 - 1

const realSleep = (ms: number): Effect.Effect<void> => {
  if (!Number.isFinite(ms)) return Effect.never
  return Effect.callback((resume) => {
    const timer = setTimeout(() => resume(ms > LONGEST ? realSleep(ms - LONGEST) : Effect.void), Math.min(ms, LONGEST))
    return Effect.sync(() => clearTimeout(timer))
  })
}
