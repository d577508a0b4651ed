/**
 * `docs/reference/provider.md`, from the sources of the provider contract. `pnpm generate` writes it. The words are those
 * of the docstrings; what is on the page, and in which order, is in `provider-reference/outline.ts`.
 */
import { resolve } from "node:path"
import { code } from "./provider-reference/markdown.ts"
import { anchor, readIndex } from "./provider-reference/Names.ts"
import { opening, outline } from "./provider-reference/outline.ts"
import { sections } from "./provider-reference/page.ts"
import { readModule } from "./provider-reference/SourceModule.ts"
import type { SourceModule } from "./provider-reference/SourceModule.ts"

const root = resolve(import.meta.dirname, "..")

/** The file's whole text. */
export const providerReference = (): string => {
  const modules = new Map<string, SourceModule>()
  const module = (file: string): SourceModule => {
    const known = modules.get(file) ?? readModule(root, file)
    modules.set(file, known)
    return known
  }
  const reached = readIndex(root, "packages/core/src/index.ts")
  return [
    "# The provider contract",
    module(opening).doc.text,
    ...versions(module(opening)),
    contents,
    reading,
    sections(outline, { module, reached }),
    ""
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n")
}

const versions = ({ declarations }: SourceModule): ReadonlyArray<string> => {
  const [version, taken] = ["SPEC_VERSION", "SPEC_VERSIONS"].map((name) => {
    const found = declarations.get(name)
    return found?.kind === "constant" ? found.value.replaceAll(/[[\]]/g, "") : ""
  })
  return [
    `This is version ${version} of it; the engine takes providers of version ${taken}. All names are those of ` +
      `${code("@paymux/core")}.\nThe page is made of the sources by ${code("pnpm generate")}.`
  ]
}

const contents = outline.map(({ title }) => `- [${title}](${anchor(title)})`).join("\n")

const reading = `## How to read the tables

Everything is \`readonly\`. A \`?\` after a name says that it may be left out; then leave it out, rather than give \`undefined\`.
Amounts are integers of the currency's smallest unit, except the limits in \`AmountLimit\`. Times are milliseconds since 1970 UTC.

| written | means |
| --- | --- |
| \`Effect<A, E, R>\` | a program of [effect](https://effect.website): it answers \`A\`, may fail with \`E\` and needs \`R\`. What is not written is \`never\`: it does not fail, needs nothing |
| \`Scope\` | what is acquired in it is released when the engine ends |
| \`Schema.Codec<Options, Encoded>\` | a Schema of effect: it decodes what is configured (\`Encoded\`) into what the adapter works with (\`Options\`) |
| \`Duration.Input\` | a number of ms, or text such as \`"24 hours"\` |`
