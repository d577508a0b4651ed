/**
 * `pnpm demo`: installs what the demo needs, and starts it. JavaScript, since the machine's Node may be 18, which runs no
 * TypeScript. Other scripts install the whole workspace first; this one leaves out whatever builds and tests it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

const main = async () => {
  const isNew = runsSources(process.versions.node)
  const own = manifest.devDependencies.node
  const stop = showWait(
    isNew ? "Installing packages" : `Installing packages, and Node ${own} because this is ${process.versions.node}`
  )
  const [node] = await Promise.all([isNew ? process.execPath : pathOfNode(own), installed()]).finally(stop)
  start(node)
}

/** Types and SQLite without a flag. */
const runsSources = (version) => {
  const [major, minor] = version.split(".").map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** Installs a Node. Not the package `node`: that installs itself with npm, and is stored more than once. */
const pathOfNode = async (version) => {
  const platform = process.platform === "win32" ? "win" : process.platform
  const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"
  const name = `${prefix}-${platform}-${process.arch}@${version}`
  return (await pnpm(`--package=${name}`, "dlx", "node", "--print", "process.execPath")).trim()
}

/** The dependencies of the root, and theirs. If the whole workspace is installed, it stays so. */
const installed = () =>
  existsSync(new URL("../node_modules/vitest", import.meta.url))
    ? pnpm("install")
    : // Without scripts: `prepare` builds the dashboard.
      pnpm("--filter-prod", `${manifest.name}...`, "install", "--prod", "--frozen-lockfile", "--ignore-scripts")

/** The standard output of a pnpm command. */
const pnpm = async (...args) => {
  const running = spawn("pnpm", args, { cwd: root, shell: process.platform === "win32" })
  const closed = once(running, "close")
  const [out, err, [code]] = await Promise.all([text(running.stdout), text(running.stderr), closed])
  if (code !== 0) throw new Error(`pnpm ${args.join(" ")} failed with exit code ${code}.\n${out}${err}`)
  return out
}

const start = (node) => {
  // Node 22 and 24 warn of `node:sqlite`, and Node 22 of types.
  const flags = ["--disable-warning=ExperimentalWarning"]
  const demo = spawn(node, [...flags, "packages/paymux/demo/demo.ts", ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit"
  })
  // A terminal sends Ctrl+C to the demo, too, which then closes what it has open.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => demo.kill("SIGTERM"))
  demo.on("close", (code) => {
    process.exitCode = code ?? 1
  })
}

/** One line; on a terminal with the seconds, and removed at the end. */
const showWait = (what) => {
  if (!process.stderr.isTTY) {
    console.log(`${what} …`)
    return () => {}
  }
  const started = Date.now()
  const draw = () => process.stderr.write(`\r${what} … ${Math.round((Date.now() - started) / 1000)} s`)
  draw()
  const timer = setInterval(draw, 1000)
  return () => {
    clearInterval(timer)
    process.stderr.write("\r\u001B[K")
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
