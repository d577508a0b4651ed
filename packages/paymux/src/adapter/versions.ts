/** What a made package asks for: what this repository itself is built and tested with. A test keeps them equal. */
import { version } from "../version.ts"

/** All packages of Paymux are released together, under one version. */
export const paymuxRange = `^${version}`

export const effectRange = "^4.1.0"

export const nodeRange = ">=22.19"

export const toolVersions = {
  "@effect/vitest": "4.0.5",
  "@types/node": "26.6.6",
  effect: "4.1.0",
  tsup: "9.0.0",
  typescript: "7.0.2",
  vitest: "5.1.1"
} as const
