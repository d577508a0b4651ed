import { TestClock } from "effect/testing"
import { breakerConformance } from "../src/breakerConformance.ts"
import * as ClockBreaker from "../src/ClockBreaker.ts"

breakerConformance(
  "ClockBreaker",
  () => ClockBreaker.layer(),
  (ms) => TestClock.adjust(ms)
)
