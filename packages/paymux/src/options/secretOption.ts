/** Of the option `secret`, wherever it was given. */
export const secretProblems = (secret: unknown): ReadonlyArray<string> =>
  secret === undefined || (typeof secret === "string" && secret.length >= 32)
    ? []
    : ["The secret must have at least 32 characters."]
