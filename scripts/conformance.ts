/** `packages/testkit/CONFORMANCE.md`, from the checks of the conformance suite. `pnpm generate` writes it. */
import { conformanceChecks } from "@paymux/testkit"

/** The page's whole text. */
export const checksPage = (): string => `${[intro, ...conformanceChecks.map(section)].join("\n\n")}\n`

const intro = `# Checks of a provider

What \`providerConformance\` tries on an adapter. Each check is tried over real HTTP on the loopback interface, against a vendor
that starts with an empty ledger. The message of a failed check names it, what was tried, what was expected, what was seen, and
what the vendor received and did.

A check that cannot pass because of the vendor is skipped by its name, with the reason, which is printed and stands in the
README of the adapter:

\`\`\`ts
// fragment
providerConformance("acme", { fake, make, skip: { "inquiry-agrees": "Acme forgets a payment after an hour" } })
\`\`\`

${conformanceChecks.map(({ id, title }) => `- [${title}](#${id})`).join("\n")}`

const section = ({ id, howToFix, title, why }: (typeof conformanceChecks)[number]): string =>
  `## ${id}

**${title.charAt(0).toUpperCase()}${title.slice(1)}.**

${why}

*To mend it:* ${howToFix}`
