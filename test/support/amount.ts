/** How much of its input a test tries: `pnpm test` a part of it, on each change; `pnpm test:long` all of it. */
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** Set by the configurations of Vitest. */
    readonly input: "part" | "all"
  }
}

/** What this run tries. The long tests run each file that calls this, also one outside of `test/long`. */
export const amount = <A>(tried: { readonly part: A; readonly all: A }): A =>
  inject("input") === "all" ? tried.all : tried.part
