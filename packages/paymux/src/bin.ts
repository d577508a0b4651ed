#!/usr/bin/env node
import { nodeProblem } from "./nodeVersion.ts"

const problem = nodeProblem(process.versions.node)
if (problem === null) {
  await import("./runCommand.ts")
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
