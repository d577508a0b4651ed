import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { download } from "./download.ts"
import { InForce } from "./InForce.tsx"
import { RulesEditor } from "./Lazy.tsx"
import { RoutingTabs } from "./RoutingTabs.tsx"
import { RulesWorkspace } from "./RulesWorkspace.tsx"

type Current = Schemas["CurrentRules"]

/** ms until it is noticed that another version was published. */
const refetchInterval = 30_000

export const RoutingPage = () => {
  const path = useTenant()
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/rules", { path }, { refetchInterval })
  return (
    <Page
      title="Routing rules"
      description="The first rule that holds decides which providers are tried, and in which order. Rules apply to all accounts and to both modes."
      actions={
        <Button
          disabled={data === undefined}
          onClick={() => data !== undefined && download(`routing-${data.version}.yaml`, data.text)}
        >
          Download
        </Button>
      }
    >
      <RoutingTabs />
      {data === undefined ? <Absent error={error} onRetry={() => void refetch()} /> : <Rules current={data} />}
    </Page>
  )
}

const Absent = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  if (error === null) return <SkeletonLines lines={8} />
  return isProblem(error, "not_found") ? (
    <Empty title="No rules have been in force yet">
      <p>The server stores its rules when it starts. Start it, then reload this page.</p>
    </Empty>
  ) : (
    <ProblemNote error={error} onRetry={onRetry} />
  )
}

const Rules = ({ current }: { readonly current: Current }) => {
  const mayPublish = useMay("routing")
  const isEdited = current.origin.kind === "database" && mayPublish
  return (
    <>
      <Section title="In force">
        <InForce current={current} />
      </Section>
      {isEdited ? <RulesWorkspace current={current} /> : <ReadOnly current={current} mayPublish={mayPublish} />}
    </>
  )
}

const ReadOnly = ({ current, mayPublish }: { readonly current: Current; readonly mayPublish: boolean }) => (
  <Section title="Text">
    <Note tone="info">
      {current.origin.kind === "database" ? (
        <p>You can read the rules. To change them, ask an owner for the role “routing”.</p>
      ) : (
        <KeptElsewhere origin={current.origin} mayPublish={mayPublish} />
      )}
    </Note>
    <RulesEditor
      text={current.text}
      label="Text of the rules, read-only"
      onChange={null}
      checked={undefined}
      vocabulary={undefined}
    />
  </Section>
)

const KeptElsewhere = ({ mayPublish, origin }: Pick<Current, "origin"> & { readonly mayPublish: boolean }) => (
  <>
    <p>{placeOf(origin)}</p>
    {mayPublish && (
      <p>
        To edit them here, download them and set{" "}
        <code className="text-xs break-all">{'routing: { source: "database", initial: "routing.yaml" }'}</code> in the
        configuration, or start <code className="text-xs">paymux serve</code> with{" "}
        <code className="text-xs">--rules-in-database</code>.
      </p>
    )}
  </>
)

const placeOf = (origin: Current["origin"]): string => {
  if (origin.kind === "file") return `The rules come from the file ${origin.file}, and are edited there.`
  return origin.kind === "options"
    ? "The rules come from the configuration of the server, and are edited there."
    : "No rules are configured: providers are tried in the order of the configuration."
}
