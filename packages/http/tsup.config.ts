import { copyFileSync, mkdirSync } from "node:fs"
import { library } from "../../tsup.base.ts"

/** Of Swagger UI: what the API reference loads, and the licenses. */
const swaggerUi = ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]

export default library("src/index.ts", {
  onSuccess: async () => {
    mkdirSync("dist/swagger-ui", { recursive: true })
    for (const file of swaggerUi) copyFileSync(`node_modules/swagger-ui-dist/${file}`, `dist/swagger-ui/${file}`)
  }
})
