#!/usr/bin/env node
import * as module from "node:module"
import { nodeProblem } from "./nodeVersion.ts"

const problem = nodeProblem(process.versions.node)
if (problem === null) {
  // Compiling some 700 modules is half of a start.
  module.enableCompileCache()
  await import("./runCommand.ts")
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
