/** Next.js is built first, which takes longer than all the other hosts. */
import { assert, describe } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { root } from "../hosts/Host.ts"
import { checks } from "../hosts/checks.ts"
import { opensDashboard } from "../hosts/dashboard.ts"
import type { Example } from "../hosts/Host.ts"
import { isLater } from "../support/amount.ts"

const folder = "docs/examples/nextjs"
/** The example under a base path. Next.js finds its packages only below the root of the repository. */
const underPath = "docs/examples/.nextjs-under-a-path"
const next = `${folder}/node_modules/next/dist/bin/next`
const example: Example = { entry: [next, "start", folder] }

describe.skipIf(isLater(1, 4))("Next.js", () => {
  beforeAll(() => {
    build(folder)
    copyUnderPath()
    build(underPath)
  }, 600_000)

  afterAll(() => {
    // Next.js writes types there that would hold for the whole repository.
    rmSync(join(root, folder, "next-env.d.ts"), { force: true })
    rmSync(join(root, underPath), { recursive: true, force: true })
  })

  // Next.js has handlers of its own for signals, and says by its exit code which one it was.
  checks("Next.js 16", example, { end: { code: 143, answering: true }, compressing: false })
  opensDashboard("Next.js 16", example, "")
  opensDashboard("Next.js 16", { entry: [next, "start", underPath] })
})

const build = (app: string): void => {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" }
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, next), "build"], {
    cwd: join(root, app),
    env,
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stdout + stderr)
}

/** With one route for everything, as `docs/guide/hosts.md` says. */
const copyUnderPath = (): void => {
  const to = join(root, underPath)
  rmSync(to, { recursive: true, force: true })
  cpSync(join(root, folder), to, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|\.next|app)$/.test(path.replaceAll("\\", "/"))
  })
  symlinkSync(join(root, folder, "node_modules"), join(to, "node_modules"), "junction")
  const route = join(to, "app/payments/[...path]")
  mkdirSync(route, { recursive: true })
  const handler = readFileSync(join(root, folder, "app/v1/[...path]/route.ts"), "utf8")
  writeFileSync(join(route, "route.ts"), handler)
  const paymux = readFileSync(join(to, "paymux.ts"), "utf8")
  const address = "publicUrl: `http://localhost:${PORT}`"
  assert.include(paymux, address)
  writeFileSync(join(to, "paymux.ts"), paymux.replace(address, `${address}, basePath: "/payments"`))
}
