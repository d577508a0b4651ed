import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit } from "effect"

const { run } = process.argv[2] === "serve" ? await import("./serveCli.ts") : await import("./cli.ts")

// Not `runMain`: it interrupts at a signal, and a server has to answer what it has begun first. Errors that were reported
// to the person are not reported twice.
const exit = await Effect.runPromiseExit(Effect.provide(run, NodeServices.layer))
process.exitCode = Exit.isSuccess(exit) ? 0 : 1
// What a configuration holds open must not hold the command: it has a second to end.
setTimeout(() => process.exit(), 1_000).unref()
