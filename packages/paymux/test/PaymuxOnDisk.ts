/** A Paymux on a database in a folder of its own, and the commands beside it, until the tests of the file have ended. */
import { afterAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import type { PaymuxOptions } from "../src/index.ts"
import { startCommands } from "./Commands.ts"

export const paymuxOnDisk = async (options: PaymuxOptions = { sandbox: true, logs: false }) => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-test-"))
  const database = `sqlite:${join(folder, "paymux.db")}`
  const commands = startCommands()
  const paymux = await createPaymux({ ...options, database })
  afterAll(async () => {
    await paymux.close()
    commands.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { paymux, database, folder, commands }
}
