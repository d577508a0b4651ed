/** How a receiver verifies what it is sent: the code of the guide. */
import { Code } from "../../ui/Copy.tsx"
import { Section } from "../../ui/Layout.tsx"

const withClient = `import { PaymuxWebhookError, webhooks } from "@paymux/client"
import express from "express"

const secret = process.env["PAYMUX_WEBHOOK_SECRET"] ?? ""
const app = express()

// \`express.raw\` leaves the bytes as they came: no \`express.json()\` before it.
app.post("/hooks/paymux", express.raw({ type: "*/*" }), async (request, response) => {
  try {
    const event = await webhooks.verify(request.body, request.headers, secret)
    if (event.type === "payment.succeeded") console.log(event.data.payment.id)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof PaymuxWebhookError)) throw error
    response.sendStatus(400)
  }
})

app.listen(4000)
`

const withStandard = `import { Webhook } from "standardwebhooks"

const event = new Webhook(secret).verify(rawBody, headers)
`

export const VerifySignatures = () => (
  <Section
    title="Verify signatures"
    description="Verify the raw body: a body that was parsed and written again fails. Respond with 2xx within 15 seconds, and ignore a webhook-id that you have processed."
  >
    <details className="min-w-0">
      <summary className="cursor-pointer text-sm font-medium text-accent">Show the code</summary>
      <div className="grid min-w-0 grid-cols-1 gap-4 pt-2.5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1.5">
          <h3 className="text-sm font-medium">With @paymux/client</h3>
          <Code text={withClient} label="Copy the code for @paymux/client" />
        </div>
        <div className="flex min-w-0 flex-col gap-1.5">
          <h3 className="text-sm font-medium">With any Standard Webhooks library</h3>
          <Code text={withStandard} label="Copy the code for standardwebhooks" />
        </div>
      </div>
    </details>
  </Section>
)
