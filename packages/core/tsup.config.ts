import { library } from "../../tsup.base.ts"

const roles = ["routing", "store", "wire", "telemetry", "engine"]

/** Named, so that each entry keeps its place below `dist`. What several need is in chunks that they share. */
export default library({
  index: "src/index.ts",
  ...Object.fromEntries(roles.map((role) => [`${role}/index`, `src/${role}/index.ts`]))
})
