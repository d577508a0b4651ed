import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { paymux, port } from "./paymux.mts"
import { Shop } from "./shop.mts"

const app = await NestFactory.create<NestExpressApplication>(Shop, { logger: ["warn", "error"] })

// Before `listen`, which puts Nest's parsers in place.
const express = app.getHttpAdapter().getInstance()
express.all(/^\/(?:v1|webhooks|return|pay|sandbox|docs\/problems|dashboard)(?:\/|$)/, paymux.node)

app.enableShutdownHooks(["SIGTERM"], { useProcessExit: true })

await app.listen(port)
console.log(`http://localhost:${port}/v1 takes payments with the key ${paymux.testKey}`)
