import { copyFile } from "node:fs/promises"
import { library } from "../../tsup.base.ts"

const schema = "routing.schema.json"

export default library(
  { index: "src/index.ts", bin: "src/bin.ts" },
  // Where `# yaml-language-server: $schema=./node_modules/paymux/routing.schema.json` looks for it.
  { onSuccess: () => copyFile(`../../docs/reference/${schema}`, schema) }
)
