#!/usr/bin/env node
import { existsSync } from "node:fs"
import * as module from "node:module"
import { fileURLToPath } from "node:url"
import { mayBeConfigured } from "./configurationFile.ts"
import { nodeProblem } from "./nodeVersion.ts"

/** The same command with all that it imports, in few files. The sources have none. */
const standalone = new URL("./standalone/runCommand.js", import.meta.url)

const problem = nodeProblem(process.versions.node)
if (problem === null) {
  // Without it, compiling takes half of the start-up time.
  module.enableCompileCache()
  // A configuration imports the packages: with the standalone command there would be two of each in the process.
  const isStandalone = !mayBeConfigured(process.argv.slice(2)) && existsSync(fileURLToPath(standalone))
  await (isStandalone ? import(standalone.href) : import("./runCommand.ts"))
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
