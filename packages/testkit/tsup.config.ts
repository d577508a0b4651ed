import { library } from "../../tsup.base.ts"

// Named, so that each keeps its place below `dist`.
export default library({ index: "src/index.ts", "simulation/index": "src/simulation/index.ts" })
