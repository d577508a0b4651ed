/** `pnpm pack:all <folder>`: packs every published package into the folder, after `pnpm build`. Private packages are left out. */
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { contentsText, pack, publishedPackages } from "./packages.ts"

const root = resolve(import.meta.dirname, "..")
const [, , target] = process.argv

if (target === undefined) {
  console.error("Usage: pnpm pack:all <folder>")
  process.exitCode = 1
} else {
  mkdirSync(target, { recursive: true })
  for (const each of publishedPackages(root)) {
    const packed = pack(root, each, join(resolve(target), `${each.name.replace("@", "").replace("/", "-")}.tgz`))
    console.log(typeof packed === "string" ? packed : contentsText(each.name, packed))
    if (typeof packed === "string") process.exitCode = 1
  }
}
