/** `packages/testkit/CONFORMANCE.md`, from the checks of the conformance suite. `pnpm generate` writes it. */
import { conformanceChecks } from "@paymux/testkit"

/** The page's whole text. */
export const checksPage = (): string => `${[intro, ...conformanceChecks.map(section)].join("\n\n")}\n`

const intro = `# Conformance checks

The checks of \`providerConformance\`. Each runs over real HTTP on the loopback interface, against a fake vendor
with an empty ledger. The message of a failed check has its name, what was tried, what was expected, what was seen, and
the vendor's requests and ledger.

If a check cannot pass because of the vendor, skip it by its name and state the reason, which is printed, and is part of the
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

*How to fix it:* ${howToFix}`
