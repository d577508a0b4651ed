import { library } from "../../tsup.base.ts"

/** For older runtimes than the server, and not for Node alone. */
export default library(
  { index: "src/index.ts", "browser/index": "src/browser/index.ts" },
  { platform: "neutral", target: "es2022" }
)
