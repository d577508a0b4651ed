import { assert, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startCommands } from "./Commands.ts"

it("a configuration in a folder of npm init gets an error that names what is missing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-commonjs-"))
  const commands = startCommands()
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }')
    writeFileSync(join(folder, "paymux.config.ts"), 'import "node:path"\nexport default { sandbox: true }\n')
    writeFileSync(join(folder, "routing.yaml"), "version: 1\ndefault: { priority: [sandbox_card_a] }\n")
    const { stderr } = await commands.run(folder, "rules", "check", "routing.yaml")
    assert.include(stderr, 'Let package.json say "type": "module", or name the file paymux.config.mts.')
  } finally {
    commands.stop()
    rmSync(folder, { recursive: true })
  }
})
