/** Writes the declarations of every package beside its code, in the order in which the packages refer to each other. */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const projects = globSync(["packages/*/tsconfig.build.json", "packages/adapters/*/tsconfig.build.json"], { cwd: root })
const { error, status } = spawnSync("tsc", ["--build", "--force", ...projects.sort()], { cwd: root, stdio: "inherit" })
if (error !== undefined) console.error(error.message)
process.exitCode = status ?? 1
