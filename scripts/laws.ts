/** `packages/testkit/LAWS.md`, from the laws of the conformance suite. `pnpm generate` writes it. */
import { conformanceLaws } from "@paymux/testkit"

/** The page's whole text. */
export const lawsPage = (): string => `${[intro, ...conformanceLaws.map(section)].join("\n\n")}\n`

const intro = `# The laws of a provider

What \`providerConformance\` tries on an adapter. Each law is tried over real HTTP on the loopback interface, against a vendor
that starts with an empty ledger. The message of a broken law names it, what was tried, what was expected, what was seen, and
what the vendor received and did.

A law that cannot be kept because of the vendor is skipped by its name, with the reason, which is printed and stands in the
README of the adapter:

\`\`\`ts
// fragment
providerConformance("acme", { fake, make, skip: { "inquiry-agrees": "Acme forgets a payment after an hour" } })
\`\`\`

${conformanceLaws.map(({ id, title }) => `- [${title}](#${id})`).join("\n")}`

const section = ({ id, mend, title, why }: (typeof conformanceLaws)[number]): string =>
  `## ${id}

**${title.charAt(0).toUpperCase()}${title.slice(1)}.**

${why}

*To mend it:* ${mend}`
