/** What an instance at the fake is configured with. */
export const optionsOf = ({
  credentials: { keyId, keySecret, webhookSecret },
  url
}: {
  readonly credentials: { readonly keyId: string; readonly keySecret: string; readonly webhookSecret: string }
  readonly url: string
}) => ({ keyId, keySecret, webhookSecrets: [webhookSecret] as const, baseUrl: url })
