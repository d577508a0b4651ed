import { sandboxProviders, sandboxRoutes } from "@paymux/sandbox"
import { providerConformance } from "@paymux/testkit"
import { fake } from "./SandboxVendor.ts"
import type { SandboxVendor } from "./SandboxVendor.ts"

for (const { id } of sandboxRoutes()) {
  providerConformance(id, {
    fake,
    make: ({ sandbox }: SandboxVendor) => {
      const provider = sandboxProviders(sandbox).find((each) => each.id === id)
      if (provider === undefined) throw new Error(`no provider ${id}`)
      return provider
    }
  })
}
