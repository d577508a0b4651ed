/** Which rules are in force, and whether this server decides by them. */
import type { Schemas } from "../../api/client.ts"
import { Id } from "../../ui/Copy.tsx"
import { Card, Details, Foreign } from "../../ui/Layout.tsx"
import { Note } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { Author } from "./author.tsx"
import { diagnosticText } from "./useCheck.ts"

type Current = Schemas["CurrentRules"]

export const InForce = ({ current }: { readonly current: Current }) => (
  <>
    <Card>
      <Details
        entries={[
          ["Version", <span className="numbers font-medium">{versionText(current)}</span>],
          ["Published", <Time at={current.at} />],
          ["By", <Author author={current.author} source={current.source} />],
          ["Note", current.note === null ? null : <Foreign text={current.note} />],
          ["Ruleset", <Id id={current.ruleset} label="Copy ruleset" />]
        ]}
      />
    </Card>
    {current.inForce !== current.ruleset && <DecidesOtherwise current={current} />}
  </>
)

const versionText = ({ restores, version }: Current): string =>
  restores === null ? String(version) : `${version}, which restores version ${restores}`

const DecidesOtherwise = ({ current: { inForce, problems, version } }: { readonly current: Current }) =>
  problems.length === 0 ? (
    <Note tone="info" role="status">
      <p>
        Version {version} is spreading. This server still decides by the ruleset before it, and takes the new one within
        seconds.
      </p>
    </Note>
  ) : (
    <Note tone="warn" role="status">
      <p className="font-medium">This server decides by older rules</p>
      <p>
        Version {version} does not fit the providers of this server. It decides by{" "}
        <code className="text-xs break-all">{inForce}</code> until a version fits: configure the missing providers, or
        publish rules without them.
      </p>
      <ul className="list-disc pl-5">
        {problems.slice(0, 10).map((problem) => (
          <li key={diagnosticText(problem)}>
            <Foreign text={diagnosticText(problem)} />
          </li>
        ))}
      </ul>
    </Note>
  )
