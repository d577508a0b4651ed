/** `paymux webhooks test`: sends one test event, and shows what the receiver answers. */
import { Ids } from "@paymux/core"
import { loopback, NodeWebhookHttp, WebhookTestEvents } from "@paymux/webhooks"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { version } from "../../version.ts"
import { configuration } from "../configuration.ts"
import { jsonFlag, onExistingDatabase } from "../database.ts"
import { userError } from "../userError.ts"
import { endpointArgument, endpoints, noEndpoint, where } from "./webhooksShared.ts"

export const test = Command.make(
  "test",
  { id: endpointArgument, ...where, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, database, id, json, live }) {
    const opened = (yield* configuration(null)).webhooks?.allow ?? []
    const allow = live ? opened : [...loopback, ...opened]
    const testEvents = WebhookTestEvents.layer({ version }).pipe(
      Layer.provide([endpoints(allow), NodeWebhookHttp.layer({ allow }), Ids.layer])
    )
    const result = yield* onExistingDatabase(
      database,
      testEvents,
      WebhookTestEvents.use((service) => service.send({ account, livemode: live }, id))
    )
    if (result === null) return yield* noEndpoint(id, account, live)
    if (json) return yield* Console.log(JSON.stringify(result, null, 2))
    const answer = [result.status ?? "no response", result.error ?? "", result.answer ?? ""].filter(
      (part) => part !== ""
    )
    const sentence = `${answer.join(" ")}, after ${result.duration} ms`
    if (!result.delivered) return yield* userError(new Error(`The test event was not accepted: ${sentence}`))
    yield* Console.error(`The receiver accepted the test event: ${sentence}`)
  })
).pipe(Command.withDescription("Send one signed event of the type webhook.test, and show the response"))
