/** What an instance at the fake is configured with. */
export const optionsOf = ({
  credentials: { apiKey, environment, hmacKey, merchantAccount, reportKey },
  url
}: {
  readonly credentials: {
    readonly environment: string
    readonly apiKey: string
    readonly merchantAccount: string
    readonly hmacKey: string
    readonly reportKey: string
  }
  readonly url: string
}) => ({
  // Boundary: credentials of a fake are texts.
  environment: environment as "test" | "live",
  apiKey,
  merchantAccount,
  hmacKeys: [hmacKey] as const,
  ...(environment === "live" && { liveUrlPrefix: "1797a841fbb37ca7-Shop" }),
  reports: { apiKey: reportKey, baseUrl: url },
  baseUrl: url
})
