/** An engine in a process of its own, on the PostgreSQL database of argument 1. */
import { openEngineOnPostgres } from "../EngineContender.ts"
import { cpu, tell } from "./Protocol.ts"
import type { EngineRequest } from "./Protocol.ts"

const engine = await openEngineOnPostgres(process.argv[2] ?? "")

process.on("message", (request: EngineRequest) => {
  if (request === "cpu") return tell(cpu())
  const { payments, together } = request
  void engine.run(payments, together).then(() => tell(payments))
})
process.once("disconnect", () => void engine.close())
tell(0)
