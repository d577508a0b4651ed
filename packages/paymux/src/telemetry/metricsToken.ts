/** Who may read `GET /metrics` from elsewhere: option `metricsToken`. */
export const metricsTokenProblems = (token: string | undefined): ReadonlyArray<string> =>
  token === undefined || /^[\x21-\x7e]{16,512}$/.test(token)
    ? []
    : ["metricsToken must have 16 to 512 visible ASCII characters, without spaces."]
