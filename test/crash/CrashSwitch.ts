/**
 * Ends this process at a named point, the nth time it is passed, as the machine would: nothing can catch it. Or stops it
 * there, as a machine without power would: it continues at SIGCONT, and has not noticed.
 */
import { Effect } from "effect"
import type { CrashPoint } from "./CrashPoints.ts"

export interface Armed {
  readonly point: CrashPoint
  /** 1: the next time. */
  readonly passing: number
  readonly by: "SIGKILL" | "SIGSTOP"
}

/** Sent just before. */
interface Stopped {
  readonly stopped: CrashPoint
}

export interface CrashSwitch {
  readonly arm: (armed: Armed | null) => void
  /** Dies here, if this is the point and the time. */
  readonly at: (point: CrashPoint) => Effect.Effect<void>
  /** The same, outside of an Effect. */
  readonly pass: (point: CrashPoint) => void
  /** Counts a passing, and returns whether another process is to end this one now. */
  readonly isNow: (point: CrashPoint) => boolean
}

export const makeCrashSwitch = (): CrashSwitch => {
  let left: { readonly point: CrashPoint; readonly by: Armed["by"]; passings: number } | null = null
  const isNow = (point: CrashPoint): boolean => left !== null && left.point === point && --left.passings === 0
  const pass = (point: CrashPoint) => {
    if (left === null || !isNow(point)) return
    if (left.by === "SIGSTOP") process.send?.({ stopped: point } satisfies Stopped)
    process.kill(process.pid, left.by)
  }
  return {
    arm: (armed) => {
      left = armed === null ? null : { ...armed, passings: armed.passing }
    },
    at: (point) => Effect.sync(() => pass(point)),
    pass,
    isNow
  }
}
