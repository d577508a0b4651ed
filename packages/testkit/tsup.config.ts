import { defineConfig } from "tsup"
import { library } from "../../tsup.base.ts"

export default defineConfig({
  ...library(),
  // Named, so that each keeps its place below `dist`.
  entry: { index: "src/index.ts", "simulation/index": "src/simulation/index.ts" }
})
