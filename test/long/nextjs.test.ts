/** Next.js is built first, which takes longer than all the other hosts. */
import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { root } from "../hosts/Host.ts"
import { checks } from "../hosts/checks.ts"
import { opensDashboard } from "../hosts/dashboard.ts"
import type { Example } from "../hosts/Host.ts"

const folder = "docs/examples/nextjs"
const next = `${folder}/node_modules/next/dist/bin/next`

beforeAll(() => {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" }
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, next), "build"], {
    cwd: join(root, folder),
    env,
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stdout + stderr)
}, 300_000)

// Next.js writes types there that would hold for the whole repository.
afterAll(() => rmSync(join(root, folder, "next-env.d.ts"), { force: true }))

const example: Example = { entry: [next, "start", folder] }

// Next.js has handlers of its own for signals, and says by its exit code which one it was.
checks("Next.js 16", example, { end: { code: 143, answering: true }, compressing: false })
opensDashboard("Next.js 16", example, "")
