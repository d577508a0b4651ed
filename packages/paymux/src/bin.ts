#!/usr/bin/env node
import * as module from "node:module"
import { nodeProblem } from "./nodeVersion.ts"

const problem = nodeProblem(process.versions.node)
if (problem === null) {
  // Without it, compiling about 700 modules takes half of the start-up time.
  module.enableCompileCache()
  await import("./runCommand.ts")
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
