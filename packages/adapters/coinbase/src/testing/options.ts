const account = { accountId: "account_af2937b0-9846-4fe7-bfe9-ccc22d935114", asset: "usd" } as const

/** What an instance at the fake is configured with. */
export const optionsOf = ({
  credentials: { apiKeyId, apiKeySecret, environment, webhookSecret },
  url
}: {
  readonly credentials: {
    readonly environment: string
    readonly apiKeyId: string
    readonly apiKeySecret: string
    readonly webhookSecret: string
  }
  readonly url: string
}) => ({
  environment: environment === "live" ? ("live" as const) : ("sandbox" as const),
  apiKeyId,
  apiKeySecret,
  webhookSecrets: [webhookSecret] as const,
  target: account,
  baseUrl: `${url}/platform`
})
