/** A chain on this machine: the anvil of npm, with a block every two seconds. A block is final under two others. */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { createInterface } from "node:readline"

const program = (): string | null => {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"))
  const system = `${platform()}-${arch() === "x64" ? "amd64" : arch()}`
  try {
    return resolve(`@foundry-rs/anvil-${system}/bin/anvil${platform() === "win32" ? ".exe" : ""}`)
  } catch {
    return null
  }
}

/** `null`: there is an anvil for this system. */
export const noAnvil = program() === null ? `there is no anvil for ${platform()} on ${arch()}` : null

/** Runs it until this process ends. */
export const startAnvil = async (port: number): Promise<void> => {
  const path = program()
  if (path === null) throw new Error(noAnvil ?? "")
  const options = ["--port", port, "--block-time", 2, "--slots-in-an-epoch", 1, "--threads", 1]
  const anvil = spawn(path, options.map(String), { stdio: ["ignore", "pipe", "inherit"] })
  process.once("exit", () => anvil.kill())
  await new Promise<void>((listening, failed) => {
    anvil.once("error", failed)
    anvil.once("exit", () =>
      failed(new Error(`anvil does not start. Is port ${port} in use? CHAIN_PORT names another`))
    )
    // Its lines are read to the end: a full pipe would stop it.
    createInterface({ input: anvil.stdout }).on("line", (line) => {
      if (line.startsWith("Listening on ")) listening()
    })
  })
  // The server ends although anvil runs, and anvil with it.
  anvil.unref()
}
