/** A role, where it holds, and in which modes: of an invitation, and of a change. */
import type { Mode, Role, Tenant } from "../../session/session.ts"
import { accessIn, useSession, useTenant } from "../../session/session.ts"
import { wordOf } from "../../ui/Status.tsx"
import { Checkbox, Field, Select } from "../../ui/Field.tsx"
import { roles, rolesText } from "./teamWords.ts"

export interface Access {
  readonly role: Role
  readonly everyAccount: boolean
  readonly modes: ReadonlyArray<Mode>
}

export const accessHere = ({ mode }: Tenant, role: Role = "viewer"): Access => ({
  role,
  everyAccount: false,
  modes: [mode]
})

interface AccessFieldsProps {
  readonly access: Access
  readonly onChange: (access: Access) => void
  readonly modesError: string | undefined
}

export const AccessFields = ({ access, modesError, onChange }: AccessFieldsProps) => {
  const tenant = useTenant()
  const session = useSession()
  const ownsEvery = session.memberships.some(({ account, role }) => account === null && role === "owner")
  const ownsIn = (mode: Mode) => accessIn(session, { account: tenant.account, mode })?.role === "owner"
  const toggle = (mode: Mode, isChosen: boolean) =>
    onChange({
      ...access,
      modes: (["test", "live"] as const).filter((each) => (each === mode ? isChosen : access.modes.includes(each)))
    })
  return (
    <>
      <Roles role={access.role} onChoose={(role) => onChange({ ...access, role })} />
      <Field label="Where">
        <Select
          name="everyAccount"
          value={String(access.everyAccount)}
          onChange={({ target }) => onChange({ ...access, everyAccount: target.value === "true" })}
        >
          <option value="false">{`Account ${tenant.account}`}</option>
          {ownsEvery && <option value="true">Every account</option>}
        </Select>
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">Modes</legend>
        {(["test", "live"] as const).map((mode) => (
          <Checkbox
            key={mode}
            name={mode}
            checked={access.modes.includes(mode)}
            disabled={!ownsIn(mode)}
            onChange={({ target }) => toggle(mode, target.checked)}
            label={ownsIn(mode) ? wordOf(mode) : `${wordOf(mode)}: only its owners can give access`}
          />
        ))}
        {modesError !== undefined && (
          <p role="alert" className="text-xs text-bad">
            {modesError}
          </p>
        )}
      </fieldset>
    </>
  )
}

const Roles = ({ onChoose, role }: { readonly role: Role; readonly onChoose: (role: Role) => void }) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1.5 text-sm font-medium">Role</legend>
    {roles.map((each) => (
      <Checkbox
        key={each}
        type="radio"
        name="role"
        value={each}
        checked={each === role}
        onChange={() => onChoose(each)}
        label={
          <>
            <span className="font-medium">{wordOf(each)}</span>
            <span className="block text-xs text-muted">{rolesText[each]}</span>
          </>
        }
      />
    ))}
  </fieldset>
)
