import { copyFile } from "node:fs/promises"
import { library } from "../../tsup.base.ts"

/** For authors who do not have this repository: `paymux adapter new` names the place. */
const pages = ["guide/write-an-adapter.md", "reference/provider.md"]

export default library(
  // Named, so that each keeps its place below `dist`.
  { index: "src/index.ts", "simulation/index": "src/simulation/index.ts" },
  {
    onSuccess: async () => {
      for (const page of pages) await copyFile(`../../docs/${page}`, page.slice(page.indexOf("/") + 1))
    }
  }
)
