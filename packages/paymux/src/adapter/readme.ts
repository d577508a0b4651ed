/** The README of a made adapter. It says what is true of it on its first day. */
import { type Adapter, packageNameOf, railNames } from "./Adapter.ts"
import type { TextFile } from "./TextFile.ts"

export const readme = (adapter: Adapter, capabilities: string): TextFile => ({
  path: "README.md",
  text: text(adapter, capabilities)
})

const text = (adapter: Adapter, capabilities: string): string => {
  const { constant, factory, id, vendor } = adapter.names
  const name = packageNameOf(adapter)
  const { paymux, test } = words[adapter.home]
  return `# ${name}

${railNames[adapter.rail]} payments by ${vendor}, for ${paymux}.

> Made by \`paymux adapter new\`: its API is invented. It speaks to nobody until the files in \`src\` and \`test/fake.ts\`
> follow the documentation of ${vendor}; delete these lines then.

\`\`\`sh
npm install ${name} paymux effect
\`\`\`

\`\`\`ts
import { createPaymux } from "paymux"
import { ${factory} } from "${name}"

const paymux = await createPaymux({
  providers: [
    ${factory}({
      apiKey: process.env["${constant}_API_KEY"] ?? "",
      webhookSecrets: [process.env["${constant}_WEBHOOK_SECRET"] ?? ""]
    })
  ],
  routing: { version: 1, default: { priority: ["${id}"] } }
})
\`\`\`

Let ${vendor} send its webhooks to \`https://<your server>/webhooks/${id}\`.

## Options

| option | | |
|---|---|---|
| \`apiKey\` | required | \`${id}_test_…\` or \`${id}_live_…\`: it decides whether real money moves |
| \`webhookSecrets\` | required | the newest first; while one is being replaced, both |
| \`baseUrl\` | \`https://api.${id}.example\` | where the API is |
| \`id\` | \`${id}\` | the name of the instance in routing rules, for who has two |

## What it can do

${capabilities}

## How it was checked

| against | |
|---|---|
| the conformance suite of Paymux: a fake with a ledger, over real connections that break | yes: \`${test}\` |
| the published specification of the API, each request and each answer | not yet |
| the official SDK: the same bytes sent, the same signatures | not yet |
| the sandbox of ${vendor} | not yet |
`
}

const words = {
  workspace: {
    paymux: "[Paymux](../../../README.md)",
    test: "npx -y pnpm@12 test"
  },
  outside: { paymux: "[Paymux](https://www.npmjs.com/package/paymux)", test: "npm test" }
} as const
