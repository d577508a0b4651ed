/** A local chain: the anvil of npm on a free port, which mines only on request. */
import manifest from "@foundry-rs/anvil/package.json" with { type: "json" }
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { arch, platform } from "node:os"
import { createInterface } from "node:readline"

export const chainId = 31_337

const binary = (): string | null => {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"))
  const system = `${platform()}-${arch() === "x64" ? "amd64" : arch()}`
  try {
    return resolve(`@foundry-rs/anvil-${system}/bin/anvil${platform() === "win32" ? ".exe" : ""}`)
  } catch {
    return null
  }
}

/** Why there is no chain here, for the name of the tests that are left out; `null`: there is one. */
export const noAnvil: string | null =
  binary() === null ? `anvil ${manifest.version} is not made for ${platform()} on ${arch()}` : null

/** A block is final under two epochs of others. Past some 900 blocks a deep reorganization loses contracts: keep it short. */
export const startAnvil = async (
  blocksPerEpoch: number
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const path = binary()
  if (path === null) throw new Error(noAnvil ?? "There is no anvil")
  const options = ["--no-mining", "--threads", "1", "--chain-id", chainId, "--slots-in-an-epoch", blocksPerEpoch]
  const child = spawn(path, ["--host", "127.0.0.1", "--port", "0", ...options.map(String)], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const stop = () => void child.kill("SIGKILL")
  process.once("exit", stop)
  const port = await new Promise<string>((listening, failed) => {
    child.once("exit", (code) => failed(new Error(`anvil ended with ${code}`)))
    child.once("error", failed)
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (found !== undefined) listening(found)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      process.off("exit", stop)
      stop()
    }
  }
}
