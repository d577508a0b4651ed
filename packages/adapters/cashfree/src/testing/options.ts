/** What an instance at the fake is configured with. */
export const optionsOf = ({
  credentials,
  url
}: {
  readonly credentials: { readonly environment: string; readonly clientId: string; readonly clientSecret: string }
  readonly url: string
}) => ({
  // Boundary: credentials of a fake are texts.
  environment: credentials.environment as "sandbox" | "production",
  clientId: credentials.clientId,
  clientSecret: credentials.clientSecret,
  baseUrl: url
})
