/** The README of a new adapter, as it is before the author's first change. */
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

> Created by \`paymux adapter new\`, with a fictional API. It works with ${vendor} only after you have adapted the files in \`src\`
> and \`test/fake.ts\` to its documentation. Then delete these lines.

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

Add a webhook at ${vendor} to \`https://<your server>/webhooks/${id}\`.

## Options

| option | default | meaning |
|---|---|---|
| \`apiKey\` | required | \`${id}_test_…\` or \`${id}_live_…\`: selects whether real money moves |
| \`webhookSecrets\` | required | the newest first; both during a rotation |
| \`baseUrl\` | \`https://api.${id}.example\` | URL of the API |
| \`id\` | \`${id}\` | the id of the instance in routing rules, if you have two |

## Capabilities

${capabilities}

## Verification

| against | result |
|---|---|
| the conformance suite of Paymux: a fake with a ledger, over real connections that break | done: \`${test}\` |
| each code of \`src/codes.ts\`: the fake answers a create with it | done: \`${test}\` |
| the published specification of the API, each request and response | not done |
| the official SDK: the same requests, the same signatures | not done |
| the sandbox of ${vendor} | not done |
`
}

const words = {
  workspace: {
    paymux: "[Paymux](../../../README.md)",
    test: "npx -y pnpm@12 test"
  },
  outside: { paymux: "[Paymux](https://www.npmjs.com/package/paymux)", test: "npm test" }
} as const
