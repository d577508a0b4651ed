/** The contracts of `Tokens.sol`, compiled once and kept until they or their compiler change. */
import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import solcManifest from "solc/package.json" with { type: "json" }
import type { Abi, Hex } from "viem"

interface Contract {
  readonly abi: Abi
  readonly bytecode: Hex
}

type Contracts = { readonly [name in "Token" | "StrictToken" | "BatchPayer"]: Contract }

const evmVersion = "paris"

export const compiled = async (): Promise<Contracts> => {
  const source = readFileSync(join(import.meta.dirname, "Tokens.sol"), "utf8")
  const cache = join(import.meta.dirname, "../../node_modules/.cache")
  const digest = createHash("sha256").update(`${solcManifest.version} ${evmVersion}\n${source}`).digest("hex")
  const file = join(cache, `contracts-${digest.slice(0, 16)}.json`)
  const kept = read(file)
  if (kept !== null) return kept
  const contracts = await compile(source)
  mkdirSync(cache, { recursive: true })
  // Another worker may be at it, too: each writes a file of its own, and the last one stays.
  const own = `${file}.${randomUUID()}`
  writeFileSync(own, JSON.stringify(contracts))
  renameSync(own, file)
  return contracts
}

const read = (file: string): Contracts | null => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return null
  }
}

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly contracts: {
    readonly [file: string]: {
      readonly [name in keyof Contracts]: {
        readonly abi: Abi
        readonly evm: { readonly bytecode: { readonly object: string } }
      }
    }
  }
}

const compile = async (source: string): Promise<Contracts> => {
  // Eight megabytes of compiler are loaded only where they are needed.
  const { default: solc } = await import("solc")
  const input = {
    language: "Solidity",
    sources: { "Tokens.sol": { content: source } },
    settings: { evmVersion, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } }
  }
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)))
  const faults = (output.errors ?? []).filter(({ severity }) => severity === "error")
  const made = output.contracts["Tokens.sol"]
  if (faults.length > 0 || made === undefined) throw new Error(faults.map((each) => each.formattedMessage).join("\n"))
  const contract = (name: keyof Contracts): Contract => ({
    abi: made[name].abi,
    bytecode: `0x${made[name].evm.bytecode.object}`
  })
  return { Token: contract("Token"), StrictToken: contract("StrictToken"), BatchPayer: contract("BatchPayer") }
}
