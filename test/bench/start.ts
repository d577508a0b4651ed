/**
 * How soon a packed `paymux serve --sandbox` is ready on a new SQLite file, and how much memory it needs when idle, in
 * turns with a server of `node:http` alone. Needs `pnpm build` first.
 *
 * - `--starts <n>`: of each. Default: 10. One before them, which fills the compile cache, is not counted.
 * - `--idle <seconds>`: before the memory is read. Default: 10.
 * - `--node <file>`: the Node to start. Default: the one that runs this.
 *
 * Ready: from the start of the process to the first `200` of `/healthz`. CPU: of the process until then.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { median } from "./Rounds.ts"
import { freePort } from "../support/freePort.ts"

const root = resolve(import.meta.dirname, "../..")
const { values } = parseArgs({
  options: {
    starts: { type: "string", default: "10" },
    idle: { type: "string", default: "10" },
    node: { type: "string", default: process.execPath }
  }
})

interface Start {
  /** ms */
  readonly ready: number
  /** ms of CPU until it was ready, user and system */
  readonly cpu: number
  /** MB */
  readonly memory: number
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
}

/** Installs the packed packages in a folder outside of the workspace, as npm would lay them out. */
const install = (folder: string): void => {
  const tarballs: { [name: string]: string } = {}
  for (const file of globSync("packages/{,adapters/}*/package.json", { cwd: root })) {
    // Boundary: a manifest of this workspace.
    const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest
    if (manifest.private === true) continue
    const tarball = `${manifest.name.replace("/", "-")}.tgz`
    run("pnpm", ["pack", "--out", join(folder, tarball)], join(root, dirname(file)))
    tarballs[manifest.name] = `file:./${tarball}`
  }
  const effect: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.effect
  const dependencies = { paymux: tarballs["paymux"], effect }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "start", private: true, dependencies }))
  writeFileSync(
    join(folder, "pnpm-workspace.yaml"),
    JSON.stringify({ nodeLinker: "hoisted", preferOffline: true, overrides: tarballs })
  )
  run("pnpm", ["install"], folder)
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed\n${error?.message ?? `${stdout}${stderr}`}`)
}

const start = async (cwd: string, args: (port: number) => ReadonlyArray<string>): Promise<Start> => {
  const port = await freePort()
  const before = performance.now()
  const child = spawn(values.node, [...args(port)], { cwd, stdio: ["ignore", "ignore", "pipe"] })
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, "exit")
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`did not start:\n${printed}`)
      await pause(2)
    }
    const ready = performance.now() - before
    const cpu = cpuOf(child.pid)
    await pause(Number(values.idle) * 1000)
    return { ready, cpu, memory: memoryOf(child.pid) }
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path: "/healthz", agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200))
    }).on("error", () => resolve(false))
  })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** `ps` counts CPU in whole seconds: of the kernel, in hundredths. */
const cpuOf = (pid: number | undefined): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryOf = (pid: number | undefined): number =>
  Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout) / 1024

const bare = (port: number) => [
  "--eval",
  `require("node:http").createServer((_, response) => response.end()).listen(${port}, "127.0.0.1")`
]

const folder = mkdtempSync(join(tmpdir(), "paymux-start-"))
try {
  install(folder)
  const bin = join(folder, "node_modules/paymux/dist/bin.js")
  const paymux = (port: number) => [bin, "serve", "--sandbox", "--port", String(port)]
  const starts: { readonly bare: Array<Start>; readonly paymux: Array<Start> } = { bare: [], paymux: [] }
  for (let round = 0; round <= Number(values.starts); round++) {
    const empty = join(folder, `round-${round}`)
    mkdirSync(empty)
    const pair = { bare: await start(empty, bare), paymux: await start(empty, paymux) }
    if (round === 0) continue
    starts.bare.push(pair.bare)
    starts.paymux.push(pair.paymux)
  }
  const figure = (name: "bare" | "paymux", key: keyof Start) => median(starts[name].map((each) => each[key]))
  for (const [name, title] of [
    ["bare", "node:http alone"],
    ["paymux", "paymux serve"]
  ] as const) {
    console.log(
      `${title.padEnd(16)} ready after ${figure(name, "ready").toFixed(0)} ms (CPU ${figure(name, "cpu").toFixed(0)} ms), idle ${figure(name, "memory").toFixed(0)} MB`
    )
  }
  const ratio = (key: keyof Start) => (figure("paymux", key) / figure("bare", key)).toFixed(1)
  console.log(`${"ratio".padEnd(16)} ready ${ratio("ready")}, CPU ${ratio("cpu")}, memory ${ratio("memory")}`)
} finally {
  rmSync(folder, { recursive: true })
}
