import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { snippetsOfPage, snippetsOfSource } from "./Snippet.ts"
import type { Snippet } from "./Snippet.ts"

/** The snippets of all pages and of all sources below a folder. */
export const snippetsIn = (root: string): ReadonlyArray<Snippet> => [
  ...read(root, snippetsOfPage, "README.md", "docs/**/*.md", "packages/*/README.md", "packages/adapters/*/README.md"),
  ...read(root, snippetsOfSource, "packages/*/src/**/*.ts", "packages/adapters/*/src/**/*.ts")
]

const read = (root: string, snippetsOf: typeof snippetsOfPage, ...patterns: ReadonlyArray<string>) =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .flatMap((path) => snippetsOf(path, readFileSync(join(root, path), "utf8")))
