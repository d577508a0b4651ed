/** What an instance at the fake is configured with. */
export const optionsOf = ({
  credentials: { secretKey, webhookSecret },
  url
}: {
  readonly credentials: { readonly secretKey: string; readonly webhookSecret: string }
  readonly url: string
}) => ({ secretKey, webhookSecrets: [webhookSecret] as const, baseUrl: url })
